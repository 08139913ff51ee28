"""Requirements of solo conditions as people say them; the grammar's own text is for files."""

from nfsim.games.new_frontiers.codes import Class, Measure, RequirementKind, label
from nfsim.games.new_frontiers.tiles.grammar import MEASURE_NAME, Requirement

COUNTED = {
    Class.COLONY: "colonies",
    Class.DEVELOPMENT: "developments",
    Class.NINE_COST: "9-cost developments",
    Class.XENO_MILITARY: "Xeno worlds conquered",
    Class.PRODUCTION: "production colonies",
    Class.WINDFALL: "windfall colonies",
    Measure.MILITARY_STRENGTH: "Military",
    Measure.CHIPS_ALL: "VP chips",
    Measure.CHIPS_HELD: "VP chips that are not stockpiled",
    Measure.KEYWORDS: "different keywords",
    Measure.GOOD_KINDS: "kinds of goods",
}
KEYWORDS = (Class.ALIEN, Class.IMPERIUM, Class.REBEL, Class.UPLIFT, Class.TERRAFORMING, Class.XENO)


def counted(measure: int) -> str:
    """Return what a class or measure counts, in the plural."""
    for known, phrase in COUNTED.items():
        if int(known) == measure:
            return phrase
    if measure in KEYWORDS:
        return f"{label(Class(measure)).upper()} tiles"
    name = MEASURE_NAME[measure]
    if name.endswith("_colony"):
        return f"{name.removesuffix('_colony').upper()} colonies"
    return name.replace("_", " ")


def requirement(requirement: Requirement) -> str:
    """Return a requirement as a phrase, for example `7+ colonies` or `2+ goals worth 8 VPs`."""
    if requirement.kind == RequirementKind.OWNS:
        return f"owns {requirement.tile}"
    if requirement.kind == RequirementKind.NO_MILITARY:
        return "no Military"
    if requirement.measure == Measure.GOALS_SCORED:
        return f"{requirement.need}+ goals " + (f"worth {requirement.least} VPs" if requirement.least > 1 else "scored")
    return f"{requirement.need}+ {counted(requirement.measure)}"

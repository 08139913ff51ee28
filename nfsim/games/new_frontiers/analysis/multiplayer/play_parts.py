"""Multiplayer balance as parts of a page: what is played (worlds, developments, goals), and how long games last."""

from functools import partial

import polars as pl
from matplotlib.axes import Axes

from nfsim.games.new_frontiers.analysis import tables
from nfsim.games.new_frontiers.analysis.multiplayer import goals_drawn, lengths, owned
from nfsim.games.new_frontiers.analysis.multiplayer.parts import CORRECTED, estimate, of_run, with_games
from nfsim.games.new_frontiers.analysis.multiplayer.seats import ALPHA
from nfsim.report.charts import differences, vp_distribution
from nfsim.report.charts.rows import RUN_WIDTH, draw_rows, highest, wrap
from nfsim.report.charts.vp_distribution import BARS
from nfsim.report.charts.win_rate import percent_axis
from nfsim.report.formatting import change, integer, mean, percent, points, rate
from nfsim.report.page import Part
from nfsim.report.picture import Group, Picture, in_order, one_axes, panels, spoken, stack
from nfsim.report.tables import ReportTable, without_run
from nfsim.stats.intervals import reliable

SHOWN = 15  # tiles at each end; all are in the CSV file
SELECTED = (
    "These are not effects of the tiles. Whoever is ahead can buy more, and who fits a tile buys it: owning and "
    "winning go together without the one causing the other. What a tile causes shows only where the same games are "
    "played with it and without it, or at another price (nfsim balance plays such games)."
)
CHOSEN = (
    "Who draws goals keeps the one that fits best, and spends an action on it: the numbers hold for the goals that the "
    "policies chose to keep, not for any goal, and seats that draw differ from those that do something else."
)


def owned_part(group: Group) -> Part:
    """Worlds and developments that winners own."""
    title = "Worlds and developments owned"
    frame = stack(with_games(group), owned.tile_owners)
    if frame.is_empty():
        return Part(title)
    chosen = extremes(frame)
    text = [
        SELECTED,
        *mixed_note(group),
        *(counted(frame, run, group) for run in frame["run"].unique(maintain_order=True)),
    ]
    if chosen.is_empty():
        return Part(title, text)
    shown = in_order(chosen, group, "place").drop("place")
    rows = [
        [r["tile"], r["run"], points(r["difference"], r["low"], r["high"]), estimate(r, "edge", points),
         estimate(r, "round", mean), integer(r["games"])]
        for r in shown.to_dicts()
    ]  # fmt: skip
    head = ["Tile", "Run", "Owners less others", "Same game, less equal share", "Round", "n"]
    # the CSV file has every tile
    table = ReportTable("tiles_owned", "Tiles owned at the end, and winning", head, rows, "llrrrr", frame)
    drawn = shown.select("run", figure="tile", n="games", difference="difference", low="low", high="high")
    picture = Picture(
        "tiles_owned",
        "Win rate of owners less that of others",
        f"The {SHOWN} tiles at either end, of those that 30 or more seats own; seats with the tile at the end against "
        "all seats without it, over all games. A game is one observation. Not effects of the tiles, see above.",
        "Win rate of seats that own a tile minus that of the others. " + spoken(drawn, "figure", "difference", points),
        frame,
        one_axes(partial(differences.draw, write=bare_points, unit="percentage points", factor=100.0), drawn, "figure"),
    )
    return Part(title, text, [without_run(group, table)], [picture])


def mixed_note(group: Group) -> list[str]:
    """Say what else is mixed in where policies differ, if they do."""
    if all(len(set(source.seat_policies)) == 1 for source in group):
        return []
    return [
        "Where seats have different policies the numbers also show which policy chooses what, and how strong it is."
    ]


def bare_points(value: float, low: float, high: float) -> str:
    """Write a difference of rates in points, where the axis says so: +3.2 (+3.0 to +3.4)."""
    return change(100 * value, 100 * low, 100 * high)


def extremes(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the tiles at both ends, with their place: by mean difference over the runs."""
    known = frame.filter(pl.col("low").is_not_nan())
    order = known.group_by("tile").agg(pl.col("difference").mean()).sort("difference", "tile", descending=[True, False])
    order = order.with_row_index("place").select("tile", pl.col("place").cast(pl.Int64))
    ends = order.filter((pl.col("place") < SHOWN) | (pl.col("place") >= len(order) - SHOWN))
    return known.join(ends, on="tile")


def counted(frame: pl.DataFrame, run: str, group: Group) -> str:
    """Say how many tiles go with winning or losing more than chance explains."""
    own = frame.filter((pl.col("run") == run) & pl.col("p").is_not_nan())
    sure = own.filter(pl.col("p_adjusted") < ALPHA)
    more = len(sure.filter(pl.col("difference") > 0))
    return (
        f"{of_run(run, group)}Of {len(own)} tiles that at least 30 seats own, {more} go with winning more and "
        f"{len(sure) - more} with winning less than chance explains (adjusted p below {ALPHA}, {CORRECTED})."
    )


def drawing_part(group: Group) -> Part:
    """Who scores goals, and what drawing them goes with."""
    title = "Drawing goals"
    frame = stack(with_games(group), goals_drawn.drawing_value)
    if frame.is_empty():
        return Part(title)
    single = pl.col("goal") != goals_drawn.ALL_GOALS
    best = -pl.col("gain").mean().over("goal")
    frame = in_order(
        frame.with_columns(single.alias("single"), best.alias("best")), group, "single", "best", "goal"
    ).drop("single", "best")  # fmt: skip
    text = [CHOSEN, *mixed_note(group)]
    text += [
        f"{of_run(r['run'], group)}VPs of a goal for who drew it, less the mean of the others: "
        f"{estimate(r, 'gain', partial(change, decimals=2))}; share of wins of who drew goals, less the equal share: "
        f"{estimate(r, 'edge', points)} (n = {integer(r['n'])} games)."
        for r in frame.filter(~single).to_dicts()
    ]
    two_decimals = partial(mean, decimals=2)
    rows = [
        [r["goal"], r["run"], estimate(r, "gain", partial(change, decimals=2)), estimate(r, "edge", points),
         estimate(r, "score", two_decimals), estimate(r, "others", two_decimals), integer(r["n"])]
        for r in frame.to_dicts()
    ]  # fmt: skip
    head = ["Goal", "Run", "Difference in VPs", "Drawer's wins less equal share", "Drawer's VPs", "Others' VPs", "n"]
    table = ReportTable("goals_drawn", "What a goal gives its drawer and the others", head, rows, "llrrrrr", frame)
    drawn = reliable(frame.select("run", "n", figure="goal", difference="gain", low="gain_low", high="gain_high"))
    write = partial(change, decimals=2)
    pictures = [
        Picture(
            "goals_drawn",
            "VPs of the drawer less those of the others",
            "For each goal in play, VPs for it of the seat that drew it minus the mean of the other seats of the same "
            f"game. {CHOSEN}",
            "VPs of a goal's drawer minus those of the others. " + spoken(drawn, "figure", "difference", write),
            frame,
            one_axes(partial(differences.draw, write=write, unit="VPs"), drawn, "figure"),
        ),
    ]
    mixed = [source for source in group if len(set(source.seat_policies)) > 1]
    found = [scored(group, "who"), *([scored(mixed, "policy")] if mixed else [])]
    more = [without_run(group, item) for item in found if isinstance(item, ReportTable)]
    pictures += [item for item in found if isinstance(item, Picture)]
    return Part(title, text, [without_run(group, table), *more], pictures)


def scored(group: Group, who: str) -> ReportTable | Picture:
    """Say how often goals are scored, by drawer and others or by policy: a chart for one run, a table for several."""
    by = "drawer and others" if who == "who" else "policy"
    title = f"How often goals are scored, by {by}"
    name = f"goal_scored_{'drawer' if who == 'who' else who}"
    numbers = goals_drawn.scored_by if who == "who" else goals_drawn.scored_by_policy
    frame = stack(with_games(group), numbers)
    best = -pl.col("rate").mean().over("goal")
    frame = in_order(frame.with_columns(best.alias("best")), group, "best", "goal", who).drop("best")
    if len(group) > 1:
        rows = [
            [r["goal"], r["run"], r[who], rate(r["rate"], r["low"], r["high"]), integer(r["n"])]
            for r in frame.to_dicts()
        ]
        return ReportTable(name, title, ["Goal", "Run", "Who", "1 VP or more (95 % interval)", "n"], rows, "lllrr", frame)

    def draw(own: pl.DataFrame, ax: Axes) -> Axes:
        draw_rows(own, ax, "goal", "rate", rate)
        percent_axis(ax, highest(own["high"]))
        ax.set_xlabel("share of games, 95 % interval")
        return ax

    # who scores takes the place of the runs: they are told apart by colour and marker
    drawn = frame.drop("run").rename({who: "run"})
    return Picture(
        name,
        title,
        f"Share of games in which a goal in play gives at least 1 VP, by {by}. A game counts by the share of the seats "
        "meant; intervals of such shares are on the wide side.",
        f"{title}: at least 1 VP. {spoken(drawn, 'goal', 'rate', rate)}",
        frame,
        one_axes(draw, drawn, "goal"),
    )


def length_part(group: Group) -> Part:
    """How long games last and why they end; the picture only with several players."""
    title = "How games end"
    played = [source for source in group if source.games]
    if not played:
        return Part(title)
    ends = stack(played, lengths.endings)
    table = tables.endings(ends, group)
    if group[0].players < 2:
        return Part(title, tables=[table])
    frame = stack(played, lengths.round_distribution)
    said = [
        f"{of_run(r['run'], group)}Half of the games last {r['median']:.0f} rounds or fewer; the middle 80 % last "
        f"{r['q10']:.0f} to {r['q90']:.0f} (n = {integer(r['n'])})."
        for r in ends.filter(pl.col("end_reason") == lengths.ALL_GAMES).to_dicts()
    ]
    rounds = frame["rounds"].to_list()
    span = min(rounds), max(rounds)

    def draw(own: pl.DataFrame, ax: Axes, i: int) -> None:
        vp_distribution.draw(own.rename({"rounds": "score"}), ax, (), i, span)
        ax.set_title(wrap(own["run"][0], RUN_WIDTH))
        ax.set_xlabel(f"rounds (n = {integer(own['n'][0])})")

    words = [f"{r['run']}: {r['rounds']} rounds {percent(r['rate'])}" for r in frame.to_dicts() if r["k"]]
    picture = Picture(
        "rounds",
        "Length of games",
        "Share of games by rounds played: bars end at the estimate, thin lines are 95 % intervals.",
        f"Histograms of rounds played. {' '.join(said)} {'; '.join(words)}.",
        frame,
        panels(frame, draw, BARS + 0.8, share_x=True),
    )
    return Part(title, said, [table], [picture])


def parts(group: Group) -> list[Part]:
    """Return the parts of this module; solo only how games end."""
    return [drawing_part(group), owned_part(group), length_part(group)]

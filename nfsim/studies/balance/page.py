"""What a study of single records says: sentences, tables and charts from the frames of `effects`."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import polars as pl

from nfsim.contract.objectives import Words
from nfsim.report.answers import doubts, named, report_answer
from nfsim.report.charts.differences import draw_effects, in_points, in_units
from nfsim.report.formatting import MINUS, arrow, change, integer, p_value, percent, plus, points, rate, signed
from nfsim.report.naming import patches
from nfsim.report.page import Answer, Part
from nfsim.report.picture import Picture, one_axes, spoken
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable
from nfsim.studies.balance.effects import NAIVE, OFF, OWNERS, SCORE, TAKERS, WINS, Changed, holdings_of
from nfsim.studies.compare.numbers import ROUNDS, SURE
from nfsim.studies.compare.page import written

NAMES = {NAIVE: "As logged: owners against others", TAKERS: "Effect: the same seats with and without it"}

SAID = 4  # things of one kind that are put into words; all are in the tables

Row = dict[str, Any]


def effects_part(owned: pl.DataFrame, alike: pl.DataFrame, base: Source) -> Part:
    """Return what records do for those who take them, beside what the log seems to say.

    Parameters
    ----------
    owned, alike : DataFrame
        As the functions of `effects` return them.
    base : Source
        The games as they are: with one player scores are compared, else wins.
    """
    if owned.is_empty():
        return Part("")
    measure, record = SCORE if base.players == 1 else WINS, base.words.record
    own = owned.filter(pl.col("measure") == measure)
    takers, naive = (by_effect(own.filter(pl.col("estimate") == name), own) for name in (TAKERS, NAIVE))
    write = _write(measure)
    others = {r["record"]: r for r in own.filter(pl.col("estimate") == OWNERS).to_dicts()}
    logged = {r["record"]: r for r in naive.to_dicts()}
    check = {r["record"]: r for r in alike.to_dicts()}
    head = [
        record.capitalize(),
        "Effect on first takers (95 % interval)",
        f"Without the {record} → with it",
        "Adjusted p",
        "n",
        "As logged: owners against others",
        "Effect on owners at the end",
        "Alike until taken",
    ]
    rows = [
        [r["record"], write(r), arrow(_level(r["before"], measure), _level(r["after"], measure)),
         p_value(r["p_adjusted"]), integer(r["n"]), write(logged[r["record"]]), write(others[r["record"]]),
         percent(check[r["record"]]["alike"])]
        for r in takers.to_dicts()
    ]  # fmt: skip
    table = ReportTable("record_effects", f"With the {record} and without it", head, rows, "lrrrrrrr",
                  owned.join(alike.select("record", "alike", "leaked"), on="record", how="left"))  # fmt: skip
    return Part(f"What a {record} does for whoever takes it", sentences(takers, logged, alike, base), [table],
                [_picture(takers, naive, measure, base.words)])  # fmt: skip


MOST_DRAWN = 10  # records in the picture of the answer


def answer(owned: pl.DataFrame, base: Source, changed: int) -> Answer:
    """Return which records are too strong or too weak, as far as the games can tell.

    Parameters
    ----------
    owned : DataFrame
        As `effects` returns it; empty if no record was looked at.
    base : Source
        The games as they are.
    changed : int
        Records looked at.
    """
    record, records = base.words.record, base.words.records
    if owned.is_empty():
        first = report_answer([[base]])
        return Answer([f"No {record} was looked at; this is about the games as they are.", *first.text], first.picture)
    measure = SCORE if base.players == 1 else WINS
    own = owned.filter(pl.col("measure") == measure)
    takers, naive = (by_effect(own.filter(pl.col("estimate") == name), own) for name in (TAKERS, NAIVE))
    known = takers.filter(pl.col("difference").is_not_nan())
    sure = known.filter(pl.col("p_adjusted").fill_nan(None) < SURE).to_dicts()
    gain = f"more {base.words.score}" if measure == SCORE else "more wins"
    strong, weak = [r for r in sure if r["difference"] > 0], [r for r in reversed(sure) if r["difference"] < 0]
    counted = f"of {changed} {records}"
    if strong:
        many = "brings whoever takes it" if len(strong) == 1 else "bring whoever takes them"
        text = [f"{len(strong)} {counted} {many} {gain} than chance explains: {_few(strong, measure)}."]
    else:
        text = [f"None {counted} brings whoever takes it {gain} than chance explains."]
    if weak:
        text.append(f"{len(weak)} {'does' if len(weak) == 1 else 'do'} harm: {_few(weak, measure)}.")
    rest = len(known) - len(sure), changed - len(known)
    text += [f"{rest[0]} cannot be told from no effect."] if rest[0] else []
    text += [f"{rest[1]} were never taken (n = 0), so nothing is known of them."] if rest[1] > 0 else []
    text.append(f"This holds for {base.policies}: another player uses a {record} in other ways.")
    ends = known
    if len(known) > MOST_DRAWN:
        ends = pl.concat([known.head(MOST_DRAWN // 2), known.tail(MOST_DRAWN // 2)])
    logged = naive.filter(pl.col("record").is_in(ends["record"].to_list()))
    picture = _picture(ends, logged, measure, base.words) if len(ends) else None
    return Answer([*text, *doubts([base])], named(picture))


def _few(found: Sequence[Row], measure: str) -> str:
    """Write the first of some effects."""
    write = _write(measure)
    more = f" and {len(found) - SAID} more" if len(found) > SAID else ""
    return "; ".join(f"{row['record']} {write(row)}" for row in found[:SAID]) + more


def by_effect(frame: pl.DataFrame, own: pl.DataFrame) -> pl.DataFrame:
    """Sort records by their effect on takers, highest first."""
    effect = own.filter(pl.col("estimate") == TAKERS).select("record", effect=pl.col("difference").fill_nan(None))
    return (
        frame.join(effect, on="record")
        .sort("effect", "record", descending=[True, False], nulls_last=True)
        .drop("effect")
    )


def sentences(takers: pl.DataFrame, logged: dict[str, Row], alike: pl.DataFrame, base: Source) -> list[str]:
    """Return the effects in plain words, and what they rest on."""
    measure, words, players = SCORE if base.players == 1 else WINS, base.words, base.players
    record, holdings = words.record, holdings_of(base)
    write, found = _write(measure), takers.filter(pl.col("difference").is_not_nan()).to_dicts()
    if not found:
        return [f"No {record} was taken often enough to say anything about it."]
    best, last = found[0], found[-1]
    verb, what = ("reaches", f" {words.score}") if measure == SCORE else ("wins", " of the games")
    text = [
        f"Largest effect: whoever takes {best['record']} first {verb} {_level(best['after'], measure)}{what}, the same "
        f"seats in the same games without it {_level(best['before'], measure)}: {write(best)}, "
        f"n = {integer(best['n'])} games. Smallest: {last['record']}, {write(last)}, n = {integer(last['n'])}."
    ]
    gaps = sorted(found, key=lambda r: -abs(r["difference"] - logged[r["record"]]["difference"]))
    wrong = [r["record"] for r in found if _opposite(r, logged[r["record"]])]
    farthest, as_logged = gaps[0], logged[gaps[0]["record"]]
    text.append(
        f"How far a log misleads: by {farthest['record']}, owners differ from others by {write(as_logged)} as logged, "
        f"the {record} makes {write(farthest)}; the rest is who comes to own it."
        + (f" Log and effect point in opposite directions for {', '.join(wrong)}." if wrong else "")
    )
    flagged = sum(r["p_adjusted"] < SURE for r in found)
    worst = max(found, key=lambda r: r["detectable"])
    small = worst["detectable"]
    text.append(
        f"{flagged} of {len(found)} effects are more than chance (adjusted p below {SURE}, Benjamini–Hochberg over all "
        f"comparisons of the table's file). A true effect of {_size(small, measure, words.score)} would have been "
        "found for each "
        f"{record} with a probability of 80 %."
    )
    shares = alike["alike"].fill_nan(None).drop_nulls()
    known = f" in at least {percent(float(str(shares.min())))} of the games" if len(shares) else ""
    text += [
        f"All effects are those of how these policies use a {record}: below zero means that they should leave it "
        "alone.",
        f"What is compared: {holdings.in_place}. So draws stay the same, and both games are alike until the "
        f"{record} is "
        f"first taken{known}; who takes it is settled by then, and the luck after it is fresh in both."
        + (f" {holdings.about_effects}" if holdings.about_effects else ""),
        f"Seats that own the {record} at the end were chosen by how their game went on, so their comparison "
        "flatters or "
        f"slanders a {record} a little; it stands in the table to show by how much. As logged means owners against "
        + ("games without it." if players == 1 else "the average seat, which wins " + percent(1 / players) + "."),
    ]
    leaks = alike.filter(pl.col("leaked") > 0)["record"].to_list()
    return [*text, *([f"Somebody got it all the same in some games: {', '.join(leaks)}."] if leaks else [])]


def _opposite(effect: Row, naive: Row) -> bool:
    """Tell whether both are more than chance and have different signs."""
    sure = all(r["p_adjusted"] < SURE for r in (effect, naive))
    return sure and effect["difference"] * naive["difference"] < 0


def _picture(takers: pl.DataFrame, naive: pl.DataFrame, measure: str, words: Words) -> Picture:
    frame = pl.concat([
        source.select(pl.lit(NAMES[name]).alias("run"), "record", "n", "before", "after", "difference", "low", "high")
        for name, source in ((NAIVE, naive), (TAKERS, takers))
    ])  # fmt: skip
    rates = measure == WINS
    unit = "percentage points of wins" if rates else words.score
    write = in_points if rates else in_units
    return Picture(
        "record_effects", f"What the log shows, and what the {words.record} does",
        f"{unit.capitalize() if rates else unit} that owners have ahead of others in the log, and that the seats which "
        f"take the {words.record} first gain over themselves in the same games without it. Largest effect first.",
        f"Differences in {unit}. {spoken(frame, 'record', 'difference', write)}",
        frame,
        one_axes(partial(draw_effects, column="record", rates=rates, unit=unit), frame, "record"),
    )  # fmt: skip


def _write(measure: str) -> Any:
    """Return what writes the difference of a row."""

    def text(row: Row) -> str:
        bounds = row["difference"], row["low"], row["high"]
        return points(*bounds) if measure == WINS else change(*bounds, decimals=2)

    return text


def _level(value: float, measure: str) -> str:
    return percent(value) if measure == WINS else signed(value, 1)


def _size(value: float, measure: str, unit: str) -> str:
    return f"{signed(100 * value, 1)} points" if measure == WINS else f"{signed(value, 2)} {unit}"


def record_parts(
    owned: pl.DataFrame, alike: pl.DataFrame, seen: pl.DataFrame, prices: pl.DataFrame, base: Source
) -> Sequence[Part]:
    """Return the parts of the section on records."""
    return [effects_part(owned, alike, base), sights_part(seen, base.words), prices_part(prices, base)]


def short_table(
    owned: pl.DataFrame, differences: pl.DataFrame, prices: pl.DataFrame, base: Source
) -> tuple[list[str], list[list[str]]]:
    """Return heads and cells of one line a record, for a terminal."""
    measure, unit = SCORE if base.players == 1 else WINS, base.words.score
    write, own = _write(measure), owned.filter(pl.col("measure") == measure)
    at = {(r["record"], r["estimate"]): r for r in own.to_dicts()}
    scores = {
        r["record"]: r
        for r in differences.filter(pl.col("change") == OFF, pl.col("figure") == unit).to_dicts()
    }  # fmt: skip
    moved = {(r["record"], r["change"]): r for r in prices.to_dicts()}
    changes = prices["change"].unique(maintain_order=True).to_list() if len(prices) else []
    what = unit if measure == SCORE else "wins"
    head = [base.words.record, f"effect on {what} (95 % interval)", "adjusted p", "n", f"{what}, as logged",
            f"{unit} of all seats without it", *(f"owned, {said(c)} (adjusted p)" for c in changes)]  # fmt: skip
    records = by_effect(own.filter(pl.col("estimate") == TAKERS), own)["record"].to_list()

    def owned_then(record: str, change_: str) -> str:
        r = moved.get((record, change_))
        if r is None:
            return "–"
        return f"{arrow(percent(r['before']), percent(r['after']))} ({p_value(r['p_adjusted'])})"

    rows = [
        [record, write(at[record, TAKERS]), p_value(at[record, TAKERS]["p_adjusted"]), integer(at[record, TAKERS]["n"]),
         write(at[record, NAIVE]), written(scores[record]), *(owned_then(record, c) for c in changes)]
        for record in records
    ]  # fmt: skip
    return head, rows


def elsewhere(words: Words) -> tuple[str, ...]:
    """Return the figures that have columns of their own."""
    return (words.score, ROUNDS, words.any_objective)


def sights_part(differences: pl.DataFrame, words: Words) -> Part:
    """Return what every change of a record does to all games, from `effects.differences`."""
    if differences.is_empty():
        return Part("")
    unit, record = words.score, words.record
    first = [name for name in elsewhere(words) if name in differences["figure"]]
    at = {(r["record"], r["change"], r["figure"]): r for r in differences.to_dicts()}
    pairs = differences.select("record", "change").unique(maintain_order=True).rows()
    rows = [
        [name, said(change_), *(written(at[name, change_, figure]) for figure in first),
         signed(at[name, change_, unit]["correlation"], 2), percent(at[name, change_, unit]["same"]),
         integer(at[name, change_, unit]["n"])]
        for name, change_ in pairs
    ]  # fmt: skip
    head = [record.capitalize(), "Change", *first, f"Correlation of {unit}", "Same result", "n"]
    table = ReportTable("record_differences", "What changes in all games (95 % intervals)", head, rows,
                  "ll" + "r" * (len(head) - 2), differences)  # fmt: skip
    off = differences.filter(pl.col("change") == OFF, pl.col("figure") == unit).sort("difference")
    return Part(f"What a change of one {record} does to all games", _seen(differences, off, words), [table],
                [] if off.is_empty() else [_scores(off, words)])  # fmt: skip


def _seen(differences: pl.DataFrame, off: pl.DataFrame, words: Words) -> list[str]:
    unit, record = words.score, words.record
    scores = differences.filter(pl.col("figure") == unit)
    n, widest = int(scores["n"].to_numpy().max()), float(scores["detectable"].to_numpy().max())
    text = [
        f"Every variant plays the same {integer(n)} games; differences are those to games in which nothing is changed, "
        f"whoever had the {record}. A change of {signed(widest, 2)} {unit} would have been found in each with a "
        f"probability of 80 %; adjusted p-values (Benjamini–Hochberg over all figures, {words.records} and "
        "changes) and what "
        "pairing bought are in the CSV file."
    ]
    if len(off):
        listed = [f"{r['record']} {written(r)}" for r in off.head(SAID).to_dicts()]
        low, high = (float(x) for x in (off["correlation"].to_numpy().min(), off["correlation"].to_numpy().max()))
        text.append(
            f"{unit} of a player without it, most missed first: {'; '.join(listed)}. The {unit} of a game with "
            "and without "
            f"a {record} have a correlation of {signed(low, 2)} to {signed(high, 2)}."
        )
    rest = differences.filter(~pl.col("figure").is_in(elsewhere(words)), pl.col("p_adjusted").fill_nan(None) < SURE)
    rest = rest.sort(pl.col("difference").abs(), descending=True)
    if len(rest):
        listed = [
            f"{r['figure']} {written(r)} with {r['record']} {said(r['change'])}" for r in rest.head(SAID).to_dicts()
        ]
        text.append(f"Of the rates of {'end reasons and wins' if ROUNDS in differences['figure'] else 'objectives'}, "
                    f"{len(rest)} differ by more than chance, the largest first: {'; '.join(listed)}.")  # fmt: skip
    return text


def _scores(off: pl.DataFrame, words: Words) -> Picture:
    unit, record = words.score, words.record
    frame = off.select(pl.lit(f"Without the {record}").alias("run"), "record", "n", "before", "after", "difference",
                       "low",
                       "high")  # fmt: skip
    return Picture(
        "record_scores", f"{unit} without the {record}",
        f"Change of a player's mean {unit} over all games when nobody can have the {record}, most missed first.",
        f"Change of mean {unit}. {spoken(frame, 'record', 'difference', in_units)}",
        frame,
        one_axes(partial(draw_effects, column="record", rates=False, unit=f"{unit} of a player"), frame, "record"),
    )  # fmt: skip


def prices_part(prices: pl.DataFrame, base: Source) -> Part:
    """Return how a record's cost moves how often it is owned, from `effects.prices`."""
    if prices.is_empty():
        return Part("")
    rows = [
        [r["record"], said(r["change"]), points(r["difference"], r["low"], r["high"]),
         arrow(percent(r["before"]), percent(r["after"])), f"{plus(100 * r['relative'], 0)} %",
         p_value(r["p_adjusted"]), integer(r["n"]), rate(r["base_wins"], r["base_low"], r["base_high"]),
         rate(r["variant_wins"], r["variant_low"], r["variant_high"])]
        for r in prices.to_dicts()
    ]  # fmt: skip
    record, about = base.words.record, holdings_of(base).about_cost
    head = [record.capitalize(), "Change", "Seats that own it: difference (95 % interval)", "Before → after",
            "Relative change",
            "Adjusted p", "n", "Owners' wins before", "Owners' wins after"]  # fmt: skip
    table = ReportTable("record_prices", "Ownership at another cost", head, rows, "llrrrrrrr", prices)
    most = max(prices.to_dicts(), key=lambda r: abs(r["relative"]) if r["relative"] == r["relative"] else 0.0)
    text = [
        f"Most sensitive to its cost: {most['record']}. {said(most['change']).capitalize()}, it is owned by "
        f"{percent(most['after'])} of the seats instead of {percent(most['before'])}: "
        f"{points(most['difference'], most['low'], most['high'])}, n = {integer(most['n'])} games.",
        f"{about}How often a {record} is owned is an effect of its cost. How often its owners win is not: at another "
        f"cost others own it. A {record} that is always taken, every copy of it, cannot "
        "be owned more often; then only its owners' wins move.",
    ]
    frame = prices.with_columns(pl.col("change").str.replace("-", MINUS, literal=True).alias("run"))
    return Part("What a cost that is higher or lower does", text, [table], [_owned(frame, record)])


def _owned(prices: pl.DataFrame, record: str) -> Picture:
    frame = prices.select("run", "record", "n", "before", "after", "difference", "low", "high")
    unit = "percentage points of seats that own it"
    return Picture(
        "record_prices", "Ownership at another cost",
        f"Change of the share of seats that own the {record} at the end when its cost moves.",
        f"Differences in {unit}. {spoken(frame, 'record', 'difference', in_points)}",
        frame,
        one_axes(partial(draw_effects, column="record", rates=True, unit=unit), frame, "record"),
    )  # fmt: skip


def said(change_: str) -> str:
    """Write a change with a true minus sign."""
    return change_.replace("-", MINUS)


def variants_part(variants: Sequence[Changed]) -> Part:
    """Return what each variant changes, and where its run lies: the head names the games as they are only."""
    rows = [
        [variant.record, said(variant.change), patches(variant.source)[-1], variant.source.folder.name]
        for variant in variants
    ]
    record = variants[0].source.words.record
    head = [record.capitalize(), "Change", "Patch", "Folder"]
    frame = pl.DataFrame(rows, ["record", "change", "patch", "folder"], orient="row")
    games = integer(variants[0].source.games)
    text = (
        f"{len(variants)} variants beside the games as they are, {games} games each, same deals, one patch more each."
    )
    return Part("Variants", [text], [ReportTable("record_variants", "Variants", head, rows, "llll", frame)])

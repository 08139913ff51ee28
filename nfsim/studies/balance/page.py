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
from nfsim.studies.balance.ratings import DEALT, NEVER, STRONG, UNCLEAR, WEAK
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
        if r["n"] else [r["record"], f"{NEVER} (n = 0)", *["–"] * 6]
        for r in takers.to_dicts()
    ]  # fmt: skip
    table = ReportTable("record_effects", f"With the {record} and without it", head, rows, "lrrrrrrr",
                  owned.join(alike.select("record", "alike", "leaked"), on="record", how="left"))  # fmt: skip
    return Part(f"What a {record} does for whoever takes it", sentences(takers, logged, alike, base), [table],
                [_picture(*_ends(takers, naive), measure, base.words)])  # fmt: skip


MOST_SHOWN = 20  # records in a picture among the details


def _ends(takers: pl.DataFrame, naive: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the records with the largest and the smallest effects, as many as a picture has room for."""
    known = takers.filter(pl.col("n") > 0)
    if len(known) > MOST_SHOWN:
        known = pl.concat([known.head(MOST_SHOWN // 2), known.tail(MOST_SHOWN // 2)])
    return known, naive.filter(pl.col("record").is_in(known["record"].to_list()))


MOST_DRAWN = 10  # records in the picture of the answer


def answer(rated: pl.DataFrame, base: Source) -> Answer:
    """Return which records are too strong or too weak, as far as the games say so.

    Parameters
    ----------
    rated : DataFrame
        As `ratings` returns it; empty if no record was looked at.
    base : Source
        The games as they are.
    """
    record = base.words.record
    if rated.is_empty():
        first = report_answer([[base]])
        return Answer([f"No {record} was looked at; this is about the games as they are.", *first.text], first.picture)
    return Answer([*verdicts(rated, base.words), *doubts([base])], named(_rated_picture(rated, base)))


def verdicts(rated: pl.DataFrame, words: Words) -> list[str]:
    """Say which records are strong and weak for every player, and of how many nothing is shown."""
    players = rated["player"].unique(maintain_order=True).to_list()
    found = {(r["record"], r["kind"], r["player"]): r["verdict"] for r in rated.to_dicts()}
    keys = rated.select("record", "kind").unique(maintain_order=True).rows()
    by = {key: [found.get((*key, name), NEVER) for name in players] for key in keys}
    everybody = "" if len(players) == 1 else " for both players" if len(players) == 2 else " for all players"
    text = []
    for verdict in (STRONG, WEAK):
        names = [name for (name, kind), own in by.items() if set(own) == {verdict}]
        listed = f": {_listed(names)}" if names else ""
        text.append(f"{len(names)} of {len(keys)} {words.records} are {verdict}{everybody}{listed}.")
    text = [" ".join(text)]
    if len(players) > 1:
        each = []
        for place, name in enumerate(players):
            alone = [sum(own[place] == verdict for own in by.values()) for verdict in (STRONG, WEAK)]
            each.append(f"{name} finds {alone[0]} strong and {alone[1]} weak")
        opposite = [name for (name, _), own in by.items() if {STRONG, WEAK} <= set(own)]
        against = f" They disagree about {_listed(opposite)}." if opposite else ""
        text.append(f"By player: {'; '.join(each)}.{against}")
    open_ = sum(not {STRONG, WEAK} & set(own) and set(own) != {NEVER} for own in by.values())
    never = [name for (name, _), own in by.items() if set(own) == {NEVER}]
    unclear = f"Of {open_} {words.records} these games show no clear effect."
    text.append(unclear + (f" Never taken by anybody (n = 0): {_listed(never)}." if never else ""))
    text.append(
        f"Strong: whoever takes it does better than the same seats in the same games without it. Adjusted p is below "
        f"{SURE} for {len(rated)} comparisons at once."
    )
    return text


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


MOST_NAMED = 4


def _rated_picture(rated: pl.DataFrame, base: Source) -> Picture | None:
    """Draw the records that are strong or weak for somebody: those with the largest and the smallest effects."""
    sure = rated.filter(pl.col("verdict").is_in([STRONG, WEAK]))
    size = sure.group_by("record").agg(pl.col("effect").mean()).sort("effect", descending=True)["record"].to_list()
    if not size:
        return None
    names = size if len(size) <= MOST_DRAWN else [*size[: MOST_DRAWN // 2], *size[-(MOST_DRAWN // 2) :]]
    frame = (
        rated.filter(pl.col("record").is_in(names), pl.col("n") > 0)
        .select(run="player", record="record", n="n", difference="effect", low="low", high="high")
        .sort(pl.col("record").replace_strict({name: i for i, name in enumerate(names)}, return_dtype=pl.Int64),
              maintain_order=True)
    )  # fmt: skip
    rates = base.players > 1
    unit = "percentage points of wins" if rates else base.words.score
    return Picture(
        "ratings", f"Strong and weak {base.words.records}",
        f"Effect on the seats that take it, in {unit}, for the {base.words.records} with the clearest effects. Where "
        "intervals overlap the order says nothing.",
        f"Effects in {unit}. {spoken(frame, 'record', 'difference', in_points if rates else in_units)}",
        frame,
        one_axes(partial(draw_effects, column="record", rates=rates, unit=unit), frame, "record"),
    )  # fmt: skip


def ratings_part(rated: pl.DataFrame, base: Source) -> Part:
    """Return the table of all records: how often taken, the effect for each player, the verdict."""
    words = base.words
    if rated.is_empty():
        return Part("")
    table = ratings_table(rated, base)
    measure = words.score if base.players == 1 else "percentage points of wins"
    text = [
        f"Taken: share of games in which somebody took it. Effect: {measure} of the seats that took it first, less the "
        "same seats in the same games without it, from n games, with 95 % intervals. A click on a head sorts by it.",
    ]
    if (rated["by"] == DEALT).any():
        kinds = rated.filter(pl.col("by") == DEALT)["kind"].unique(maintain_order=True).to_list()
        text.append(
            f"A {' or '.join(kinds)} is dealt or drawn and then chosen. Its effect is the result of the seats that had "
            "it, less that of the average one of its kind. Who chose it is part of it."
        )
    return Part(f"All {words.records}", text, [table], opened=True)


def ratings_table(rated: pl.DataFrame, base: Source) -> ReportTable:
    """Return a row for each record, and for each player a few columns."""
    players = rated["player"].unique(maintain_order=True).to_list()
    at = {(r["record"], r["kind"], r["player"]): r for r in rated.to_dicts()}
    write, unit = (in_units, base.words.score) if base.players == 1 else (in_points, "points")
    head, align = [base.words.record.capitalize(), "Kind", "Verdict"], "lll"
    for name in players:
        head += [f"Taken, {name}", f"Effect in {unit}, {name}"]
        align += "rr"
    rows, keys = [], []
    for record, kind in rated.select("record", "kind").unique(maintain_order=True).rows():
        own = [at.get((record, kind, name)) for name in players]
        said_, key = _verdict(own, players)
        row, sort = [record, kind, said_], [record, kind, key]
        for r in own:
            if r is None or not r["n"]:
                row += ["0", f"{NEVER} (n = 0)"]
                sort += [0.0, None]
                continue
            known = r["low"] == r["low"]
            effect = write(r["effect"], r["low"], r["high"]) if known else "–"
            row += [f"{percent(r['taken'] / r['games'])}, n = {integer(r['n'])}", effect]
            sort += [round(r["taken"] / r["games"], 5), round(r["effect"], 6)]
        rows.append(row)
        keys.append(sort)
    return ReportTable("ratings", f"All {base.words.records}", head, rows, align, rated, keys=keys)


def _verdict(own: Sequence[Row | None], players: Sequence[str]) -> tuple[str, str]:
    """Return the verdict over all players in words, and what it is sorted by."""
    by = {name: NEVER if r is None else r["verdict"] for name, r in zip(players, own, strict=True)}
    found = set(by.values())
    if len(found) == 1:
        (one,) = found
    else:
        named_ = [f"{verdict} for {name}" for name, verdict in by.items() if verdict in (STRONG, WEAK)]
        one = "; ".join(named_) or UNCLEAR
    order = {STRONG: "1", UNCLEAR: "5", NEVER: "6", WEAK: "9"}
    place = order.get(one, "2" if STRONG in found and WEAK not in found else "8" if STRONG not in found else "4")
    return one, f"{place} {one}"


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
    best = found[0]
    verb, what = ("reaches", f" {words.score}") if measure == SCORE else ("wins", " of the games")
    text = [
        f"For example, whoever takes {best['record']} first {verb} {_level(best['after'], measure)}{what}, the same "
        f"seats in the same games without it {_level(best['before'], measure)}: {write(best)}, "
        f"n = {integer(best['n'])} games. {_ranked(found, record)}"
    ]
    gaps = sorted(found, key=lambda r: -abs(r["difference"] - logged[r["record"]]["difference"]))
    wrong = [r["record"] for r in found if _opposite(r, logged[r["record"]])]
    farthest, as_logged = gaps[0], logged[gaps[0]["record"]]
    text.append(
        f"How far a log misleads: by {farthest['record']}, owners differ from others by {write(as_logged)} as logged, "
        f"the {record} makes {write(farthest)}; the difference is who comes to own it."
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


def _ranked(found: Sequence[Row], record: str) -> str:
    """Say whether one record stands out: its interval lies above or below all others."""
    ends = []
    for word, low, high, first, others in (
        ("largest", "low", "high", found[0], found[1:]), ("smallest", "high", "low", found[-1], found[:-1])
    ):  # fmt: skip
        sign = 1 if word == "largest" else -1
        if others and all(sign * first[low] > sign * other[high] for other in others):
            ends.append(f"{first['record']} has the {word} effect of all.")
    return " ".join(ends) or f"No {record} stands apart from all others: intervals overlap."


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
        f"take the {words.record} first gain over themselves in the same games without it. Where intervals overlap the "
        "order says nothing.",
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


def short_table(rated: pl.DataFrame, base: Source) -> tuple[list[str], list[Sequence[str]]]:
    """Return heads and cells of some records that are strong or weak for every player, for a terminal."""
    table = ratings_table(rated, base)
    kept = [row for row in table.rows if row[2] in (STRONG, WEAK)]
    if len(kept) > MOST_SHOWN:
        kept = [*kept[: MOST_SHOWN // 2], *kept[-(MOST_SHOWN // 2) :]]
    return [name.lower() if place < 3 else name for place, name in enumerate(table.head)], kept


def elsewhere(words: Words) -> tuple[str, ...]:
    """Return the figures that have columns of their own."""
    return (words.score, ROUNDS, words.any_objective)


def sights_part(differences: pl.DataFrame, words: Words) -> Part:
    """Return what every change of a record does to all games, from `effects.differences`."""
    if differences.is_empty():
        return Part("")
    unit, record = words.score, words.record
    never = set(differences.group_by("record").agg(pl.col("same").min()).filter(pl.col("same") == 1)["record"])
    differences = differences.filter(~pl.col("record").is_in(list(never)))
    if differences.is_empty():
        return Part("")
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
    text = _seen(differences, off, words)
    if never:
        text.append(f"Left out, since no game was another one: {', '.join(sorted(never))}.")
    drawn = off if len(off) <= MOST_SHOWN else pl.concat([off.head(MOST_SHOWN // 2), off.tail(MOST_SHOWN // 2)])
    return Part(f"What a change of one {record} does to all games", text, [table],
                [] if off.is_empty() else [_scores(drawn, words)])  # fmt: skip


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
            f"{unit} of a player without it, for example: {'; '.join(listed)}. The {unit} of a game with "
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
        f"Change of a player's mean {unit} over all games when nobody can have the {record}.",
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

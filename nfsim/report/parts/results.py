"""What runs came to: objectives met or seats won, how scores are distributed and where they come from."""

from collections.abc import Sequence
from functools import partial

import polars as pl
from matplotlib.axes import Axes

from nfsim.contract.objectives import Objective
from nfsim.report.charts.distributions import Threshold, draw_histogram, draw_spread, height
from nfsim.report.charts.means import draw_means
from nfsim.report.charts.rates import draw_rates, draw_wins
from nfsim.report.charts.rows import RUN_WIDTH, wrap
from nfsim.report.formatting import integer, mean, rate, signed
from nfsim.report.page import Part
from nfsim.report.parts import outcomes
from nfsim.report.picture import Group, Picture, in_order, one_axes, panels, pooled, spoken, stack, stack_runs
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable, without_run
from nfsim.stats.intervals import ENOUGH, reliable, wilson


def results(group: Group) -> Part:
    """Return how often objectives were met, or seats won."""
    met, won = objective_frame(group), win_frame(group)
    return _part(
        "Results",
        [objectives_table(met, group), wins_table(won, group)],
        [objectives_picture(met, group), wins_picture(won)],
    )


def scores(group: Group) -> Part:
    """Return how scores are distributed and where they come from."""
    title = group[0].metrics.score.capitalize()
    return _part(title, [], [distribution(group), seats(group), sources(group)])


def _part(title: str, found: Sequence[ReportTable | None], drawn: Sequence[Picture | None]) -> Part:
    """Return a part of what there is: a table or picture that does not apply to the runs is None."""
    return Part(
        title,
        tables=[table for table in found if table is not None],
        pictures=[picture for picture in drawn if picture is not None],
    )


def objective_frame(group: Group) -> pl.DataFrame:
    """Return the rates of all objectives in the order of the runs, with what each needs; empty where there are none."""
    some = [source for source in group if "objectives" in source.tables]
    any_objective = group[0].words.any_objective
    frame = stack(some, lambda tables: outcomes.objective_rates(tables, any_objective))
    if frame.is_empty():
        return frame
    listed = {(source.label, each.name): each for source in group for each in source.objectives}
    printed = list(dict.fromkeys(name for _, name in listed))
    order = {name: i for i, name in enumerate(printed)} | {any_objective: len(printed)}
    found = [listed.get(key) for key in frame.select("run", "objective").rows()]
    return in_order(
        frame.with_columns(
            pl.Series("score", [each.score if each else None for each in found], pl.Int64),
            pl.Series("requires", [each.requires if each else "" for each in found], pl.String),
            pl.Series("doubt", [each.doubt if each else "" for each in found], pl.String),
            pl.Series("place", [order.get(name, -1) for name in frame["objective"]], pl.Int64),
        ),
        group, "place", "objective",
    ).drop("place")  # fmt: skip


def objectives_table(frame: pl.DataFrame, group: Group) -> ReportTable | None:
    """Return how often each objective was met, with what it needs; see `objective_frame`."""
    if frame.is_empty():
        return None
    found, words = frame.to_dicts(), group[0].words
    rows = [
        [r["objective"], r["run"], rate(r["rate"], r["low"], r["high"]), integer(r["k"]), integer(r["n"])]
        for r in found
    ]  # fmt: skip
    notes = [
        Objective("", r["score"] or 0, r["requires"] or "", r["doubt"] or "").needs(words.score) for r in found
    ]  # fmt: skip
    head = [words.objective.capitalize(), "Run", "Rate (95 % interval)", "Met", "n"]
    table = ReportTable("win_rate", words.objectives.capitalize(), head, rows, "llrrr", frame, notes)
    return without_run(group, table)


def objectives_picture(frame: pl.DataFrame, group: Group) -> Picture | None:
    """Return how often each objective was met; see `objective_frame`."""
    if frame.is_empty():
        return None
    objective = group[0].words.objective
    campaign = "; in a campaign it claims one" if group[0].campaign else ""
    return Picture(
        "win_rate",
        f"Win rate per {objective}",
        f"Share of games that met the {objective}. A game can meet several{campaign}.",
        f"Win rate per {objective} with 95 % intervals. " + spoken(frame, "objective", "rate", rate),
        frame,
        one_axes(partial(draw_rates, column="objective"), frame, "objective"),
    )


def with_seat_names(frame: pl.DataFrame, group: Group) -> pl.DataFrame:
    """Add to a frame of seats who played them (policy), and the name of each seat that says so."""
    played = {source.label: source.seat_policies for source in group}
    names = [played[run][seat] if seat < len(played[run]) else "" for run, seat in frame.select("run", "seat").rows()]
    policies = pl.col("policy").unique(maintain_order=True).str.join(" / ").over("seat")
    name = pl.format("Seat {}: {}", "seat", policies).str.strip_suffix(": ")
    return frame.with_columns(pl.Series("policy", names, pl.String)).with_columns(name.alias("name"))


def win_frame(group: Group) -> pl.DataFrame:
    """Return the wins of each seat with its policy, the runs side by side; nothing of runs with one player."""
    if group[0].players < 2:
        return pl.DataFrame()
    frame = in_order(stack(group, outcomes.seat_wins), group, "seat")
    return with_seat_names(frame, group).with_columns(pl.lit(1 / group[0].players).alias("expected"))


def wins_table(frame: pl.DataFrame, group: Group) -> ReportTable | None:
    """Return the share of wins by seat, with who played it; see `win_frame`."""
    if frame.is_empty():
        return None
    rows = [
        [f"Seat {r['seat']}", r["run"], rate(r["rate"], r["low"], r["high"]), signed(r["k"], 1), integer(r["n"])]
        for r in frame.to_dicts()
    ]
    notes = frame["policy"].to_list()
    head = ["Seat", "Run", "Wins (95 % interval)", "Won", "n"]
    return without_run(group, ReportTable("seat_wins", "Wins", head, rows, "llrrr", frame.drop("name"), notes))


def wins_picture(frame: pl.DataFrame) -> Picture | None:
    """Return the share of wins by seat; see `win_frame`."""
    if frame.is_empty():
        return None
    return Picture(
        "seat_wins",
        "Wins by seat",
        "Share of games won; a shared win counts in equal parts. Seats count from 0; who starts is random.",
        "Share of wins by seat. " + spoken(frame, "name", "rate", rate),
        frame.drop("name"),
        one_axes(partial(draw_wins, category="name"), frame, "name"),
    )


def thresholds(source: Source, distribution: pl.DataFrame) -> list[Threshold]:
    """Return the thresholds of a run's objectives, equal ones together, with the share that reaches each."""
    names: dict[int, list[str]] = {}
    for objective in source.objectives:
        if objective.score:
            names.setdefault(objective.score, []).append(objective.name)
    found = []
    for score, of_score in names.items():
        k = float(distribution.filter(pl.col("score") >= score)["k"].sum())
        low, high = wilson(k, source.games)
        reached = rate(k / source.games, float(low), float(high))
        found.append(Threshold(score, source.words.score, reached, ", ".join(of_score)))
    return found


def distribution(group: Group) -> Picture | None:
    """Return the distribution of scores with the thresholds of objectives."""
    played = [source for source in group if source.games]
    if not played:
        return None
    words, score = group[0].words, group[0].metrics.score
    frame = stack(played, outcomes.score_distribution)
    said = []
    marked = [each.score for source in played for each in source.objectives if each.score]
    span = (min([*frame["score"], *marked]), max([*frame["score"], *marked]))
    lines_of = [thresholds(source, frame.filter(pl.col("run") == source.label)) for source in played]

    def draw(own: pl.DataFrame, ax: Axes, i: int) -> None:
        lines = lines_of[i]
        width = step(played[i].games)
        draw_histogram(outcomes.binned(own, width), ax, lines, i, span, width)
        ax.set_title(wrap(played[i].label, RUN_WIDTH))
        n, average, low, high = outcomes.score_mean(played[i].tables)
        # the same number as the total of the sources; players of one game are one value there too
        bounds = (low, high) if n >= ENOUGH else (float("nan"), float("nan"))
        text = f"mean {mean(average, *bounds)}, median {signed(median(own))}, n = {integer(n)}"
        ax.set_xlabel(f"{words.score}{'' if width == 1 else f' in steps of {width}'} ({text})")
        reached = (f"{line.score}+ {line.unit} ({line.names}) in {line.reached}" for line in lines)
        said.append("; ".join([f"{played[i].label}: {text}", *reached]))

    figure = panels(frame, draw, max(map(height, lines_of)), share_x=True)
    lines = (
        f" Dashed lines are the {words.objectives}' thresholds; a {words.objective} may require more than "
        f"{words.score}."
    )
    return Picture(
        "score_distribution",
        f"Distribution of {score}",
        f"Share of games with each final number of {words.score}; bars end at the estimate, thin lines are "
        "95 % intervals." + (lines if marked else "") + pooled(group),
        f"Histograms of final {words.score}. " + ". ".join(said) + ".",
        frame,
        figure,
    )


def step(n: int) -> int:
    """Return the width of a bar: few games in narrow bars would show nothing but their intervals."""
    return 1 if n >= 1000 else 2 if n >= 300 else 5


def median(counts: pl.DataFrame) -> float:
    """Return the median of a distribution given as score and k of n."""
    return float(counts["score"].filter(counts["k"].cast(pl.Float64).cum_sum() >= counts["n"][0] / 2 - 1e-9)[0])


def seats(group: Group) -> Picture | None:
    """Return scores by seat; only with several players."""
    if group[0].players < 2:
        return None
    unit = group[0].words.score
    frame = with_seat_names(in_order(stack(group, outcomes.score_summary), group, "seat"), group)
    return Picture(
        "seat_score",
        f"{group[0].metrics.score.capitalize()} by seat",
        f"Final {unit} of each seat: the mean with its 95 % interval, the middle half and the middle 80 %.",
        f"{unit} by seat. " + spoken(reliable(frame), "name", "mean", mean),
        frame.drop("name"),
        one_axes(partial(draw_spread, unit=unit), reliable(frame), "name"),
    )


def sources(group: Group) -> Picture | None:
    """Return where scores come from; nothing of a game whose score has no parts."""
    played = [source for source in group if source.games]
    metrics, unit = group[0].metrics, group[0].words.score
    if not played or not metrics.score_parts:
        return None
    frame = stack_runs(played, lambda source: outcomes.score_sources(source.tables, metrics.sources))
    frame = frame.with_row_index("place").with_columns(pl.col("place").min().over("source"))
    frame = in_order(frame, played, "place").drop("place")
    notes = [f"Mean {unit} from each source.", metrics.about_parts, few_games(frame)]
    return Picture(
        "score_sources",
        f"Sources of {metrics.score}",
        " ".join(filter(None, notes)) + pooled(group),
        f"Mean {unit} by source. " + spoken(reliable(frame), "source", "mean", mean),
        frame,
        one_axes(partial(draw_means, column="source", label=f"mean {unit}, 95 % interval"), reliable(frame), "source"),
    )


def few_games(frame: pl.DataFrame) -> str:
    """Say that some means have no interval, if so."""
    few = (frame["n"] < ENOUGH).any()
    return f"Below n = {ENOUGH} n is too small for an interval; the CSV file has a rough one." if few else ""

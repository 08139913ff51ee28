"""Goals: what they give, who scores them, and what it is worth to have drawn one.

Who draws a goal keeps the one that fits (the policy chooses), so its value to the drawer is that of a choice and not
that of any goal.
"""

from collections.abc import Iterable, Sequence
from functools import partial

import polars as pl
from matplotlib.axes import Axes

from nfsim.report import theme
from nfsim.report.charts.differences import draw_differences
from nfsim.report.charts.means import draw_amounts
from nfsim.report.charts.rates import OF_GAMES, draw_rates
from nfsim.report.charts.rows import RUN_WIDTH, lines_of, span, wrap
from nfsim.report.charts.stacked import draw_values
from nfsim.report.formatting import change, integer, mean, percent, points, rate
from nfsim.report.page import Part
from nfsim.report.parts.results import few_games
from nfsim.report.parts.seats import estimate, mixed_note, of_run, results, with_games
from nfsim.report.picture import Group, Picture, in_order, one_axes, panels, pooled, spoken, stack
from nfsim.report.tables import ReportTable, without_run
from nfsim.stats.equality import with_mean_test
from nfsim.stats.frames import Tables, blocks, label, moments, players, sums
from nfsim.stats.frames import results as in_games
from nfsim.stats.intervals import ENOUGH, reliable, with_mean_bounds, with_rates, within_sign
from nfsim.stats.many import with_adjusted

DRAWER, OTHERS = "Drawer", "Others"
ALL_GOALS = "All goals"
STEPS = (0, 2, 3, 5)  # highest VPs of each colour; more has the last one
CHOSEN = (
    "Who draws goals keeps the one that fits best, and spends an action on it: the numbers hold for the goals that the "
    "policies chose to keep, not for any goal, and seats that draw differ from those that do something else."
)


def part(group: Group) -> Part:
    """Return the part about what goals give."""
    drawn = [picture for picture in (means(group), steps(group)) if picture is not None]
    return Part("Goals", pictures=drawn)


def goal_points(tables: Tables) -> pl.DataFrame:
    """Return the VPs each goal gave a player when it was in play: goal, n (games), mean, sd, low, high."""
    found, several = [], players(tables) > 1
    for block in blocks(tables):
        goals = block["goals"].select("game", "goal", pl.col("score").cast(pl.Float64))
        if several:
            goals = goals.group_by("goal", "game").agg(pl.col("score").mean())
        found.append(goals.group_by("goal").agg(sums("score")).with_columns(label("goal")).collect(engine="streaming"))
    added = pl.concat(found).group_by("goal").sum().sort("goal")
    return within_sign(with_mean_bounds(added.select("goal", pl.col("score_n").alias("n"), *moments("score"))))


def goal_steps(tables: Tables) -> pl.DataFrame:
    """Return how often each goal in play gave each number of VPs.

    Returns
    -------
    DataFrame
        goal, score, n (games with the goal), k (games, a game counting by the share of its players), rate, low, high.
    """
    counts = (
        tables["goals"]
        .group_by(label("goal").alias("goal"), pl.col("score").cast(pl.Int64))
        .agg(in_games(players(tables)).alias("k"))
        .sort("goal", "score")
        .collect()
    )
    return with_rates(counts.with_columns(pl.col("k").sum().over("goal").round().cast(pl.Int64).alias("n")))


def means(group: Group) -> Picture | None:
    """Return the mean VPs per goal, best first."""
    frame = stack(group, goal_points)
    if frame.is_empty():
        return None
    worth = -pl.col("mean").mean().over("goal")
    frame = in_order(frame.with_columns(worth.alias("worth")), group, "worth", "goal").drop("worth")
    few = few_games(frame)
    label = "mean VPs when in play, 95 % interval"
    # a goal seen in a few games has an interval wider than the chart: its bounds are in the numbers
    draw = partial(draw_amounts, column="goal", label=label, write=partial(mean, decimals=2), room=1.3)
    return Picture(
        "goal_vp",
        "Victory points per goal",
        "Mean VPs a player scores for a goal in the games in which it is in play. The policies choose which goals "
        "come into play, so the means are selective: what a goal gave where it was chosen, not what it would give "
        f"in any game. {few}".rstrip()
        + pooled(group),
        "Mean VPs per goal in play. " + spoken(reliable(frame), "goal", "mean", partial(mean, decimals=2)),
        frame,
        one_axes(draw, reliable(frame), "goal"),
    )


def steps(group: Group) -> Picture | None:
    """Return which steps of the goals are reached, the best goal first."""
    frame = stack(group, goal_steps)
    if frame.is_empty():
        return None
    worth = -(pl.col("score") * pl.col("rate")).sum().over("goal")
    frame = frame.with_columns(worth.alias("worth"))
    frame = in_order(frame, group, "worth", "goal", "score", run_first=True).drop("worth")
    goal_order = frame["goal"].unique(maintain_order=True).to_list()
    values = sorted(frame["score"].unique().to_list())
    columns = min(2, frame["run"].n_unique())

    def draw(own: pl.DataFrame, ax: Axes, i: int) -> None:
        named = own.rename({"goal": "category", "score": "value"})
        draw_values(named, ax, goal_order, values, STEPS, "VPs", names=i % columns == 0)
        ax.set_title(wrap(own["run"][0], RUN_WIDTH // columns))
        ax.set_xlabel(f"percent of games\nn = {span(own['n'])}")

    row = max(0.3, 0.16 * max(lines_of(wrap(goal)) for goal in goal_order))
    figure = panels(frame, draw, 0.8 + row * len(goal_order), columns)
    with theme.style():
        figure.legend(
            *figure.axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=5, handlelength=1,
            columnspacing=1, fontsize=9,
        )  # fmt: skip
    drawn = frame.filter(pl.col("n") >= ENOUGH)
    few = "" if len(drawn) == len(frame) else f" Below n = {ENOUGH} only n is shown."
    widest = frame if drawn.is_empty() else drawn
    half = widest.select("n", half=(pl.col("high") - pl.col("low")) * 50).sort("half", descending=True).row(0)

    def share_only(share: float, _low: float, _high: float) -> str:
        return percent(share, 0)

    cases = drawn.with_columns(pl.format("{} {} VPs", "goal", "score").alias("case"))
    return Picture(
        "goal_steps",
        "Steps of the goals",
        "Share of games in which a goal in play gives each number of VPs, in percent, with 95 % "
        f"intervals of up to ±{half[1]:.1f} points, where n is {integer(half[0])}; the CSV file has each of them. Like "
        f"the means, the shares hold for games in which the policies chose the goal.{few}" + pooled(group),
        "Share of games by VPs of each goal. " + spoken(cases, "case", "rate", share_only),
        frame,
        figure,
    )


def rows_of(tables: Tables) -> pl.LazyFrame:
    """Return the goals that a seat drew: game, seat, goal (as stored), vp, scored (at least 1 VP), drew."""
    vp = pl.col("score").cast(pl.Float64)
    return tables["goals"].filter(pl.col("drawn_by") >= 0).select(
        "game", "seat", "goal", vp, (pl.col("score") > 0).cast(pl.Float64).alias("scored"),
        (pl.col("seat") == pl.col("drawn_by")).alias("drew"),
    )  # fmt: skip


def scored_by(tables: Tables) -> pl.DataFrame:
    """Return how often the drawer and the other seats score a goal, and their VPs for it.

    Returns
    -------
    DataFrame
        goal, who (Drawer, Others), n (games with the goal in play), k, rate, low, high (at least 1 VP; of the others
        the share of them, intervals are then on the wide side), vp, vp_low, vp_high (mean VPs, t interval).
    """
    who = pl.when("drew").then(pl.lit(DRAWER)).otherwise(pl.lit(OTHERS)).alias("who")
    return _scored((rows_of(block).with_columns(who) for block in blocks(tables)), "who")


def scored_by_policy(tables: Tables) -> pl.DataFrame:
    """Return the same by policy: goal, policy, n, …; a game counts by the mean over the policy's seats."""

    def named(block: Tables) -> pl.LazyFrame:
        return rows_of(block).join(results(block).select("game", "seat", "policy"), on=["game", "seat"])

    return _scored(map(named, blocks(tables)), "policy")


def _scored(blocks_of_rows: Iterable[pl.LazyFrame], who: str) -> pl.DataFrame:
    parts = [
        rows.group_by("goal", who, "game")
        .agg(pl.col("scored").mean(), pl.col("score").mean())
        .group_by("goal", who)
        .agg(pl.col("scored").sum().alias("k"), *sums("score"))
        .collect(engine="streaming")
        .with_columns(label("goal"), label(who))
        for rows in blocks_of_rows
    ]
    found = pl.concat(parts).group_by("goal", who).sum().sort("goal", who)
    bounds = with_mean_bounds(found.select("goal", who, "k", pl.col("score_n").alias("n"), *moments("score")))
    named = bounds.rename({"mean": "score", "low": "score_low", "high": "score_high"}).drop("sd")
    return with_rates(named).select("goal", who, "n", "k", "rate", "low", "high", "score", "score_low", "score_high")


def drawing_value(tables: Tables) -> pl.DataFrame:
    """Return what drawing a goal brings: paired within the game, drawer against the others.

    Returns
    -------
    DataFrame
        goal (`ALL_GOALS` in the first row: a game counts by the mean over its goals), n (games), vp, vp_low, vp_high
        (of the drawer for the goal), others, others_low, others_high (mean of the other seats), gain, gain_low,
        gain_high, gain_p, gain_p_adjusted: the first minus the second; edge, edge_low, edge_high, edge_p,
        edge_p_adjusted: the drawer's share of wins minus equal strength. Single goals by gain, highest first; adjusted
        p-values (Benjamini–Hochberg) allow for the number of goals, the row of all is not one of them.
    """
    values = ("score", "others", "gain", "edge")
    added = [expression for name in values for expression in sums(name)]
    totals, singles = [], []
    for block in blocks(tables):
        pairs = _pairs(block)
        games = pairs.lazy().group_by("game").agg(pl.col(name).mean() for name in values)
        totals.append(games.select(pl.lit(ALL_GOALS).alias("goal"), *added).collect(engine="streaming"))
        singles.append(pairs.group_by("goal").agg(added).with_columns(label("goal")))
    if all(single.is_empty() for single in singles):
        return pl.DataFrame()
    total, each = (_moments(parts, values) for parts in (totals, singles))
    frames = []
    for frame in (total, each):
        tested = frame
        for name in values:
            tested = with_mean_test(tested, name)
        for name in ("gain", "edge"):
            tested = with_adjusted(tested, f"{name}_p").rename({"p_adjusted": f"{name}_p_adjusted"})
        frames.append(tested.sort("gain", "goal", descending=[True, False]))
    return pl.concat(frames).select(
        "goal", "n", *(f"{name}{end}" for name in ("score", "others") for end in ("", "_low", "_high")),
        *(f"{name}{end}" for name in ("gain", "edge") for end in ("", "_low", "_high", "_p", "_p_adjusted")),
    )  # fmt: skip


def _pairs(tables: Tables) -> pl.DataFrame:
    """Return for each game and goal the VPs of its drawer and the mean of the others, and the drawer's edge."""
    vp, drew = pl.col("score"), pl.col("drew")
    own = (vp * drew).sum()
    edges = results(tables).select("game", "edge", drawer="seat")
    return (
        rows_of(tables)
        .group_by("game", "goal")
        .agg(
            own.alias("score"),
            ((vp.sum() - own) / (pl.len() - 1)).alias("others"),
            (pl.col("seat") * drew).sum().cast(pl.Int8).alias("drawer"),
        )
        .with_columns((vp - pl.col("others")).alias("gain"))
        .join(edges.with_columns(pl.col("drawer").cast(pl.Int8)), on=["game", "drawer"])
        .collect(engine="streaming")
    )


def _moments(parts: Sequence[pl.DataFrame], values: Sequence[str]) -> pl.DataFrame:
    """Add blocks up: goal, n, and of each value the mean (by its name) and the standard deviation."""
    added = pl.concat(parts).group_by("goal").sum()
    found = [pl.col(f"{values[0]}_n").alias("n")]
    for name in values:
        mean, sd = moments(name)
        found += [mean.alias(name), sd.alias(f"{name}_sd")]
    return added.select("goal", *found)


def drawing_part(group: Group) -> Part:
    """Return the part about who scores goals, and what drawing them goes with."""
    title = "Drawing goals"
    frame = stack(with_games(group), drawing_value)
    if frame.is_empty():
        return Part(title)
    single = pl.col("goal") != ALL_GOALS
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
            one_axes(partial(draw_differences, write=write, unit="VPs"), drawn, "figure"),
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
    numbers = scored_by if who == "who" else scored_by_policy
    frame = stack(with_games(group), numbers)
    best = -pl.col("rate").mean().over("goal")
    frame = in_order(frame.with_columns(best.alias("best")), group, "best", "goal", who).drop("best")
    if len(group) > 1:
        rows = [
            [r["goal"], r["run"], r[who], rate(r["rate"], r["low"], r["high"]), integer(r["n"])]
            for r in frame.to_dicts()
        ]
        return ReportTable(
            name, title, ["Goal", "Run", "Who", "1 VP or more (95 % interval)", "n"], rows, "lllrr", frame
        )

    # who scores takes the place of the runs: they are told apart by colour and marker
    drawn = frame.drop("run").rename({who: "run"})
    return Picture(
        name,
        title,
        f"Share of games in which a goal in play gives at least 1 VP, by {by}. A game counts by the share of the seats "
        "meant; intervals of such shares are on the wide side.",
        f"{title}: at least 1 VP. {spoken(drawn, 'goal', 'rate', rate)}",
        frame,
        one_axes(partial(draw_rates, column="goal", label=OF_GAMES), drawn, "goal"),
    )

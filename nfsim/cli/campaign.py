"""`nfsim campaign`: the chance of a whole campaign, or of all of them in a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nfsim.cli.options import Game, Json, Patches, Settings, all_settings, options_of, path, whole_number

if TYPE_CHECKING:
    from nfsim.contract.objectives import Words
    from nfsim.contract.rule_set import RuleSet
    from nfsim.contract.series import SeriesRules
    from nfsim.studies.campaign.study import Found


def command(
    campaign: Annotated[
        str | None, typer.Argument(metavar="[N]", help="A campaign, for example 1, several as in 1,2, or all.")
    ] = None,
    rounds: Annotated[
        str | None,
        typer.Option(metavar="R", help="Lengths by their rounds, as in 10,12 [default: the shortest]."),
    ] = None,
    so_close: Annotated[
        bool, typer.Option("--so-close", help="With what mends a near miss, once in a campaign.")
    ] = False,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="All campaigns in order without a loss, with one chip for all.")
    ] = False,
    policy: Annotated[str, typer.Option(metavar="P", help="Who plays.")] = "planner",
    campaigns: Annotated[str, typer.Option(metavar="K", help="Campaigns (or all in a row) to play out.")] = "400",
    sample: Annotated[
        str | None,
        typer.Option(metavar="N", help="Games of each position that decide what to claim [default: 12,000 in all]."),
    ] = None,
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed; same seed: same rows.")] = "1",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads [default: all cores].")] = None,
    settings: Settings = None,
    patches: Patches = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Write tables, manifest and charts there.")] = None,
    game: Game = "new_frontiers",
    json: Json = False,
) -> None:
    """Play campaigns: games in a row, each won by claiming another of the campaign's objectives, in any order.

    First, games are played from every position (which objectives are open, is the chip there). From their outcomes
    the chance to win the remaining games is computed for every claim. Then whole campaigns are played out, and the
    claim with the best chance is made. The two chances come from different games and should agree within their
    intervals. A policy that plans aims at the objectives with the best chance; others play all games alike. Both
    chances hold for the policy, not for a person.

    For example:
      nfsim campaign 1
      nfsim campaign 1 --rounds 12 --so-close --campaigns 2000 --out runs/campaign1_long
      nfsim campaign all --rounds 10,12 --policy balanced --out runs/campaigns
      nfsim campaign 2 --set rules.profile=table --sample 1000
      nfsim campaign --gauntlet --rounds 12
    """
    from nfsim.cli.console import print_json, say
    from nfsim.contract.rule_set import load_rule_set
    from nfsim.studies.campaign.study import Wanted, read_asked, study_campaigns

    changes = all_settings(settings, patches)
    rule_set = load_rule_set(game, "--game", "")
    runs = whole_number("--campaigns", campaigns)
    assert runs is not None
    asked = read_asked(rule_set, campaign, rounds, policy, changes, chip=so_close, in_a_row=gauntlet)
    folder = path("--out", out) if out is not None else None
    wanted = Wanted(folder, runs, whole_number("--sample", sample))
    found = study_campaigns(asked, wanted, options_of(seed, jobs, quiet=json))
    files = [str(file) for file in found.files]
    if json:
        print_json({"ok": True, "exit_code": 0, "trials": found.numbers, "files": files})
        return
    for place, numbers in enumerate(found.numbers):
        if place:
            say()
        _print(numbers, found.rules, rule_set)
    if folder is not None:
        _print_places(found)


def _print_places(found: Found) -> None:
    from nfsim.cli.console import say

    say()
    say(f"Tables and manifest: {', '.join(map(str, found.folders))}")
    if found.files:
        say(f"Files: {', '.join(map(str, found.files))}")


def differing(found: Mapping[str, Any], rulings: Sequence[Any]) -> list[str]:
    """Return the rulings in force that are not the defaults."""
    defaults = {ruling.switch: ruling for ruling in rulings}
    return [
        f"{defaults[switch].cite} {switch} = {choice} (default: {defaults[switch].seed})"
        for switch, choice in found["rulings"].items()
        if switch in defaults and defaults[switch].seed != choice
    ]


def _print(found: Mapping[str, Any], rules: SeriesRules, rule_set: RuleSet) -> None:
    """Print one series: its chance twice, its objectives, where it fails, the chip."""
    from nfsim.cli.console import print_table, say
    from nfsim.cli.summary import record_lines
    from nfsim.report import formatting

    played, computed = found["played"], found["computed"]
    for sentence in campaign_answer(found, rule_set.words):
        say(sentence)
    say()
    changes = f" ({', '.join(found['changes'])})" if found["changes"] else ""
    say(f"{found['title']}{changes}: {found['policies'][0]}, seed {found['seed']}", style="bold")
    differ = differing(found, rule_set.rulings)
    say(f"Rulings: {'; '.join(differ) if differ else 'all at their defaults'}")
    for line in [*record_lines(found), found["tiles"]["share"]["text"]]:
        say(line)
    for status, count in found["statuses"].items():
        if status != "finished":
            say(f"Ended by a game not finished by the rules ({status}), counted as lost: {formatting.integer(count)}")
    say()
    rows = [
        ["by playing out", formatting.rate(played["rate"], played["low"], played["high"]),
         f"{formatting.integer(played['n'])} {'series' if found['gauntlet'] else 'campaigns'}"],
        ["computed", formatting.rate(computed["chance"], computed["low"], computed["high"]),
         f"{formatting.integer(computed['n'])} games, and as many to decide what to claim"],
    ]  # fmt: skip
    print_table(["everything won", "chance (95 % interval)", "n"], rows, right=[1])
    say()
    if found["gauntlet"]:
        _print_each(found)
    _print_objectives(found, rule_set.words)
    _print_ends(found, rules)


def campaign_answer(found: Mapping[str, Any], words: Words) -> list[str]:
    """Return how likely the whole is, and which objective to claim first, in plain sentences."""
    from nfsim.report.formatting import integer, percent, rate
    from nfsim.studies.campaign.numbers import order_to_try

    played, who = found["played"], found["policies"][0]
    what = "all campaigns in a row" if found["gauntlet"] else "campaign"
    text = [
        f"{who} wins {rate(played['rate'], played['low'], played['high'])} of {integer(played['n'])} tries at "
        f"{what if found['gauntlet'] else f'the whole {what}'}."
    ]
    order = order_to_try(found)
    if len(order) > 1 and len({chance for _, chance in order[:-1]}) > 1:
        names = [name for name, _ in order]
        text.append(
            f"Claim first: {names[0]}, if a game allows it; then {', '.join(names[1:])}. After {names[0]} the other "
            f"games are won in {percent(order[0][1])}."
        )
    text.append(f"This holds for {who}: a stronger player wins more, and in each game claims what it can.")
    return text


def _print_each(found: Mapping[str, Any]) -> None:
    from nfsim.cli.console import print_table, say
    from nfsim.report import formatting

    computed = {
        (each["campaign"], each["chip"]): formatting.rate(each["chance"], each["low"], each["high"])
        for each in found["computed_by_campaign"]
    }
    rows = [
        [str(each["campaign"]), formatting.integer(each["n"]),
         formatting.rate(each["rate"], each["low"], each["high"]) if each["n"] else "–",
         *(computed.get((each["campaign"], chip), "–") for chip in (True, False))]
        for each in found["by_campaign"]
    ]  # fmt: skip
    heads = ["campaign", "begun", "won", "computed with the chip", "without it"]
    print_table(heads, rows, title="Each campaign by itself (95 % intervals)", right=[1, 2, 3, 4])
    say()


def _print_objectives(found: Mapping[str, Any], words: Words) -> None:
    from nfsim.cli.console import print_table
    from nfsim.report import formatting

    size = {each["campaign"]: 0 for each in found["objectives"]}
    for each in found["objectives"]:
        size[each["campaign"]] += 1
    before, games = {}, 0
    for campaign, count in size.items():
        before[campaign], games = games, games + count
    rows = []
    for each in found["objectives"]:
        if each["games"] == 0:
            continue  # a campaign that no run came to
        own = range(before[each["campaign"]], before[each["campaign"]] + size[each["campaign"]])
        name = f"{each['campaign']} {each['objective']}" if len(size) > 1 else each["objective"]
        rows.append([
            name,
            "–" if each["aimed"] is None else formatting.integer(each["aimed"]),
            formatting.integer(each["claimed"]),
            " ".join(str(each["claimed_in_game"].get(str(game), 0)) for game in own),
            formatting.integer(each["with_chip"]),
            f"{formatting.integer(each['left_open'])} of {formatting.integer(each['lost'])}",
        ])  # fmt: skip
    heads = [words.objective, "aimed at", "claimed", "as 1st, 2nd …", "with the chip", "open in lost campaigns"]
    print_table(
        heads, rows, title=f"Games in which each {words.objective} was aimed at and claimed", right=[1, 2, 3, 4, 5]
    )


def _print_ends(found: Mapping[str, Any], rules: SeriesRules) -> None:
    from nfsim.cli.console import say
    from nfsim.report import formatting

    lost: Mapping[str, int] = found["lost_in_game"]
    if lost:
        listed = ", ".join(f"{formatting.integer(count)} in game {int(game) + 1}" for game, count in _by_number(lost))
        say(f"Lost: {listed}.")
    if found["so_close"]:
        spent = [f"{found['chip'].get(side, 0)} times as {words}" for side, words in rules.sides.items()]
        say(f"{rules.chip_name} spent: {', '.join(spent)}.")


def _by_number(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: int(item[0]))

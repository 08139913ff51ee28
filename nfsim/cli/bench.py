"""`nfsim bench`: speed, memory and size on this machine, and whether they have become worse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import Json, path, whole_number

if TYPE_CHECKING:
    from nfsim.run.bench.figures import Compared


def command(
    games: Annotated[
        str | None, typer.Option(metavar="N", help="Games per case [default: about a second of play].")
    ] = None,
    repeat: Annotated[str, typer.Option(metavar="N", help="Tries per case; the middle one counts.")] = "5",
    only: Annotated[str, typer.Option(metavar="TEXT", help="Only cases whose name contains this.")] = "",
    against: Annotated[str | None, typer.Option(metavar="FILE", help="Figures kept earlier, to compare with.")] = None,
    keep: Annotated[str | None, typer.Option(metavar="FILE", help="Keep the figures in this file.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Exit with 1 if a case has become worse.")] = False,
    cold: Annotated[bool, typer.Option("--cold", help="Also compile everything anew, which takes minutes.")] = False,
    json: Json = False,
) -> None:
    """Measure speed, memory and size, and say which case has become worse than in a file of figures.

    Cases: solo with 12 rounds and 4 players, each with two policies and with --log games and --log rounds, written to
    Parquet; rollouts of a search; a start of the command; two threads and two processes against one; a run of
    1,000,000 solo games and a report over it. Speeds are per CPU-second and are compared as ratios to a fixed loop that
    runs before, between and after the tries: a slower or busier machine slows both down, slower source only the case.

    For example:
      nfsim bench
      nfsim bench --only "4 players" --repeat 9
      nfsim bench --keep before.json
      nfsim bench --against before.json --check
    """
    from nfsim.cli.console import console, note, print_json, say
    from nfsim.cli.progress import say_compiling
    from nfsim.compiled import jit
    from nfsim.errors import BadInput
    from nfsim.run.bench import figures
    from nfsim.run.bench.cases import GAME, cases
    from nfsim.run.worker_pool import COMPILE_SECONDS

    count, tries = whole_number("--games", games), whole_number("--repeat", repeat)
    assert tries is not None
    if not 1 <= tries <= 100:
        raise BadInput("--repeat", "", f"must be from 1 to 100, not {tries}")
    if count is not None and not 1 <= count <= 10**9:
        raise BadInput("--games", "", f"must be from 1 to 1000000000, not {count}")
    if check and against is None:
        raise BadInput("--check", "", "needs figures to compare with", "for example --against bench.json")
    wanted = [case for case in cases(count, cold=cold) if only.casefold() in case.name.casefold()]
    if not wanted:
        raise BadInput("--only", "", f'no case contains "{only[:40]}"', f"for example {next(cases(count)).name}")
    target = None if keep is None else path("--keep", keep)
    kept_on, kept = ({}, []) if against is None else figures.read(path("--against", against))
    about = figures.machine()  # before the work begins, which would be counted as load
    if not jit.is_warm(GAME):
        say_compiling(COMPILE_SECONDS)
    found: list[Compared] = []
    for case in wanted:
        if console(stderr=True).is_terminal:
            note(f"measuring: {case.name}")
        found.append(figures.compare(figures.measured(case, tries), kept))
        if target is not None:  # each time, so that Ctrl-C loses one case at most
            figures.keep(target, [each.figure for each in found], about)
    fell = [each for each in found if each.problems]
    code = 1 if check and fell else 0
    if json:
        lines = [{**each.figure, "kept": each.kept, "ratio": each.ratio, "verdict": each.verdict} for each in found]
        worse = [each.figure["case"] for each in fell]
        print_json({"ok": code == 0, "exit_code": code, "machine": about, "against": kept_on, "worse": worse,
                    "cases": lines})  # fmt: skip
    else:
        _print(found, against is not None)
        if against is not None:
            what = "; ".join(f"{each.figure['case']}: {each.verdict}" for each in fell)
            say(f"Worse than {against}: {what}." if fell else f"Nothing is worse than in {against}.")
    raise typer.Exit(code)


def _print(found: list[Compared], compared: bool) -> None:
    from nfsim.cli.console import print_table

    columns = ["case", "now", "unit", "of the loop", "peak memory", "bytes a game"]
    columns += ["kept", "ratio", "verdict"] if compared else []
    rows = []
    for each in found:
        now, kept = each.figure, each.kept
        rows.append([
            str(now["case"]), _number(now["value"]), str(now["unit"]), _number(now["relative"]),
            f"{now['peak_mb']:,.0f} MB", _number(now["bytes_per_game"]) if "bytes_per_game" in now else "",
        ])  # fmt: skip
        if compared:
            before = ["", ""] if kept is None or each.ratio is None else [_number(kept["value"]), f"{each.ratio:.2f}"]
            rows[-1] += [*before, each.verdict]
    print_table(columns, rows, right=[1, 3, 4, 5, 6, 7])


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:,.4g}"

"""Runs to be killed: the dice, slowly, on threads or in worker processes; run as a program, it plays one."""

import contextlib
import dataclasses
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import fake_rules
import psutil
from polars.testing import assert_frame_equal

import nfsim
from nfsim.contract import rule_set
from nfsim.log.verify import verify_run
from nfsim.run.execute import run
from nfsim.run.scenario import scenario_from

HERE = Path(__file__).parent
TIMES = ("started", "wall_seconds", "cpu_seconds", "threads", "digest")  # of a manifest: no two runs share them


class Slow(fake_rules.Engine):
    def play(self, root, first, count):
        time.sleep(0.02)
        return super().play(root, first, count)


class Dies(fake_rules.Engine):
    """Ends every worker process that has it play."""

    def play(self, root, first, count):
        if multiprocessing.current_process().name != "MainProcess":
            os._exit(9)
        return super().play(root, first, count)


def in_python(spec, origin, base):
    """A policy as if it were written in Python: it plays in worker processes, in small chunks."""
    return dataclasses.replace(fake_rules.policy(spec, origin, base), compiled=False, slow=True)


def dice(kind, engine=fake_rules.Engine):
    """The scenario that is killed: "threads" has 8 chunks, "processes" 12."""
    rules = fake_rules.RULE_SET if kind == "threads" else dataclasses.replace(fake_rules.RULE_SET, policy=in_python)
    rule_set.register(dataclasses.replace(rules, engine=engine))
    games = 80_000 if kind == "threads" else 12_000
    data = {"game": "fake", "games": games, "policy": "roll", "setup": {"seats": 2, "rounds": 2}}
    return scenario_from(data, "test", "dice")


def start(kind, out, jobs=2):
    """Start a run in a process of its own."""
    command = [sys.executable, str(HERE / "killing.py"), kind, str(out), str(jobs)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent)])}
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)


def workers(process):
    """The worker processes of a run."""
    try:
        children = psutil.Process(process.pid).children(recursive=True)
        return [child for child in children if "LokyProcess" in " ".join(child.cmdline())]
    except psutil.Error:
        return []


def kill_worker(process, random, most):
    """Kill a worker of a run at a random moment of the next `most` seconds; False if the run has ended before."""
    time.sleep(random.uniform(0.0, most))
    while process.poll() is None:
        found = workers(process)
        with contextlib.suppress(psutil.NoSuchProcess):
            if found:
                random.choice(found).kill()
                return True
        time.sleep(0.01)
    return False


def wait_for(what, process, seconds=60.0):
    """Wait until something is there, as long as the process runs."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        found = what()
        if found:
            return found
        time.sleep(0.005)
    raise AssertionError(f"not there: exit code {process.poll()}, {process.stderr.read() if process.stderr else ''}")


def differences(out, whole):
    """Say where a run that was disturbed is not what an undisturbed one is: files, rows, manifest; '' if nowhere."""
    findings = verify_run(Path(out)).findings
    if findings:
        return f"{findings[0].file}: {findings[0].problem}"
    one, two = nfsim.load(out), nfsim.load(whole)
    if list(one) != list(two):
        return f"tables {list(one)}"
    for name in one:
        try:
            assert_frame_equal(one[name].collect(), two[name].collect(), check_row_order=True)
        except AssertionError as error:
            return f"{name}: {error}"
    first, second = (manifest(folder) for folder in (out, whole))
    return "".join(f"manifest: {key} " for key in first if first[key] != second[key])


def manifest(folder):
    """What a manifest says, apart from times."""
    found = json.loads(Path(folder, "manifest.json").read_text("utf-8"))
    for chunk in found["chunks"]:
        del chunk["cpu_seconds"]
    return {key: value for key, value in found.items() if key not in TIMES}


def kill(process):
    """End a process as nobody can prevent."""
    process.send_signal(signal.SIGKILL)
    process.wait()


if __name__ == "__main__":
    import killing  # workers know its classes under this name

    run(killing.dice(sys.argv[1], killing.Slow), sys.argv[2], jobs=int(sys.argv[3]))

"""docs/cluster.md: its scripts and its manifest say what the installed Dask knows, and the job script does its job."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from nfsim.log.read import load

pytest.importorskip("distributed", reason="the extra cluster is not installed")

TEXT = (Path(__file__).parent.parent / "docs" / "cluster.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.DOTALL)
JOB = next(text for kind, text in BLOCKS if kind == "sh" and "#SBATCH" in text)
SRUN = """#!/bin/bash
# srun on the only node of a job: without its own options, the command
while [[ $1 == -* ]]; do shift; done
exec "$@"
"""


def test_dask_knows_every_command_that_is_named() -> None:
    known = {point.name for point in entry_points(group="dask_cli")}
    code = "\n".join(re.sub(r"\s# .*", "", text) for _, text in BLOCKS)
    named = set(re.findall(r"\bdask,? ([a-z]+)", code))
    assert {"scheduler", "worker"} <= named <= known
    assert not re.findall(r"\bdask-(?:worker|scheduler)\b", code)  # commands of older releases


def test_the_manifest_names_its_ports_and_volumes_once() -> None:
    yaml = pytest.importorskip("yaml", reason="the extra cluster, which brings it, is not installed")
    spec = yaml.safe_load(next(text for kind, text in BLOCKS if kind == "yaml"))["spec"]
    worker, scheduler = (spec[part]["spec"]["containers"][0] for part in ("worker", "scheduler"))
    ports = {port["name"]: port["containerPort"] for port in scheduler["ports"]}
    assert {port["targetPort"]: port["port"] for port in spec["scheduler"]["service"]["ports"]} == ports
    assert scheduler["readinessProbe"]["httpGet"]["port"] in ports
    volumes = {volume["name"] for volume in spec["worker"]["spec"]["volumes"]}
    assert {mount["name"] for mount in worker["volumeMounts"]} == volumes
    assert all(type(word) is str for container in (worker, scheduler) for word in container["args"])


@pytest.mark.soak
def test_the_job_script_plays_its_run_and_leaves_no_process(tmp_path: Path) -> None:
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "srun").write_text(SRUN)
    (commands / "srun").chmod(0o755)
    (commands / "activate").write_text("")  # the environment is this one
    script = JOB
    for there, here in (
        ("/shared/nfsim/.venv/bin/activate", str(commands / "activate")),
        ("--games 1000000000", "--games 500"),
        ("/shared/runs/billion", str(tmp_path / "run")),
    ):
        assert there in script
        script = script.replace(there, here)
    path = os.pathsep.join((str(commands), str(Path(sys.executable).parent), os.environ["PATH"]))
    job = subprocess.Popen(
        ["bash", "-c", script],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path, start_new_session=True, text=True,
        env=os.environ | {"PATH": path, "SLURM_JOB_ID": "1", "SLURM_CPUS_PER_TASK": "1", "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    try:
        said, _ = job.communicate(timeout=120)  # until the last process that holds the output has ended
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(job.pid, signal.SIGKILL)
    assert job.returncode == 0, said
    assert load(tmp_path / "run")["games"].collect().height == 500

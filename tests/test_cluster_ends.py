"""A time limit ends scheduler, workers and nfsim at once: what the terminal then shows is one sentence of nfsim."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from dask_here import Dask

from nfsim.run.progress import GOES_ON

pytest.importorskip("distributed", reason="the extra cluster is not installed")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "seconds", [pytest.param(0, id="together"), pytest.param(0.1, id="nfsim while it closes", marks=pytest.mark.soak)]
)
def test_scheduler_and_nfsim_that_are_told_to_end_leave_one_sentence(tmp_path: Path, seconds: float) -> None:
    dask = Dask(tmp_path)
    line = [sys.executable, "-m", "nfsim", "run", "solo_campaign1_short", "--games", "50000000", "--policy", "uniform"]
    line += ["--backend", "dask", "--scheduler", str(dask.file), "--out", str(tmp_path / "run")]
    try:
        dask.add_worker()
        dask.wait_for(1)
        asking = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob("run/chunks/*.json")) and time.monotonic() < deadline:
            time.sleep(0.05)
        dask.scheduler.terminate()
        time.sleep(seconds)
        asking.terminate()
        said, _ = asking.communicate(timeout=60)
    finally:
        dask.end()
    assert said.startswith("nfsim: ")
    assert GOES_ON in said
    assert len(said.splitlines()) == 1

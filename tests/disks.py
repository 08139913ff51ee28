"""Small disks that can be full or read-only: real ones, in memory; where none can be mounted the test is skipped."""

import contextlib
import shutil
import subprocess

import pytest


def mounted(folder, *options):
    """Mount a disk, or mount it anew with other options; skip the test if that is not possible."""
    if shutil.which("mount") is None:
        pytest.skip("no disk can be mounted here: there is no mount")
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["mount", *options, "tmpfs", str(folder)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")


@contextlib.contextmanager
def disk(folder, size):
    """Give a disk of a size, for example ``160k``."""
    mounted(folder, "-t", "tmpfs", "-o", f"size={size}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def enlarge(folder, size="20m"):
    """Make room on a disk."""
    mounted(folder, "-o", f"remount,size={size}")

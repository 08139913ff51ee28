"""What is said of long work that ended early."""

import errno
import io
import sys

import pytest

import nfsim.cli
from nfsim.errors import BadInput
from nfsim.run.progress import Stopped, keeping


def count_of(error):
    def kept():
        if isinstance(error, Exception):
            raise error
        return error

    return kept


@pytest.mark.parametrize(
    ("kept", "words"), [(7, "7 of 10 games are kept in out"), (0, "0 of 10 games are kept in out")]
)
def test_what_is_kept_is_counted(kept, words):
    with pytest.raises(Stopped, match=words), keeping("out", count_of(kept), 10):
        raise KeyboardInterrupt


@pytest.mark.parametrize("error", [BadInput("--out", "", "s3://x cannot be read"), OSError(errno.EIO, "broken")])
def test_where_nobody_can_count_any_more_the_reason_is_not_lost(error):
    with pytest.raises(Stopped) as stop, keeping("out", count_of(error), 10):
        raise KeyboardInterrupt
    assert str(stop.value) == "interrupted: what is complete is kept in out; the same command goes on from there"
    assert (stop.value.exit_code, stop.value.kept) == (130, None)


class Full(io.StringIO):
    """A file on a disk that is full."""

    def flush(self):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_an_output_that_cannot_be_written_is_one_sentence_also_where_a_command_ends_itself(monkeypatch, capsys):
    def ends(*_, **__):
        raise SystemExit(0)

    monkeypatch.setattr(nfsim.cli, "build_app", lambda _: ends)
    monkeypatch.setattr(nfsim.cli, "open_streams", lambda: None)
    monkeypatch.setattr(nfsim.cli, "drop_output", lambda: None)
    monkeypatch.setattr(sys, "stdout", Full())
    assert nfsim.cli.main(["play"]) == 1
    assert "No space left on device" in capsys.readouterr().err

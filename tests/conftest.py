"""What several test files use."""

from collections.abc import Callable

import pytest

import nfsim.cli
import nfsim.cli.console


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process; return exit code, standard output and standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        # consoles remember whether their stream is a terminal
        nfsim.cli.console._console.cache_clear()
        code = nfsim.cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call

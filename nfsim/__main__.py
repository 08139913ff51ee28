"""The command ``nfsim``, which is also ``python -m nfsim``."""

import os
import signal
import sys


def _stop_at_once(number: int, frame: object) -> None:
    """End while modules are imported: nothing has to be kept yet, and an import broken off leaves a traceback."""
    if "--json" in sys.argv:
        os.write(1, b'{"ok": false, "error": "interrupted", "exit_code": 130}\n')
    os.write(2, b"nfsim: interrupted\n")
    os._exit(130)


def main() -> int:
    """Run the command; Ctrl-C ends it in one sentence from the first moment on, and silently after its last word."""
    if signal.getsignal(signal.SIGINT) != signal.default_int_handler:  # a shell wants it ignored
        return _command()
    signal.signal(signal.SIGINT, _stop_at_once)
    try:
        return _command()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _command() -> int:
    from nfsim.cli import main as command

    if signal.getsignal(signal.SIGINT) == _stop_at_once:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return command()


if __name__ == "__main__":
    sys.exit(main())

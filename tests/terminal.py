"""A real pseudo-terminal, 100 columns wide, with `nfsim` running in it."""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

PROMPT = re.compile(r"0-\d+ or \? > $")
PATIENCE = 300.0  # seconds: the rules may have to be compiled first
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """Runs `nfsim play` with the arguments given; `first` is what it prints up to the first prompt."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._mine, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
        root = str(Path(__file__).parents[1])
        environment = {**os.environ, "TERM": "xterm", "PYTHONPATH": root}
        for name in ("NO_COLOR", "COLUMNS", "LINES"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nfsim", "play", *arguments],
            cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(theirs)
        self.raw = ""
        self.first = self._read()

    def ask(self, line: str) -> str:
        """Type a line; return the text up to the next prompt, or to the end of the program."""
        self.press(f"{line}\n")
        return self._read()

    def press(self, keys: str) -> None:
        """Type keys as they are: "\\x03" is Ctrl-C, "\\x04" Ctrl-D."""
        os.write(self._mine, keys.encode())

    def end(self) -> tuple[int, str]:
        """Return the exit code and the last text."""
        text = self._read(prompt=False)
        return self.process.wait(30), text

    def hang_up(self) -> None:
        """Close the terminal, and wait for the program to notice."""
        os.close(self._mine)
        self._mine = -1
        self.process.wait(30)

    def close(self) -> None:
        """End the program if it still runs."""
        self.process.kill()
        self.process.wait()
        if self._mine >= 0:
            os.close(self._mine)

    def _read(self, prompt: bool = True) -> str:
        text, until = "", time.monotonic() + PATIENCE
        decoder = codecs.getincrementaldecoder("utf-8")()
        while time.monotonic() < until:
            if not select.select([self._mine], [], [], 1.0)[0]:
                continue
            try:
                found = os.read(self._mine, 65536)
            except OSError:  # the program has ended, and the other side is closed
                break
            if not found:
                break
            text += decoder.decode(found)
            if prompt and PROMPT.search(CONTROL.sub("", text)):
                break
        self.raw += text
        return CONTROL.sub("", text).replace("\r\n", "\n")

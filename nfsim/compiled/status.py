"""How a game ended, as every rule set reports it."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """State of one game; everything except RUNNING and FINISHED is a game that is counted but not trusted."""

    RUNNING = 0  # a seat still has to decide
    FINISHED = 1  # ended by the rules
    ROUND_LIMIT = 2  # stopped by a safety limit on rounds that the rules do not know
    LOG_FULL = 3  # a log buffer was too small: rows are missing
    OPTIONS_FULL = 4  # more legal options than the buffer holds: a choice was hidden
    BROKEN_RULE = 5  # the engine met a position that the rules exclude
    DECISION_LIMIT = 6  # a round took more decisions than any real one does: a loop

    @property
    def label(self) -> str:
        """Lower-case name, as it stands in the log and in manifests."""
        return self.name.lower()


STATUS_LABELS: tuple[str, ...] = tuple(status.label for status in Status)
"""Labels in the order of the numbers: ``STATUS_LABELS[Status.FINISHED] == "finished"``."""

"""Shared building blocks: compilation, randomness, statuses, table columns. Knows no game."""

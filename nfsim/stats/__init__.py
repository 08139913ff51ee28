"""Statistics of logged runs: intervals and the quantities that reports show.

Nothing here knows a game's rules; it reads the tables that a run wrote and gives small frames.
"""

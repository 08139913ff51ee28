"""What every rule set must keep, whatever its rules: a game is named in `games.py` and put through all of it."""

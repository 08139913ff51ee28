"""The plain-Python twin: a second, slow and obvious implementation of the rules of New Frontiers.

It shares no code with the engine. It reads the tile files itself, is fed the engine's random
outcomes and choices in words, and works out on its own who decides what, among which options, and
the whole position. Start reading at `game.py` (setup, rounds, dummies, end), then `actions.py`
(one method per action tile), `seat.py` (what an empire can do), `score.py` and `tiles.py` (words
of the tile files). `compare.py` drives twin and engine in lockstep.
Citations: 000 p. N and 001 are the seeds, P the public summaries, R1, R2 … the numbered rulings.
"""

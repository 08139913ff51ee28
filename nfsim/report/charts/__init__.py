"""Charts by kind: each function draws the numbers of a small frame on matplotlib axes.

A frame's column `run` says which of the compared runs a row belongs to, in the order in which the
runs first appear. The charts know no files, no report and no game: what an axis counts is told them.
"""

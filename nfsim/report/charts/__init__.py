"""One chart a file: `draw(frame, ax) -> ax` draws the numbers of a small frame on matplotlib axes.

A frame's column `run` says which of the compared runs a row belongs to, in the order in which the
runs first appear. The charts know no files and no report.
"""

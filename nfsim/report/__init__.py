"""Reports of runs: charts, tables, and the page that holds them.

To add a chart, write one file in `charts/` with `draw(frame, ax) -> ax` and one figure in `figures.py`.
"""

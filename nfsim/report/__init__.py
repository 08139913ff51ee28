"""Reports of runs: charts, tables, parts that every game's reports can have, and the page that holds them.

What only one game has to show comes through its `nfsim.report.metrics.Metrics`.
"""

"""Parts of reports that rest on the columns every game has, question by question: numbers, words, tables and pictures.

`nfsim.report.build` puts them in order. A part is empty where the runs say nothing about its question. Words and units
come from the game: `Source.words` and `Source.metrics`.
"""

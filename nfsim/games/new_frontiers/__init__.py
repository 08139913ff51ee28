"""New Frontiers (2018) with the expansion The Starry Rift (2023), solo and for two to five players."""

"""Tile sets: what is printed on the tiles of a game, where each value comes from, and how to change it."""

"""Catalogues: what is printed on the cards or tiles of a game, where each value comes from, and how to change it."""

"""Tiles: what single ones do, found by playing without them; what becomes of Xeno worlds."""

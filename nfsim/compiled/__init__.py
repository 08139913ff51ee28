"""What compiled code needs: numba behind one door, its cache, random streams, statuses. Knows no game."""

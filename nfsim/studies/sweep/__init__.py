"""One scenario in all combinations of the levels of a few factors."""

"""Solo: how hard conditions are, what misses lack, what thresholds are worth."""

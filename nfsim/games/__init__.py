"""Rule sets, one folder per game; none imports another."""

"""What takes too long for the tests: `make soak` runs it, `python -m soak` with tests/ on the path."""

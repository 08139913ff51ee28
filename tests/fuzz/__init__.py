"""Hostile input, made by Hypothesis: mutations of good files, and a sandbox that watches what they do."""

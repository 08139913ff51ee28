"""Campaigns as a series of games: what claims are worth, their chance computed and played out, the numbers, replays."""

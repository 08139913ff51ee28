"""What reports say about this game alone: empires, goals, Xeno worlds; `metrics.py` says where it stands."""

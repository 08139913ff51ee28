"""Running scenarios: read them, plan fixed chunks of games, play them on all cores, replay single games."""

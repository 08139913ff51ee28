"""Who decides: what all games' policies share."""

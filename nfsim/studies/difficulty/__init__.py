"""How hard objectives are, for players of different strength."""

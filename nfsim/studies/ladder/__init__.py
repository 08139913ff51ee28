"""A ladder: several policies on the same deals, against each other or one after the other; its games and numbers."""

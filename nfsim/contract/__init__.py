"""What a game must offer, and what it may: the rule set, its tables, a view for people, vectors to tune."""

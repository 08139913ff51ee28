"""Games of several players: who wins by seat, empire, policy; tiles owned, goals drawn, lengths."""

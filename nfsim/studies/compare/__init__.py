"""Two runs side by side, figure by figure."""

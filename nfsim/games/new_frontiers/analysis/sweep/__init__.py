"""Sweeps: outcomes against the levels of factors, and where their variance comes from."""

"""Policies that every game can have: presets with named parameters, functions of the user's, aims, tuning."""

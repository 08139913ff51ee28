"""The log of a run: Parquet parts and a manifest, written by workers and read lazily."""

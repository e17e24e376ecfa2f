"""A user's own function as a problem: called, compiled, in batches, with a cache."""

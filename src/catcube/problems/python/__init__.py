"""Functions of the user as problems: in Python or compiled, in batches, with a cache."""

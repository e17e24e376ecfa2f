"""A single run: from a problem and an algorithm to a result."""

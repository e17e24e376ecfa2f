"""The searches of this package beside those of others, at equal numbers of calls."""

"""The targets by name: each a module with `check(data)`, and `seeds()`, inputs to begin with."""

NAMES = ("board", "instance", "plan", "store", "command", "trace", "representation")

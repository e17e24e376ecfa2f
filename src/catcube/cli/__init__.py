"""The commands of `catcube`, one module per command, loaded on use."""

SOLVED, UNSOLVED, FAILED, REFUSED, INTERRUPTED = 0, 1, 1, 2, 130

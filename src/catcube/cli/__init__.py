"""The commands of `catcube`, one module per command, loaded when it is called."""

SOLVED, UNSOLVED, FAILED, REFUSED, INTERRUPTED = 0, 1, 1, 2, 130


class InputError(Exception):
    """The user's input cannot be used; the message is one sentence that says why."""

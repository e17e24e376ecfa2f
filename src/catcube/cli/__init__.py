"""What the command `catcube` does, one module a command; loaded only when it is called."""

SOLVED, UNSOLVED, FAILED, REFUSED, INTERRUPTED = 0, 1, 1, 2, 130


class InputError(Exception):
    """What the user gave cannot be used; the message is one sentence that says why."""

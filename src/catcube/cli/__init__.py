"""The commands of `catcube`, one module per command, loaded on use."""

from catcube.errors import CatcubeError

SOLVED, UNSOLVED, FAILED, REFUSED, INTERRUPTED = 0, 1, 1, 2, 130


class InputError(CatcubeError):
    """The input of the user is invalid; the message says why."""

"""Compiled with numba's checks of bounds, and without its wrapping of negative indices.

An index that is out of bounds or negative is an IndexError that the kernel raises. A problem's own
functions are called through C, where an exception is only reported: that ends the process.

As a program, it prints the outlines of random runs; with "fault" and its name, it makes a run that
fails:

    NUMBA_BOUNDSCHECK=1 python -m tests.engine.guards.checked COUNT SCALE
"""

import os
import sys

from numba.core import cgutils
from numba.np import arrayobj

pointer = cgutils.get_item_pointer2


def without_wrapping(*arguments, **named):
    return pointer(*arguments, **(named | {"wraparound": False}))


def as_it_is(context, builder, kind, index, size):
    """Replaces numba's function that adds the size to a negative index."""
    wide = arrayobj.types.intp if kind.signed else arrayobj.types.uintp
    return context.cast(builder, index, kind, wide)


def end(unraisable):
    print("lost:", unraisable.exc_value, file=sys.stderr, flush=True)
    os._exit(3)


def main(first, second):
    sys.unraisablehook = end
    cgutils.get_item_pointer2 = without_wrapping
    arrayobj.fix_integer_index = as_it_is

    from tests.engine.guards.faults import FAULTS
    from tests.engine.guards.runs import plain, random_run

    if first == "fault":
        plain(FAULTS[second]())
        return
    for number in range(int(first)):
        print(plain(random_run(number, int(second))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Compiled as always: arrays that lie against a page that nobody may touch, behind or before them.

Reading or writing one element beyond kills the process, whatever the compiler made of the access.
"""

import ctypes
import mmap
import sys

import numpy as np

NONE = 0  # PROT_NONE


def fenced(size, behind):
    """So many bytes, with a forbidden page right behind or right before them."""
    page = mmap.PAGESIZE
    room = -(-max(size, 1) // page) * page
    memory = mmap.mmap(-1, room + page)
    whole = np.frombuffer(memory, np.uint8)
    forbidden = whole.ctypes.data + (room if behind else 0)
    library = ctypes.CDLL(None, use_errno=True)
    if library.mprotect(ctypes.c_void_p(forbidden), ctypes.c_size_t(page), NONE) != 0:
        raise OSError(ctypes.get_errno(), "mprotect")
    return whole[room - size : room] if behind else whole[page : page + size]


def new_fence(behind):
    """A guard; what shares memory still does."""

    def new_guard():
        moved = {}

        def fence(array):
            owner = array
            while isinstance(owner.base, np.ndarray):
                owner = owner.base
            if id(owner) not in moved:
                bytes_of = fenced(owner.nbytes, behind)
                bytes_of[:] = np.frombuffer(owner.tobytes(), np.uint8)
                moved[id(owner)] = owner, bytes_of
            _, bytes_of = moved[id(owner)]
            start = array.ctypes.data - owner.ctypes.data if array.size else 0
            if array.size == 0:
                bytes_of = bytes_of[bytes_of.size if behind else 0 :]
            return np.ndarray(array.shape, array.dtype, bytes_of, start, array.strides)

        return fence

    return new_guard


def main(count, scale):
    """Compare runs behind fences with runs as they are."""
    from tests.engine.guards.guarded import guarded
    from tests.engine.guards.runs import outline, plain, random_run

    for number in range(count):
        wanted = plain(random_run(number, scale))
        for behind in (True, False):
            execution = guarded(random_run(number, scale), new_fence(behind))
            found = outline(execution.result())
            assert found == wanted, f"run {number} differs behind a fence"
    print(count)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

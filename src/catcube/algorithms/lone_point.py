"""What every algorithm does on a space of a single point: evaluate it, again and again.

No bit can be flipped and no variable changed, so that kernels need not look for that case.
"""

from catcube.engine.compiled.jit import njit
from catcube.engine.point import begin, point_at, start
from catcube.engine.recorder import iterate


@njit
def kernel(search, parameters, memory):
    """Evaluate the only point until the recorder says stop."""
    point = point_at(search, 0)
    begin(search, point)
    while iterate(search.recorder):
        start(search, point)

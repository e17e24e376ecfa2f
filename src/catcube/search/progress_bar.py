"""A progress bar, in terminals and notebooks."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from catcube.search.auto import UNLIMITED
from catcube.search.watch import Progress


@contextmanager
def shown(
    progress: bool,
    budget: int,
    time_limit: float | None,
    callback: Callable[[Progress], Any] | None,
) -> Iterator[Callable[[Progress], Any] | None]:
    """Show a bar if `progress` is true; yield a callback that moves it and calls `callback`.

    It counts evaluations, or seconds if the time limit will end the run first.
    """
    if not progress:
        yield callback
        return
    timed = time_limit is not None and budget >= UNLIMITED
    if timed:
        budget = 100
    bar = new_bar(budget, "% of the time" if timed else "evaluations")
    began = 0

    def moved(state: Progress) -> Any:
        nonlocal began
        done = 0 if timed else state.evaluations
        if time_limit is not None:  # whichever ends first
            done = max(done, math.floor(budget * min(1.0, state.seconds / time_limit)))
        bar.set_postfix_str(f"best {state.value:g}", refresh=False)
        bar.update(done - began)
        began = max(began, done)
        return None if callback is None else callback(state)

    try:
        yield moved
    finally:
        bar.close()


def new_bar(total: int, unit: str = "evaluations") -> Any:
    """Return a bar of tqdm: that of notebooks if their widgets are installed, else one of text."""
    from importlib.util import find_spec

    if find_spec("ipywidgets") is not None:
        from tqdm.auto import tqdm
    else:  # works in notebooks too, without a warning
        from tqdm.std import tqdm
    return tqdm(total=total, unit=f" {unit}", dynamic_ncols=True, mininterval=0.05)

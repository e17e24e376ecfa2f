"""Progress on standard error, where that is a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tqdm.std import tqdm

from catcube.experiments.campaign import Progress


@contextmanager
def bar(label: str = "", total: int | None = None) -> Iterator[Any]:
    """Yield a bar of tqdm that counts runs; it is erased in the end."""
    with tqdm(
        desc=label or None, total=total, unit=" runs", disable=None, leave=False, dynamic_ncols=True
    ) as shown:
        yield shown


def follow(shown: Any, label: str = "", later: int = 0) -> Callable[[Progress], None]:
    """Return a function that shows the progress of a campaign in a bar.

    The time left is that of its own runs, and of `later` evaluations of other campaigns; that of
    tqdm is by the number of runs, of which some take a thousand times as long as others.
    """
    shown.bar_format = "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}{postfix}]"

    def update(progress: Progress) -> None:
        shown.total = progress.total
        shown.set_description(label or None, refresh=False)
        rate = progress.evaluations / progress.seconds if progress.seconds else 0.0
        failed = f", {progress.failed:,} failed" if progress.failed else ""
        left = shown.format_interval(progress.remaining + (later / rate if rate else 0.0))
        text = f"{rate / 1e6:.3g} million evaluations/s, about {left} left{failed}"
        shown.set_postfix_str(text, refresh=False)
        shown.update(progress.done - shown.n)

    return update


def say_compiling(shown: Any) -> Callable[[int], None]:
    """Return a function that shows that kernels are compiled first."""
    return lambda count: shown.set_description(f"compiling {count} kernels")

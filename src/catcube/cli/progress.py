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


def follow(shown: Any, label: str = "") -> Callable[[Progress], None]:
    """Return a function that shows the progress of a campaign in a bar."""

    def update(progress: Progress) -> None:
        shown.total = progress.total
        shown.set_description(label or None, refresh=False)
        rate = progress.evaluations / progress.seconds / 1e6 if progress.seconds else 0.0
        failed = f", {progress.failed:,} failed" if progress.failed else ""
        shown.set_postfix_str(f"{rate:.3g} million evaluations/s{failed}", refresh=False)
        shown.update(progress.done - shown.n)

    return update


def say_compiling(shown: Any) -> Callable[[int], None]:
    """Return a function that shows that kernels are compiled first."""
    return lambda count: shown.set_description(f"compiling {count} kernels")

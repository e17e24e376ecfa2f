"""What must hold of a refusal, wherever it comes from; a folder for the files of one execution."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_MEMORY = Path("/dev/shm")

LONGEST = 4000  # characters; a path and what was given may be long, but not without an end


class FaultError(AssertionError):
    """What a target found wrong."""


def ensure(holds: bool, sentence: str) -> None:
    """Raise a FaultError with the sentence if something does not hold."""
    if not holds:
        raise FaultError(sentence)


@contextmanager
def refusing(path: Path | None = None, *further: type[Exception]) -> Iterator[None]:
    """Inside, a ValueError is a refusal: one line, not too long, with the name of the file.

    Anything else that is raised goes through, and is a fault.
    """
    try:
        yield
    except (ValueError, *further) as error:
        if isinstance(error, UnicodeError):
            raise
        said = str(error)
        ensure(bool(said.strip()), "a refusal says nothing")
        ensure("\n" not in said, f"a refusal has several lines: {said!r}")
        ensure(len(said) <= LONGEST, f"a refusal has {len(said)} characters")
        if path is not None:
            ensure(str(path) in said, f"a refusal does not name the file: {said!r}")


@contextmanager
def folder() -> Iterator[Path]:
    """A new folder, in memory where that can be, that is removed afterwards."""
    with TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as made:
        yield Path(made)

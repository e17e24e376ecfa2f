"""Saved optimizers: JSON files."""

import json
from functools import cache

from catcube import Optimizer
from tests.fuzz.draws import Draws
from tests.fuzz.folders import folder
from tests.fuzz.oracle import refusing


@cache
def _saved() -> list[str]:
    """Optimizers that have not begun, have begun, and have a representation of their own."""
    found = []
    with folder() as directory:
        for algorithm, generations in (("rls", 0), ("rls", 3), ("ga", 2), ("sa", 1)):
            optimizer = Optimizer(
                {"base": "ATCG", "flag": "ft"}, algorithm=algorithm, budget=30, seed=1
            )
            try:
                for value in range(generations):
                    points = optimizer.ask()
                    optimizer.tell(points, [float(value + len(points))] * len(points))
                optimizer.save(directory / "saved.json")
            finally:
                optimizer.close()
            found.append((directory / "saved.json").read_text())
    return found


def seeds() -> list[bytes]:
    """Saved optimizers as they are, and choices of values to be changed."""
    whole = [b"\0" + text.encode() for text in _saved()]
    return [
        *whole,
        *(bytes([1, which, key, 0, key, key]) for which in range(4) for key in range(16)),
    ]


def check(data: bytes) -> None:
    """A file is refused, or it is an optimizer that can be asked."""
    content = data[1:] if data[:1] in (b"", b"\0") else _changed(Draws(data[1:]))
    with folder() as directory:
        path = directory / "saved.json"
        path.write_bytes(content)
        optimizer = None
        try:
            with refusing(path):
                optimizer = Optimizer.load(path)
            if optimizer is not None:
                optimizer.ask()
        finally:
            if optimizer is not None:
                optimizer.close()


def _changed(draws: Draws) -> bytes:
    """A saved optimizer in which some values are others."""
    saved = json.loads(draws.choice(_saved()))
    for _ in range(draws.integer(1, 2)):
        home = saved
        key = draws.choice(sorted(home))
        while isinstance(home[key], dict | list) and home[key] and draws.byte() % 2:
            home = home[key]
            key = (
                draws.choice(sorted(home))
                if isinstance(home, dict)
                else draws.integer(0, len(home) - 1)
            )
        if draws.byte() % 8 == 7:
            del home[key]
        else:
            home[key] = draws.value()
    return json.dumps(saved, default=str).encode()

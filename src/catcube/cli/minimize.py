"""`catcube minimize`: minimize a Python function of a user."""

import math
import sys
import tomllib
import traceback
from argparse import Namespace
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np

from catcube.base.text import count, escape, expect, quote
from catcube.cli import FAILED, INTERRUPTED
from catcube.cli.input import import_object, parse_settings
from catcube.cli.output import print_error
from catcube.errors import BadValue, CatcubeError
from catcube.experiments.plan_file import read_keys
from catcube.problems.scanner import TextFile
from catcube.search.minimize import maximize, minimize
from catcube.search.result import Result
from catcube.space import Space

DEFAULT_COUNT = 20  # values of a number that has no step
MAX_VALUES = 10_000  # values of a number
PASSED = ("algorithm", "budget", "target", "time_limit", "timeout", "workers", "seed", "study")


def command(arguments: Namespace) -> int:
    """Run the search and print the best point."""
    space = read_space(Path(arguments.space))
    function = import_function(arguments.function)
    options = {name: getattr(arguments, name) for name in PASSED} | {
        "constraints": [import_function(name) for name in arguments.constraint] or None,
        "catch": Exception if arguments.catch else None,
        **parse_settings(arguments.parameter),
    }
    given = {name: value for name, value in options.items() if value is not None}
    search = maximize if arguments.maximize else minimize
    try:
        result = search(function, space, progress=sys.stderr.isatty(), **given)
    except CatcubeError:
        raise
    except Exception as error:  # of the function, whose author needs the traceback
        traceback.print_exception(error)
        print_error(f"{arguments.function} raised {type(error).__name__}")
        if (found := getattr(error, "partial_result", None)) is not None and found.x:
            print(text(found))
        return FAILED
    print(text(result))
    if result.ending == "interrupt":
        return INTERRUPTED
    return 0 if math.isfinite(result.fun) else FAILED


def import_function(name: str) -> Any:
    """Import a function, given as MODULE:FUNCTION."""
    found = import_object(name)
    expect(callable(found), "a function", found, where=f"{name}: ")
    return found


def text(result: Result) -> str:
    """Format the best point, one variable per line."""
    value = repr(result.fun) if math.isfinite(result.fun) else "no value"
    lines = [f"{result.message}: {value} after {count(result.nfev, 'evaluation')}"]
    width = max((len(name) for name in result.x), default=0)
    lines += [f"    {name:{width}}  {label}" for name, label in result.x.items()]
    return "\n".join(map(escape, lines))


def read_space(path: Path) -> Space:
    """Read a space from a TOML file, which has a list of labels or a table for each variable.

    A table has either `labels`, or `low` and `high` for a range of numbers: with `step` (1 by
    default for integers), or with `count` values (20 by default), which are equally or, with
    `log = true`, logarithmically spaced. `only_if` gives labels of other variables for which the
    variable is active. The conditions of all variables may also be in a table `only_if`.
    """
    try:
        given = tomllib.loads(TextFile.read(path).text)
    except tomllib.TOMLDecodeError as error:
        raise BadValue(f"{path}: {error}") from error
    conditions: dict[str, Any] = {}
    if isinstance(given.get("only_if"), dict) and not given["only_if"].keys() & _KEYS:
        conditions = given.pop("only_if")
    variables = {}
    for name, entry in given.items():
        try:
            if isinstance(entry, dict):
                variable: Variable = read_keys(entry, Variable)
                variables[name] = variable.values()
                if variable.only_if is not None:
                    conditions[name] = variable.only_if
            else:
                variables[name] = entry
        except (msgspec.ValidationError, BadValue) as error:
            raise BadValue(f"{path}: variable {quote(name)}: {error}") from error
    try:
        return Space(variables, only_if=conditions) if conditions else Space(variables)
    except CatcubeError as error:
        raise BadValue(f"{path}: {error}") from error


class Variable(msgspec.Struct):
    """A variable in a file: its labels, or a range of numbers."""

    labels: list[Any] | None = None
    low: int | float = math.nan
    high: int | float = math.nan
    step: int | float | None = None
    count: Annotated[int, msgspec.Meta(ge=2, le=MAX_VALUES)] | None = None
    log: bool = False
    only_if: dict[str, Any] | None = None

    def values(self) -> list[Any]:
        """Return the labels."""
        if self.labels is not None:
            return self.labels
        low, high, step = self.low, self.high, self.step
        valid = low < high < math.inf and (low > 0 or not self.log)
        expect(valid, "low < high (above 0 for log)", (low, high))
        points: Any
        whole = isinstance(low, int) and isinstance(high, int)
        if whole and step is None and self.count is None and not self.log:
            step = 1
        if step is None:
            space = np.geomspace if self.log else np.linspace
            points = space(low, high, self.count or DEFAULT_COUNT)
        elif step > 0 and (high - low) / step <= MAX_VALUES:
            points = low + step * np.arange(int((high - low) / step + 1 + 1e-9))
        else:
            raise BadValue(f"expected a positive step, and at most {MAX_VALUES:,} values")
        if whole and isinstance(step or 1, int):
            return [int(point) for point in np.unique(points.round())]
        return [float(f"{point:.12g}") for point in points]


_KEYS = set(Variable.__struct_fields__)

"""The mutants of a source file, by the operators of cosmic-ray."""

import ast
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

# Interpreted, these decorators return the function as it is.
COMPILING = ("@inlined", "@njit", "@part", "@intrinsic")


@dataclass(frozen=True)
class Mutant:
    """One small fault: the n-th place of an operator in a file."""

    path: str
    operator: str
    occurrence: int
    line: int
    column: int
    lines: tuple[int, ...] | None  # of its statement; None for what is run on import
    function: str
    source: str = field(repr=False)

    @property
    def key(self) -> str:
        """What tells it apart from all others."""
        return f"{self.path}:{self.operator}:{self.occurrence}"

    @cached_property
    def code(self) -> str:
        """The source with the fault."""
        mutated: str = mutate_code(self.source, _operator(self.operator), self.occurrence)
        return mutated

    @cached_property
    def change(self) -> tuple[str, str, str, str]:
        """What tells it apart wherever its line has come to: the line without and with it."""
        if self.operator.endswith("/RemoveDecorator"):
            decorator = self.source.splitlines()[self.line - 1].strip()
            return self.path, self.function, decorator, "(no decorator)"
        for own, other in zip(self.source.splitlines(), self.code.splitlines(), strict=False):
            if own.split() != other.split():
                return self.path, self.function, own.strip(), " ".join(other.split())
        return self.path, self.function, "", ""

    def __str__(self) -> str:
        path, function, before, after = self.change
        return f"{path.removeprefix('src/catcube/')}:{self.line} ({function}): {before}  →  {after}"


def mutants_of(tree: Path, path: str) -> list[Mutant]:
    """All mutants of a file, but those in annotations and of decorators that only compile."""
    source = (tree / path).read_text(encoding="utf-8")
    lines = source.splitlines()
    statements = _Statements(source)
    nodes = list(ast_nodes(get_ast(source)))
    found = []
    for name in operator_names():
        if get_operator(name).arguments():
            continue
        operator = _operator(name)
        places = (place for node in nodes for place in operator.mutation_positions(node))
        for occurrence, ((line, column), _) in enumerate(places):
            if lines[line - 1].strip() in COMPILING or statements.is_annotation(line, column):
                continue
            own, function = statements.around(line)
            found.append(Mutant(path, name, occurrence, line, column, own, function, source))
    return found


def sampled(every: Mapping[str, list[Mutant]], count: int, seed: int) -> list[Mutant]:
    """So many places, each with one of its mutants: places with many operators are not preferred.

    With a count of 0 every place is taken, once.
    """
    draw = random.Random(seed)
    places: dict[tuple[str, int, int], list[Mutant]] = {}
    for own in every.values():
        for mutant in own:
            places.setdefault((mutant.path, mutant.line, mutant.column), []).append(mutant)
    chosen = [draw.choice(places[place]) for place in sorted(places)]
    if 0 < count < len(chosen):
        chosen = draw.sample(chosen, count)
    return sorted(chosen, key=lambda mutant: (mutant.path, mutant.line, mutant.column))


@cache
def _operator(name: str) -> Any:
    return get_operator(name)()


class _Statements:
    """Where statements and annotations are in a source."""

    def __init__(self, source: str) -> None:
        self._spans: dict[int, tuple[tuple[int, ...] | None, str]] = {}
        self._annotations: list[tuple[tuple[int, int], tuple[int, int]]] = []
        self._visit(ast.parse(source), "", False)

    def around(self, line: int) -> tuple[tuple[int, ...] | None, str]:
        """The lines of the statement (None if it is run on import), and its function."""
        return self._spans.get(line, (None, ""))

    def is_annotation(self, line: int, column: int) -> bool:
        """Whether a place is in the annotation of an argument, a result or a variable."""
        return any(begin <= (line, column) < end for begin, end in self._annotations)

    def _visit(self, node: ast.AST, function: str, called: bool) -> None:
        for child in ast.iter_child_nodes(node):
            own = function
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                own = child.name
            if isinstance(child, ast.stmt):
                span = tuple(_header(child))
                for line in span:
                    self._spans[line] = (span if called else None, own)
            for annotation in _annotations(child):
                begin = annotation.lineno, annotation.col_offset
                self._annotations.append(
                    (begin, (annotation.end_lineno, annotation.end_col_offset))
                )
            self._visit(child, own, called or isinstance(child, ast.FunctionDef))


def _header(statement: ast.stmt) -> range:
    """The lines of a statement without those of the statements inside it."""
    body = getattr(statement, "body", None)
    end = body[0].lineno - 1 if isinstance(body, list) and body else statement.end_lineno
    return range(statement.lineno, max(end or 0, statement.lineno) + 1)


def _annotations(node: ast.AST) -> Iterator[Any]:
    """The annotations that belong to a node itself; what Annotated adds is none."""
    for name in ("annotation", "returns"):
        annotation = getattr(node, name, None)
        if annotation is not None and not ast.unparse(annotation).startswith("Annotated["):
            yield annotation

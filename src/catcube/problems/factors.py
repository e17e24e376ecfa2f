"""Cost networks: sums of tables over small sets of variables.

This general problem includes weighted constraint networks, the most probable explanation of
graphical models, and pseudo-Boolean functions.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catcube.base.text import expect, expect_known
from catcube.problems import network_files
from catcube.problems.network_files import Network
from catcube.problems.problem import check_integer
from catcube.problems.registry import kind
from catcube.problems.scanner import Source, TextFile, builtin_file, reading
from catcube.problems.tables import TableProblem
from catcube.space import Space

Tables = Mapping[Any, ArrayLike]
Labels = Mapping[str, Sequence[Hashable]]
Evidence = Mapping[str, Hashable]


@kind(
    "factors",
    "any sum of cost tables over small sets of variables; most probable explanation",
    instances=["asia", "random,30,3,60", "random,100,4,150,3"],
    generators=["random"],
    reader="read",
)
class Factors(TableProblem):
    """A sum of cost tables, each over some of the variables.

    Parameters
    ----------
    tables
        The tables. A key is the name of a variable, or a tuple of names in the order of the axes.
    labels
        The labels of each variable. By default 0, 1, ..., with the variables in the order of their
        first tables.
    evidence
        The labels of observed variables, which are excluded from the search.

    Examples
    --------
    >>> problem = Factors({("a", "b"): [[0, 2], [2, 1]], ("b",): [0.5, 0]})
    >>> problem.evaluate({"a": 0, "b": 0})
    0.5
    """

    def __init__(
        self,
        tables: Tables | Network,
        labels: Labels | None = None,
        evidence: Evidence | None = None,
    ) -> None:
        network = tables if isinstance(tables, Network) else _network(tables, labels)
        self.network = network
        self.evidence = dict(evidence or {})
        if self.evidence:
            Space(network.labels).fix(self.evidence)  # raises an error for unknown labels
        free = {name: label for name, label in network.labels.items() if name not in self.evidence}
        expect(free, "variables without evidence", self.evidence)
        self.space = Space(free)
        numbers = {name: number for number, name in enumerate(free)}
        observed = {name: [*network.labels[name]].index(of) for name, of in self.evidence.items()}
        scopes, costs = [], []
        for names, table in zip(network.scopes, network.tables, strict=True):
            for name in names:
                expect_known("variable", name, network.labels)
            axes = len(names)
            expect(table.ndim == axes, f"a table of {axes} axes for {names}", table.ndim)
            selected = tuple(observed.get(name, slice(None)) for name in names)
            scopes.append(tuple(numbers[name] for name in names if name in numbers))
            costs.append(np.asarray(table[selected]))
        self.set_tables(scopes, costs)

    @classmethod
    def of_probabilities(
        cls, tables: Tables, labels: Labels | None = None, evidence: Evidence | None = None
    ) -> "Factors":
        """Build a product of probabilities or potentials, to be maximised; costs are -log.

        >>> tables = {"a": [0.25, 0.75], ("a", "b"): [[1, 0], [0.5, 0.5]]}
        >>> problem = Factors.of_probabilities(tables)
        >>> round(problem.evaluate({"a": 1, "b": 0}), 3), problem.evaluate({"a": 0, "b": 1}) > 3
        (0.981, True)

        An entry of 0 costs more than all finite costs together.
        """
        return cls(_network(tables, labels).with_costs(), evidence=evidence)

    @classmethod
    def read(cls, file: Source, evidence: Source | Evidence | None = None) -> "Factors":
        """Read a network in the UAI format (MARKOV or BAYES) or in BIF.

        The optimum is its most probable explanation. Evidence is a mapping, or a file: in the UAI
        format, or, for BIF, with lines `NAME LABEL`.
        """
        with reading(file) as given:
            is_uai = given.text.lstrip()[:6].upper().startswith(("MARKOV", "BAYES"))
            read = network_files.read_uai if is_uai else network_files.read_bif
            network = read(given).with_costs()
            if evidence is not None and not isinstance(evidence, Mapping):
                of_bif, of_uai = network_files.read_bif_evidence, network_files.read_uai_evidence
                evidence = (of_uai if is_uai else of_bif)(TextFile.read(evidence), network)
            return cls(network, evidence=evidence)

    @classmethod
    def instance(cls, name: str) -> "Factors":
        """Return a built-in network by name."""
        return cls.read(builtin_file("factors", name))

    @classmethod
    def random(
        cls, variables: int, categories: int, tables: int, arity: int = 2, seed: Any = 1
    ) -> "Factors":
        """Build tables of random integers in 0..99 over random sets of variables."""
        check_integer("variables", variables, 1, 100_000)
        check_integer("categories", categories, 1, 1024)
        check_integer("arity", arity, 1, min(variables, 8))
        check_integer("tables", tables, 1, 10_000_000 // categories**arity)
        random = np.random.default_rng(seed)
        names = [f"x{i}" for i in range(variables)]
        scopes, costs = [], []
        for _ in range(tables):
            scope = np.sort(random.choice(variables, arity, replace=False))
            scopes.append(tuple(names[variable] for variable in scope))
            costs.append(random.integers(0, 100, (categories,) * arity).astype(np.float64))
        labels = dict.fromkeys(names, range(categories))
        return cls(Network(scopes, costs, labels))

    def solution(self, point: Mapping[str, Any]) -> str:
        """Format the labels of all variables: in the UAI format, or in lines NAME LABEL."""
        labels = {**point, **self.evidence}
        if self.network.is_uai:
            values = " ".join(str(labels[name]) for name in self.network.labels)
            return f"MPE\n{len(labels)} {values}"
        return "\n".join(f"{name} {labels[name]}" for name in self.network.labels)


def _network(given: Tables, labels: Labels | None) -> Network:
    """Return a network; missing labels are derived from the shapes of the tables."""
    scopes = [(names,) if isinstance(names, str) else tuple(names) for names in given]
    tables = [np.asarray(table, np.float64) for table in given.values()]
    if labels:
        return Network(scopes, tables, labels)
    found: dict[str, range] = {}
    for names, table in zip(scopes, tables, strict=True):
        for name, size in zip(names, table.shape, strict=False):
            before = len(found.setdefault(name, range(size)))
            expect(size == before, f"{before} categories of {name!r} in all its tables", size)
    return Network(scopes, tables, found)

"""Readers of networks and of evidence: BIF 0.15 and the UAI format.

BIF (Bayesian network interchange format) declares variables with their labels; `probability
( child | parents )` has either one line `(labels of the parents) probabilities;` for each, or a
`table` whose first variable changes slowest.

UAI, the format of the UAI inference competitions: the word MARKOV or BAYES; the number of variables
and the sizes of their domains; the number of tables, and for each table the number of its variables
and the variables; then for each table the number of its entries and the entries, the last variable
changing fastest.
"""

import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect
from catcube.problems.scanner import Scanner, TextFile

MOST_VARIABLES = 100_000
MOST_LABELS = 65_536
MOST_IN_SCOPE = 30


@dataclass(frozen=True)
class Network:
    """Tables with their variables by name, and the labels of all variables."""

    scopes: Sequence[tuple[str, ...]]
    tables: Sequence[NDArray[np.float64]]
    labels: Mapping[str, Sequence[Hashable]]
    is_uai: bool = False

    def with_costs(self) -> "Network":
        """Return the network with entries replaced by costs: -log.

        The cost of an entry 0 exceeds all other differences together: it is 1 plus the sum, over
        all tables, of the greatest minus the least finite cost.
        """
        logs = []
        for names, table in zip(self.scopes, self.tables, strict=True):
            fits = np.isfinite(table).all() and (table >= 0).all() and (table > 0).any()
            expect(fits, f"entries >= 0, one > 0, in the table of {names}", table)
            values, places = np.unique(table, return_inverse=True)
            # math.log, not numpy's, whose last bit depends on the processor.
            costs_of = [-math.log(value) if value > 0 else math.nan for value in values.tolist()]
            logs.append(np.array(costs_of)[places].reshape(table.shape))
        penalty = 1.0 + sum(float(np.nanmax(log) - np.nanmin(log)) for log in logs)
        costs = [np.where(np.isnan(log), np.nanmax(log) + penalty, log) for log in logs]
        return replace(self, tables=costs)


MOST_ENTRIES = 4_000_000
"""Maximum number of entries of all tables of a file, because a few words can declare large ones."""

SIGNS = "{}()[];"
WORD = r'"[^"]*"|[{}()\[\];]|[^\s{}()\[\]|,;"]+'  # commas and bars only separate words
COMMENT = re.compile(r"/\*.*?(\*/|\Z)", re.DOTALL)

Labels = dict[str, dict[str, int]]


def read_bif(file: TextFile) -> Network:
    """Read a network in BIF.

    >>> text = "variable a { type discrete [ 2 ] { yes, no }; } probability (a) { table 0.1 0.9; }"
    >>> read_bif(TextFile("mine.bif", text)).labels
    {'a': ['yes', 'no']}
    """
    # Comments become blanks, so that lines and columns remain the same.
    text = COMMENT.sub(lambda comment: re.sub(r"\S", " ", comment[0]), file.text)
    words = Scanner(TextFile(file.name, text), WORD, comment="//")
    labels: Labels = {}  # with their numbers
    scopes: list[tuple[str, ...]] = []
    tables = []
    total = 0
    while words.peek():
        declared = words.one_of("network", "variable", "probability")
        if declared == "network":
            words.skip("{")
            words.skip("}")
        elif declared == "variable":
            name = words.word("the name of a variable")
            is_new = name not in labels and len(labels) < MOST_VARIABLES
            words.expect(is_new, "the name of a new variable")
            labels[name] = _labels(words)
        else:
            scope = _scope(words, labels)
            total += math.prod(len(labels[name]) for name in scope)
            fits = total <= MOST_ENTRIES
            words.expect(fits, f"tables of at most {MOST_ENTRIES:,} entries", "more")
            scopes.append(scope)
            tables.append(_table(words, scope, labels))
    file.expect(scopes, "a network with probabilities", "none")
    return Network(scopes, tables, {name: list(known) for name, known in labels.items()})


def read_bif_evidence(file: TextFile, network: Network) -> dict[str, Hashable]:
    """Read evidence for BIF: a line `NAME LABEL` for each observed variable."""
    evidence: dict[str, Hashable] = {}
    for line in Scanner(file, comment="#").lines():
        name = line.word("a variable")
        is_new = name in network.labels and name not in evidence
        line.expect(is_new, "a variable of the network that is not yet observed")
        evidence[name] = line.word("a label")
        line.expect(evidence[name] in network.labels[name], f"a label of {name}")
        line.end()
    return evidence


def _labels(words: Scanner) -> dict[str, int]:
    """Read `{ type discrete [ 2 ] { yes, no }; property ...; }`."""
    words.one_of("{")
    found: dict[str, int] = {}
    while (statement := words.one_of("type", "property", "}")) != "}":
        if statement == "property":
            words.skip(";")
            continue
        words.expect(not found, "one 'type'")
        words.phrase("discrete", "[")
        count = words.integer("the number of labels", 1, MOST_LABELS)
        words.phrase("]", "{")
        for k in range(count):
            label = words.word("a label")
            is_new = label not in found and label not in SIGNS
            words.expect(is_new, f"{count} different labels")
            found[label] = k
        words.phrase("}", ";")
    words.expect(found, "'type'")
    return found


def _scope(words: Scanner, labels: Labels) -> tuple[str, ...]:
    """Read `( child | parent, parent )`."""
    words.one_of("(")
    found: list[str] = []
    while (name := words.word("a variable")) != ")" or not found:
        words.expect(name in labels and name not in found, "a variable that was declared, once")
        found.append(name)
        fits = len(found) <= MOST_IN_SCOPE
        words.expect(fits, f"at most {MOST_IN_SCOPE} variables in a table", "more")
    return tuple(found)


def _table(words: Scanner, scope: tuple[str, ...], labels: Labels) -> NDArray[np.float64]:
    """Read `{ table ...; }` or `{ (labels) ...; ... }`; the axes are in the order of the scope."""
    child, parents = scope[0], scope[1:]
    shape = tuple(len(labels[name]) for name in scope)
    table = np.full(shape, np.nan)
    default = np.full(shape[0], np.nan)
    words.one_of("{")
    while (statement := words.one_of("table", "default", "(", "property", "}")) != "}":
        if statement == "property":
            words.skip(";")
        elif statement == "table":
            table = np.array(_numbers(words, table.size)).reshape(shape)
        elif statement == "default":
            default = np.array(_numbers(words, shape[0]))
        else:
            selected: list[slice | int] = [slice(None)]
            for name in parents:
                label = words.word(f"a label of {name}")
                words.expect(label in labels[name], f"a label of {name}")
                selected.append(labels[name][label])
            words.one_of(")")
            table[tuple(selected)] = _numbers(words, shape[0])
    table = np.where(np.isnan(table), default.reshape(-1, *[1] * len(parents)), table)
    is_whole = not np.isnan(table).any()
    words.expect(is_whole, f"probabilities of {child} for all labels of its parents")
    return table


def _numbers(words: Scanner, count: int) -> list[float]:
    """Read numbers, and a semicolon."""
    found = [words.real("a probability", 0) for _ in range(count)]
    words.one_of(";")
    return found


def read_uai(file: TextFile) -> Network:
    """Read a network in the UAI format; its variables are named x0, x1, ...

    >>> network = read_uai(TextFile("mine.uai", "MARKOV 2 2 3 1 2 0 1 6 1 2 3 4 5 6"))
    >>> network.scopes, network.tables[0].shape
    ([('x0', 'x1')], (2, 3))
    """
    words = Scanner(file)
    if words.word("'MARKOV' or 'BAYES'").upper() not in ("MARKOV", "BAYES"):
        raise words.fault("'MARKOV' or 'BAYES'")
    variables = words.integer("the number of variables", 1, MOST_VARIABLES)
    sizes = [words.integer("the size of a domain", 1, MOST_LABELS) for _ in range(variables)]
    labels = {f"x{i}": range(size) for i, size in enumerate(sizes)}
    names = list(labels)
    count = words.integer("the number of tables", 0, 10_000_000)
    scopes = []
    for _ in range(count):
        size = words.integer("the number of variables of a table", 0, MOST_IN_SCOPE)
        numbers = [words.integer("a variable", 0, variables - 1) for _ in range(size)]
        different = len(set(numbers)) == size
        words.expect(different, "different variables in a table", "one of them twice")
        scopes.append(tuple(names[variable] for variable in numbers))
    tables = []
    for scope in scopes:
        shape = tuple(len(labels[name]) for name in scope)
        entries = math.prod(shape)
        words.integer("the number of entries of a table", entries, entries)
        found = [words.real("an entry of a table", 0) for _ in range(entries)]
        tables.append(np.array(found).reshape(shape))
    words.end()
    return Network(scopes, tables, labels, is_uai=True)


def read_uai_evidence(file: TextFile, network: Network) -> dict[str, Hashable]:
    """Read evidence in the UAI format: the number of observed variables, then each with its value.

    Older files, with an even number of words, begin with the number of samples, which must be 1.

    >>> network = Network([], [], {"x0": range(2), "x1": range(3)})
    >>> read_uai_evidence(TextFile("mine.evid", "1 1 2"), network)
    {'x1': 2}
    >>> read_uai_evidence(TextFile("mine.evid", "1 1 1 2"), network)
    {'x1': 2}
    """
    words = Scanner(file)
    if len(file.text.split()) % 2 == 0:
        words.integer("the number of samples", 1, 1)
    names = list(network.labels)
    evidence: dict[str, Hashable] = {}
    for _ in range(words.integer("the number of observed variables", 0, len(names))):
        name = names[words.integer("a variable", 0, len(names) - 1)]
        words.expect(name not in evidence, "a variable that is not yet observed")
        evidence[name] = words.integer("a value", 0, len(network.labels[name]) - 1)
    words.end()
    return evidence

"""The UAI format of graphical models, and of evidence.

As described for the UAI inference competitions: the word MARKOV or BAYES; the number of variables
and the sizes of their domains; the number of tables, and for each the number of its variables and
these; then for each the number of its entries and these, the last variable changing fastest.
"""

import math
from collections.abc import Hashable

import numpy as np

from catcube.problems.factors.network import MOST_IN_SCOPE, MOST_LABELS, MOST_VARIABLES, Network
from catcube.problems.scanner import Scanner, TextFile


def read_uai(file: TextFile) -> Network:
    """Read a network; its variables are named x0, x1, ...

    >>> network = read_uai(TextFile("mine.uai", "MARKOV 2 2 3 1 2 0 1 6 1 2 3 4 5 6"))
    >>> network.scopes, network.tables[0].shape
    ([('x0', 'x1')], (2, 3))
    """
    words = Scanner(file)
    kind = words.word("'MARKOV' or 'BAYES'")
    if kind.text.upper() not in ("MARKOV", "BAYES"):
        raise words.fault(kind, "'MARKOV' or 'BAYES'")
    variables = words.integer("the number of variables", 1, MOST_VARIABLES)
    sizes = [words.integer("the size of a domain", 1, MOST_LABELS) for _ in range(variables)]
    count = words.integer("the number of tables", 0, 10_000_000)
    scopes = []
    for _ in range(count):
        size = words.integer("the number of variables of a table", 0, MOST_IN_SCOPE)
        word = words.peek()
        scope = [words.integer("a variable", 0, variables - 1) for _ in range(size)]
        if len(set(scope)) != size and word is not None:
            raise words.fault(word, "different variables in a table", "one of them twice")
        scopes.append(scope)
    tables = []
    for scope in scopes:
        shape = tuple(sizes[variable] for variable in scope)
        entries = math.prod(shape)
        words.integer("the number of entries of a table", entries, entries)
        found = []
        for _ in range(entries):
            word = words.peek()
            found.append(words.real("an entry of a table"))
            if found[-1] < 0 and word is not None:
                raise words.fault(word, "an entry >= 0")
        tables.append(np.array(found).reshape(shape))
    words.end()
    names = [f"x{i}" for i in range(variables)]
    return Network(
        [tuple(names[variable] for variable in scope) for scope in scopes],
        tables,
        {name: range(size) for name, size in zip(names, sizes, strict=True)},
        is_uai=True,
    )


def read_uai_evidence(file: TextFile, network: Network) -> dict[str, Hashable]:
    """Read evidence: the number of observed variables, then each with its value.

    Older files begin with the number of samples, which must be 1: their number of words is even.

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
        word = words.peek()
        name = names[words.integer("a variable", 0, len(names) - 1)]
        if name in evidence and word is not None:
            raise words.fault(word, "a variable that is not yet observed")
        evidence[name] = words.integer("a value", 0, len(network.labels[name]) - 1)
    words.end()
    return evidence

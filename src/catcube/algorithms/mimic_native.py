"""MIMIC on categories: a chain of variables, each with a distribution for each category before it.

A generation is drawn variable by variable: the distributions of one are few, and 200 samples wait
for none of the others, where a single sample would wait for each of its variables.
"""

from typing import Any, NamedTuple

import numpy as np

from catcube.engine.categorical import CELLS, Draws, Guide, category_at, new_draws, uniform_row
from catcube.engine.categorical import set_distribution as set_row
from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.compiled.packed import load_word, lowest
from catcube.engine.information import entropy_table
from catcube.engine.native_distances import (
    Columns,
    fill_column,
    joint_sum,
    lone_sum,
    new_columns,
    sort_column,
)
from catcube.engine.rng import fill_words, uniform
from catcube.engine.search import CATEGORY, Genes

ONE = np.uint64(1)


class NativeMemory(NamedTuple):
    """The chain, its distributions, a generation of samples, and the chosen ones by columns."""

    order: np.ndarray  # of the genes along the chain
    guide: Guide  # `most` rows for each position of the chain, then a uniform one for each gene
    numbers: np.ndarray  # for each category of each gene, its number among the chosen, or -1
    first: np.ndarray  # where the categories of each gene begin
    probability: np.ndarray  # of the categories of one variable
    rows: np.ndarray  # of the guide, after each category of the variable before
    before: np.ndarray  # the category of that variable in each sample
    draws: Draws
    samples: np.ndarray
    values: np.ndarray
    chosen: np.ndarray
    columns: Columns
    certainty: np.ndarray  # of each gene: minus its entropy
    table: np.ndarray


def native_memory(genes: Genes, parameters: Any) -> NativeMemory:
    """Allocate memory for a chain of variables and a population; all distributions are uniform."""
    n, population = genes.size.size, parameters.population
    largest = int(genes.size.max()) if n else 1
    most = min(largest, parameters.selection)
    rows = n * most + n
    guide = Guide(
        cells=np.zeros((rows, CELLS), np.uint8),
        ends=np.zeros(rows * largest),
        first=largest * np.arange(rows, dtype=np.int64),
        size=np.concatenate([np.zeros(n * most, np.int64), genes.size]),
    )
    for gene, size in enumerate(genes.size.tolist()):
        cells, ends = uniform_row(size)
        row = n * most + gene
        guide.cells[row] = cells
        guide.ends[row * largest : row * largest + size] = ends
    return NativeMemory(
        order=np.arange(n),
        guide=guide,
        numbers=np.full(int(genes.size.sum()), -1, np.int64),
        first=(np.cumsum(genes.size) - genes.size).astype(np.int64),
        probability=np.zeros(largest),
        rows=np.zeros(largest, np.int64),
        before=np.zeros(population, np.int64),
        draws=new_draws(population),
        samples=np.zeros((population, genes.first_move.size), CATEGORY),
        values=np.zeros(population),
        chosen=np.zeros(parameters.selection, np.int64),
        columns=new_columns(genes, parameters.selection),
        certainty=np.zeros(n),
        table=entropy_table(parameters.selection),
    )


@inlined
def most_rows(memory):
    """Return the number of rows of the guide per position of the chain."""
    return memory.columns.sets.shape[1]


@part
def sample_categories(search, memory, size):
    """Draw a whole generation along the chain, also where the budget has no room for all of it.

    So the points of a smaller budget are the first ones of a larger.
    """
    n = memory.order.size
    for s in range(memory.before.size):
        memory.before[s] = 0
    for k in range(n):
        gene = memory.order[k]
        set_rows(memory, search.layout, k)
        draw_variable(search.random, memory, search.layout.variable[gene])


@inlined
def set_rows(memory, layout, k):
    """Find the row for the variable at position k of the chain after each category before it."""
    n = memory.order.size
    unknown = n * most_rows(memory) + memory.order[k]
    if k == 0:  # before the first there is nothing: as if always category 0
        learned = memory.guide.size[0] > 0
        memory.rows[0] = 0 if learned else unknown
        return
    gene = memory.order[k - 1]
    for category in range(layout.size[gene]):
        number = memory.numbers[unsigned(memory.first[gene] + category)]
        memory.rows[category] = k * most_rows(memory) + number if number >= 0 else unknown


@part
def draw_variable(random, memory, variable):
    """Draw a variable of all samples: first the bytes, then divided cells."""
    guide, draws, before, samples = memory.guide, memory.draws, memory.before, memory.samples
    fill_words(random, draws.words, (before.size + 7) // 8)
    for s in range(before.size):
        row = memory.rows[unsigned(before[s])]
        draws.picked[s] = guide.cells[unsigned(row), unsigned(draws.bytes[s])]
    for w in range((before.size + 63) // 64):
        divided = ~load_word(draws.picked, 64 * w)
        for s in range(64 * w, min(64 * w + 64, before.size)):
            if draws.picked[s] != 0:
                before[s] = np.int64(draws.picked[s]) - 1
                samples[unsigned(s), unsigned(variable)] = np.uint16(before[s])
        while divided != 0:
            s = 64 * w + lowest(divided)
            row = memory.rows[unsigned(before[s])]
            before[s] = category_at(guide, row, draws.bytes[s] + uniform(random))
            samples[unsigned(s), unsigned(variable)] = np.uint16(before[s])
            divided &= divided - ONE


@part
def rebuild_categories(search, memory, margin):
    """Build a chain: from the most certain variable, each next the most certain given the last."""
    layout = search.layout
    n, total = memory.order.size, memory.chosen.size
    for gene in range(n):
        fill_column(memory.columns, memory.samples, memory.chosen, layout.variable[gene], gene)
        memory.certainty[gene] = lone_sum(memory.columns, gene, total, memory.table)
        memory.order[gene] = gene
        number_categories(memory, layout, gene)
    placed = place_constants(memory)
    if placed == 0:
        exchange(memory.order, 0, first_of_all(memory))
        placed = 1
    for k in range(placed, n):
        sort_column(memory.columns, memory.order[k - 1], total)
        exchange(memory.order, k, most_certain(memory, k))
    for k in range(n):
        set_distributions(memory, layout, k, margin)


@inlined
def number_categories(memory, layout, gene):
    """Note the number of each category of a gene that occurs."""
    numbers = memory.numbers[memory.first[gene] :]
    for category in range(layout.size[gene]):
        numbers[category] = -1
    variable = unsigned(layout.variable[gene])
    for s in range(memory.chosen.size):
        category = memory.samples[unsigned(memory.chosen[s]), variable]
        numbers[unsigned(category)] = np.int64(memory.columns.number[gene, s])


@inlined
def exchange(order, a, b):
    """Exchange two positions of the chain."""
    order[a], order[b] = order[b], order[a]


@part
def place_constants(memory):
    """Begin the chain with the variables that never change; how many. Nothing is more certain."""
    placed = 0
    for k in range(memory.order.size):
        if memory.columns.present[k] == 1:
            exchange(memory.order, placed, k)
            placed += 1
    return placed


@part
def first_of_all(memory):
    """Return the first variable with the lowest entropy."""
    root = 0
    for gene in range(1, memory.order.size):
        if memory.certainty[gene] > memory.certainty[root]:
            root = gene
    return root


@part
def most_certain(memory, k):
    """Return the first position from k on with the lowest entropy given the variable at k - 1."""
    columns, total = memory.columns, memory.chosen.size
    last = memory.order[k - 1]
    best = k
    highest = -1.0
    for other in range(k, memory.order.size):
        gene = memory.order[other]
        if columns.present[last] == 1:
            found = memory.certainty[gene]
        else:
            found = joint_sum(columns, last, gene, total, memory.table)
        if found > highest:
            highest = found
            best = other
            if found == memory.certainty[last]:  # nothing is more certain than certain
                break
    return best


@part
def set_distributions(memory, layout, k, margin):
    """Estimate the distributions of the variable at position k given the one before."""
    columns, total = memory.columns, memory.chosen.size
    gene = memory.order[k]
    groups = 1
    if k > 0:
        groups = columns.present[memory.order[k - 1]]
        sort_column(columns, memory.order[k - 1], total)
    for group in range(groups):
        begin = columns.begins[group] if k > 0 else 0
        end = columns.begins[group + 1] if k > 0 else total
        probabilities = memory.probability[: layout.size[gene]]
        for category in range(probabilities.size):
            probabilities[category] = 0.0
        variable = unsigned(layout.variable[gene])
        for index in range(begin, end):
            s = columns.sorted[unsigned(index)] if k > 0 else index
            probabilities[
                unsigned(memory.samples[unsigned(memory.chosen[unsigned(s)]), variable])
            ] += 1.0
        bound = margin / (memory.order.size * (probabilities.size - 1))
        sum_up = 0.0
        for category in range(probabilities.size):
            probabilities[category] = max(probabilities[category] / (end - begin), bound)
            sum_up += probabilities[category]
        for category in range(probabilities.size):
            probabilities[category] /= sum_up
        row = k * most_rows(memory) + group
        memory.guide.size[row] = probabilities.size
        set_row(memory.guide, row, probabilities)

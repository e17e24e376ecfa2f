"""Mutual-information-maximizing input clustering: a chain of bits, each depending on the previous.

J. S. De Bonet, C. L. Isbell, P. Viola, "MIMIC: finding optima by estimating probability
densities", NIPS 9 (1996).

On categories it is a chain of variables, each with a distribution for each category of the previous
variable. A generation is drawn variable by variable: its few distributions stay in the cache, and
samples are independent, while within a sample each variable depends on the previous one.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.algorithm import Algorithm, Margin, Samples, Selection, check_selection
from catcube.engine import distances, distributions
from catcube.engine.compiled.dispatch import native, overload
from catcube.engine.compiled.jit import inlined, njit, part, unsigned
from catcube.engine.compiled.packed import load_word, lowest_bit, popcount, words_for
from catcube.engine.generation import (
    evaluate_all,
    fill_columns,
    select_best,
    transpose,
    use_initial,
)
from catcube.engine.point import point_at, start
from catcube.engine.recorder import allowed, iterate
from catcube.engine.rng import uniform
from catcube.engine.search import AnyLayout, Genes, new_solutions

NONE, ONE = np.uint64(0), np.uint64(1)


class Parameters(NamedTuple):
    """Parameters of MIMIC."""

    population: Samples = 200
    selection: Selection = 20
    margin: Margin = 1.0


class Memory(NamedTuple):
    """The chain, a generation of samples, and the chosen samples by columns."""

    order: np.ndarray  # the bits along the chain
    after_zero: (
        distributions.BitProbabilities
    )  # probabilities along the chain, given the bit before is 0
    after_one: distributions.BitProbabilities
    draws: distributions.Draws
    # For 64 samples at once, a word for each bit; transposed in blocks of 64 words.
    if_zero: np.ndarray  # the bits along the chain if the previous bit is 0
    if_one: np.ndarray  # the same if it is 1
    drawn: np.ndarray  # the bits in the order of the layout
    samples: np.ndarray  # packed
    values: np.ndarray
    chosen: np.ndarray
    columns: np.ndarray  # the chosen samples by bits along the chain, packed
    counts: np.ndarray  # the number of ones of each bit
    certainty: np.ndarray  # of each bit: decreasing with its entropy
    learned: np.ndarray  # of each bit: the ones of the previous bit, of this bit and of both
    table: np.ndarray


@native
class NativeMemory(NamedTuple):
    """The chain, its distributions, a generation of samples, and the chosen samples by columns."""

    order: np.ndarray  # the genes along the chain
    # `most` rows for each position of the chain, then a uniform one for each gene:
    guide: distributions.Guide
    numbers: np.ndarray  # for each category of each gene, its number in the columns, or -1
    first: np.ndarray  # where the categories of each gene begin
    probability: np.ndarray  # of the categories of one variable
    rows: np.ndarray  # the row of the guide for each category of the previous variable
    before: np.ndarray  # the category of the previous variable in each sample
    draws: distributions.Draws
    samples: np.ndarray
    values: np.ndarray
    chosen: np.ndarray
    columns: distances.Columns
    certainty: np.ndarray  # of each gene: minus its entropy
    table: np.ndarray


def memory(layout: AnyLayout, parameters: Parameters) -> Memory | NativeMemory:
    """Allocate memory for a chain and a population, with uniform distributions."""
    n, population, selection = layout.variable.size, parameters.population, parameters.selection
    common: dict[str, Any] = {
        "order": np.arange(n),
        "samples": new_solutions(layout, population),
        "values": np.zeros(population),
        "chosen": np.zeros(selection, np.int64),
        "certainty": np.zeros(n),
        "table": distances.entropy_table(selection),
    }
    if isinstance(layout, Genes):
        largest = int(layout.size.max()) if n else 1
        return NativeMemory(
            guide=new_guide(layout.size, largest, min(largest, selection)),
            numbers=np.full(int(layout.size.sum()), -1, np.int64),
            first=(np.cumsum(layout.size) - layout.size).astype(np.int64),
            probability=np.zeros(largest),
            rows=np.zeros(largest, np.int64),
            before=np.zeros(population, np.int64),
            draws=distributions.new_draws(population),
            columns=distances.new_columns(layout, selection),
            **common,
        )
    if_zero, if_one, drawn = np.zeros((3, 64 * words_for(n)), np.uint64)
    return Memory(
        after_zero=distributions.new_probabilities(n),
        after_one=distributions.new_probabilities(n),
        draws=distributions.new_draws(n),
        if_zero=if_zero,
        if_one=if_one,
        drawn=drawn,
        columns=np.zeros((n, words_for(selection)), np.uint64),
        counts=np.zeros(n, np.int64),
        learned=np.full((n, 3), -1),
        **common,
    )


def new_guide(sizes: NDArray[np.int64], largest: int, most: int) -> distributions.Guide:
    """Return `most` rows for each position of the chain, and a uniform one for each gene."""
    learned = sizes.size * most
    guide = distributions.new_guide(np.concatenate([np.full(learned, largest), sizes]))
    guide.size[:learned] = 0  # nothing is learned yet
    return guide


@njit
def kernel(search, parameters, memory):
    """Draw samples along the chain, and rebuild the chain from the best."""
    point = point_at(search, 0)
    start(search, point)
    while iterate(search.recorder):
        size = allowed(search.recorder, memory.values.size)
        sample(search, memory, size)
        use_initial(search, memory.samples, size)
        if not evaluate_all(search, point, memory.samples, size, memory.values):
            return
        select_best(memory.values, memory.values.size, memory.chosen)
        rebuild(search, memory, parameters.margin)


@part
def rebuild(search, memory, margin):
    """Build a chain from the most certain gene, then the most certain given the previous one."""
    n, certainty = memory.order.size, memory.certainty
    certain = collect(memory, search.layout)
    placed = 0
    for k in range(n):  # constant genes first
        if certainty[k] == certain:
            exchange(memory, placed, k)
            placed += 1
    if placed == 0:
        first = 0
        for k in range(1, n):
            if certainty[k] > certainty[first]:
                first = k
        exchange(memory, 0, first)
        placed = 1
    for k in range(placed, n):
        exchange(memory, k, most_certain(memory, k))
    for k in range(n):
        learn(memory, search.layout, k, margin)


# On bits.


@inlined
def sample_bits(search, memory, size):
    """Draw the first `size` samples of a generation."""
    for first in range(0, size, 64):
        sample_words(search.random, memory, memory.samples[first : min(first + 64, size)])


@part
def sample_words(random, memory, samples):
    """Draw up to 64 samples along the chain."""
    n = memory.order.size
    for s in range(samples.shape[0]):
        distributions.draw_bytes(random, memory.draws, n)
        distributions.draw_bits(random, memory.draws, memory.after_zero, memory.if_zero[s::64])
        distributions.draw_bits(random, memory.draws, memory.after_one, memory.if_one[s::64])
    for first in range(0, n, 64):
        transpose(memory.if_zero[first : first + 64])
        transpose(memory.if_one[first : first + 64])
    for k in range(n, memory.drawn.size):
        memory.drawn[k] = 0
    before = NONE
    for k in range(n):
        before = memory.if_zero[k] ^ (before & (memory.if_zero[k] ^ memory.if_one[k]))
        memory.drawn[unsigned(memory.order[k])] = before
    for w in range(memory.drawn.size // 64):
        block = memory.drawn[64 * w : 64 * w + 64]
        transpose(block)
        for s in range(samples.shape[0]):
            samples[s, w] = block[s]


@part
def collect_bits(memory, layout):
    """Arrange the chosen samples by columns; return the certainty of a constant bit."""
    fill_columns(memory.columns, memory.samples, memory.chosen, memory.drawn[:64])
    for k in range(memory.order.size):
        memory.order[k] = k
        memory.counts[k] = count_common(memory, k, k)
        memory.certainty[k] = abs(2 * memory.counts[k] - memory.chosen.size)
    return float(memory.chosen.size)


@inlined
def exchange_bits(memory, a, b):
    """Exchange two positions of the chain."""
    memory.order[a], memory.order[b] = memory.order[b], memory.order[a]
    memory.counts[a], memory.counts[b] = memory.counts[b], memory.counts[a]
    for w in range(memory.columns.shape[1]):
        held = memory.columns[a, w]
        memory.columns[a, w] = memory.columns[b, w]
        memory.columns[b, w] = held


@part
def most_certain_bit(memory, k):
    """Return the position from k on with the lowest entropy given the bit at k - 1."""
    total, last = memory.chosen.size, memory.counts[k - 1]
    known = distances.entropy(memory.table, total, last)
    best = k
    lowest = np.inf
    for other in range(k, memory.order.size):
        both = count_common(memory, k - 1, other)
        joint = distances.joint_entropy(memory.table, total, last, memory.counts[other], both)
        if joint < lowest:
            lowest = joint
            best = other
            if joint == known:  # the bit is determined
                break
    return best


@inlined
def count_common(memory, a, b):
    """Return how many of the chosen samples have both bits set."""
    both = popcount(memory.columns[a, 0] & memory.columns[b, 0])
    for w in range(1, memory.columns.shape[1]):
        both += popcount(memory.columns[a, w] & memory.columns[b, w])
    return both


@inlined
def learn_bit(memory, layout, k, margin):
    """Estimate the probabilities of the bit at k given the previous bit; 1/2 without data."""
    total, bound = memory.chosen.size, min(margin / memory.order.size, 0.5)
    if k == 0:
        first = clip(memory.counts[0] / total, bound)
        distributions.set_probability(memory.after_zero, 0, first)
        distributions.set_probability(memory.after_one, 0, first)
        return
    both = count_common(memory, k - 1, k)
    last, count = memory.counts[k - 1], memory.counts[k]
    learned = memory.learned[k]
    if learned[0] == last and learned[1] == count and learned[2] == both:
        return
    learned[0], learned[1], learned[2] = last, count, both
    after_one = both / last if last > 0 else 0.5
    after_zero = (count - both) / (total - last) if last < total else 0.5
    distributions.set_probability(memory.after_one, k, clip(after_one, bound))
    distributions.set_probability(memory.after_zero, k, clip(after_zero, bound))


@inlined
def clip(probability, bound):
    """Return a probability, clipped to the interval from `bound` to 1 - `bound`."""
    return min(max(probability, bound), 1.0 - bound)


# On categories.


@inlined
def most_rows(memory):
    """Return the number of rows of the guide for each position of the chain."""
    return memory.columns.sets.shape[1]


@part
def sample_categories(search, memory, size):
    """Draw a whole generation along the chain, even if the budget does not allow all of it.

    So a run with a smaller budget is a prefix of a run with a larger one.
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
    """Find the row of the guide for position k, for each category of the previous variable."""
    n = memory.order.size
    unknown = n * most_rows(memory) + memory.order[k]
    if k == 0:  # no previous variable: use row 0
        learned = memory.guide.size[0] > 0
        memory.rows[0] = 0 if learned else unknown
        return
    gene = memory.order[k - 1]
    for category in range(layout.size[gene]):
        number = memory.numbers[unsigned(memory.first[gene] + category)]
        memory.rows[category] = k * most_rows(memory) + number if number >= 0 else unknown


@part
def draw_variable(random, memory, variable):
    """Draw a variable of all samples: first the bytes, then the divided cells."""
    guide, draws, before, samples = memory.guide, memory.draws, memory.before, memory.samples
    distributions.draw_bytes(random, draws, before.size)
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
            s = 64 * w + lowest_bit(divided)
            row = memory.rows[unsigned(before[s])]
            before[s] = distributions.category_at(guide, row, draws.bytes[s] + uniform(random))
            samples[unsigned(s), unsigned(variable)] = np.uint16(before[s])
            divided &= divided - ONE


@part
def collect_categories(memory, layout):
    """Arrange the chosen samples by columns; return the certainty of a constant variable.

    The certainty is minus the entropy, up to a constant.
    """
    for gene in range(memory.order.size):
        variable = layout.variable[gene]
        distances.fill_column(memory.columns, memory.samples, memory.chosen, variable, gene)
        found = distances.single_sum(memory.columns, gene, memory.chosen.size, memory.table)
        memory.certainty[gene] = found
        memory.order[gene] = gene
        number_categories(memory, layout, gene)
    return memory.table[memory.chosen.size]


@inlined
def number_categories(memory, layout, gene):
    """Set the numbers of the categories of a gene."""
    numbers = memory.numbers[memory.first[gene] :]
    for category in range(layout.size[gene]):
        numbers[category] = -1
    variable = unsigned(layout.variable[gene])
    for s in range(memory.chosen.size):
        category = memory.samples[unsigned(memory.chosen[s]), variable]
        numbers[unsigned(category)] = np.int64(memory.columns.number[gene, s])


@inlined
def exchange_genes(memory, a, b):
    """Exchange two positions of the chain."""
    memory.order[a], memory.order[b] = memory.order[b], memory.order[a]


@part
def most_certain_variable(memory, k):
    """Return the position from k on with the lowest entropy given the variable at k - 1."""
    columns, total = memory.columns, memory.chosen.size
    last = memory.order[k - 1]
    distances.sort_column(columns, last, total)
    best = k
    highest = -1.0
    for other in range(k, memory.order.size):
        gene = memory.order[other]
        if columns.present[last] == 1:
            found = memory.certainty[gene]
        else:
            found = distances.joint_sum(columns, last, gene, total, memory.table)
        if found > highest:
            highest = found
            best = other
            if found == memory.certainty[last]:  # the variable is determined
                break
    return best


@part
def learn_variable(memory, layout, k, margin):
    """Estimate the distributions of the variable at k given the previous variable."""
    columns, total = memory.columns, memory.chosen.size
    gene = memory.order[k]
    groups = 1
    if k > 0:
        groups = columns.present[memory.order[k - 1]]
        distances.sort_column(columns, memory.order[k - 1], total)
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
        for category in range(probabilities.size):
            probabilities[category] /= end - begin
        bound = margin / (memory.order.size * (probabilities.size - 1))
        distributions.apply_margin(probabilities, bound)
        row = k * most_rows(memory) + group
        memory.guide.size[row] = probabilities.size
        distributions.set_distribution(memory.guide, row, probabilities)


sample = overload(sample_bits, sample_categories)
collect = overload(collect_bits, collect_categories)
exchange = overload(exchange_bits, exchange_genes)
most_certain = overload(most_certain_bit, most_certain_variable)
learn = overload(learn_bit, learn_variable)


ALGORITHM = Algorithm(
    name="mimic",
    title="mutual-information-maximizing input clustering",
    reference="J. S. De Bonet, C. L. Isbell, P. Viola, NIPS 9, 1996",
    parameters=Parameters,
    kernel=kernel,
    check=check_selection,
    memory=memory,
    native=True,
)

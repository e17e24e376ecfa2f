"""PBIL and UMDA: a product distribution that moves towards the best of its samples.

S. Baluja, R. Caruana, "Removing the genetics from the standard genetic algorithm", ICML (1995);
H. Mühlenbein, "The equation for response to selection and its use for prediction",
Evolutionary Computation 5 (1997) 303-346.

On categories, a variable has a vector of probabilities, bounded below by its part of the margin:
F. Ben Jedidia, B. Doerr, M. S. Krejca, "Estimation-of-distribution algorithms for multi-valued
decision variables", arXiv:2302.14420 (2023).
"""

from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import (
    Algorithm,
    Margin,
    ParameterInfo,
    Samples,
    Selection,
    check_selection,
)
from catcube.engine import distributions
from catcube.engine.compiled.dispatch import overload
from catcube.engine.compiled.jit import inlined, njit, part, unsigned
from catcube.engine.compiled.packed import padded_rows
from catcube.engine.decode import unpack
from catcube.engine.generation import evaluate_all, select_best, use_initial
from catcube.engine.point import point_at, start
from catcube.engine.recorder import allowed, iterate
from catcube.engine.search import AnyLayout, Genes, new_solutions


class Memory(NamedTuple):
    """The distribution, a generation of samples with values, and the chosen samples."""

    probability: np.ndarray  # of each bit, or of the categories of all variables, one by one
    distribution: (
        distributions.BitProbabilities | distributions.Guide
    )  # the same, prepared for drawing
    draws: distributions.Draws
    samples: np.ndarray  # packed bits, or rows of categories
    bits: np.ndarray  # the bits of a sample
    values: np.ndarray
    chosen: np.ndarray
    counts: np.ndarray  # of ones, or of categories, among the chosen samples


def memory(layout: AnyLayout, parameters: Any) -> Memory:
    """Allocate memory for a product distribution and a population."""
    n, population = layout.variable.size, parameters.population
    if isinstance(layout, Genes):
        probability = np.repeat(1 / layout.size, layout.size)
        distribution: Any = distributions.new_guide(layout.size)
    else:
        probability = np.full(n, 0.5)
        distribution = distributions.new_probabilities(n)
    return Memory(
        probability,
        distribution,
        draws=distributions.new_draws(n),
        samples=new_solutions(layout, population),
        bits=padded_rows(1, n)[0],
        values=np.zeros(population),
        chosen=np.zeros(parameters.selection, np.int64),
        counts=np.zeros(probability.size, np.int64),
    )


@part
def evolve(search, memory, rate, margin):
    """Draw samples and learn from the best, until the recorder stops the run."""
    point = point_at(search, 0)
    start(search, point)
    while iterate(search.recorder):
        size = allowed(search.recorder, memory.values.size)
        for k in range(size):
            draw(search, memory, memory.samples[k])
        use_initial(search, memory.samples, size)
        if not evaluate_all(search, point, memory.samples, size, memory.values):
            return
        select_best(memory.values, memory.values.size, memory.chosen)
        learn(search, memory, rate, margin)


@inlined
def draw_bits(search, memory, sample):
    """Draw a sample of bits."""
    distributions.draw_bytes(search.random, memory.draws, memory.counts.size)
    distributions.draw_bits(search.random, memory.draws, memory.distribution, sample)


@inlined
def draw_categories(search, memory, sample):
    """Draw a sample of categories."""
    variables = search.layout.variable
    distributions.draw_row(search.random, memory.distribution, memory.draws, sample, variables)


@inlined
def learn_bits(search, memory, rate, margin):
    """Move each probability by `rate` towards the frequency among the chosen; keep the margin."""
    n = memory.counts.size
    bound = min(margin / n, 0.5)
    count_ones(memory)
    for i in range(n):
        mean = memory.counts[i] / memory.chosen.size
        moved = memory.probability[i] + rate * (mean - memory.probability[i])
        memory.probability[i] = min(max(moved, bound), 1.0 - bound)
        distributions.set_probability(memory.distribution, i, memory.probability[i])


@inlined
def learn_categories(search, memory, rate, margin):
    """Move the probabilities towards the frequencies, apply the margin, and normalise."""
    sizes = search.layout.size
    count_categories(memory, search.layout.variable)
    for gene in range(sizes.size):
        first = memory.distribution.first[gene]
        probabilities = memory.probability[first : first + sizes[gene]]
        counts = memory.counts[first : first + sizes[gene]]
        for category in range(probabilities.size):
            moved = counts[category] / memory.chosen.size
            if rate < 1.0:
                moved = probabilities[category] + rate * (moved - probabilities[category])
            probabilities[category] = moved
        distributions.apply_margin(probabilities, margin / (sizes.size * (sizes[gene] - 1)))
        distributions.set_distribution(memory.distribution, gene, probabilities)


draw = overload(draw_bits, draw_categories)
learn = overload(learn_bits, learn_categories)


@part
def count_categories(memory, variables):
    """Count the categories of the chosen samples."""
    for k in range(memory.counts.size):
        memory.counts[k] = 0
    for k in memory.chosen:
        sample = memory.samples[k]
        for gene in range(variables.size):
            category = np.int64(sample[unsigned(variables[gene])])
            memory.counts[unsigned(memory.distribution.first[gene] + category)] += 1


@part
def count_ones(memory):
    """Count the ones of the chosen samples."""
    for i in range(memory.counts.size):
        memory.counts[i] = 0
    for k in memory.chosen:
        unpack(memory.samples[k], memory.bits)
        for i in range(memory.counts.size):
            memory.counts[i] += memory.bits[i]


class PbilParameters(NamedTuple):
    """Parameters of population-based incremental learning."""

    population: Samples = 100
    selection: Selection = 10
    rate: Annotated[float, ParameterInfo("learning rate", 0, 1, low_open=True)] = 0.5
    margin: Margin = 1.0


class UmdaParameters(NamedTuple):
    """Parameters of the univariate marginal distribution algorithm."""

    population: Samples = 100
    selection: Selection = 10
    margin: Margin = 1.0


@njit
def pbil_kernel(search, parameters, memory):
    """Move each probability towards its frequency among the best, by the learning rate."""
    evolve(search, memory, parameters.rate, parameters.margin)


@njit
def umda_kernel(search, parameters, memory):
    """Set each probability to its frequency among the best samples."""
    evolve(search, memory, 1.0, parameters.margin)


PBIL = Algorithm(
    name="pbil",
    title="population-based incremental learning",
    reference="S. Baluja, R. Caruana, ICML, 1995",
    parameters=PbilParameters,
    kernel=pbil_kernel,
    check=check_selection,
    memory=memory,
    native=True,
)
UMDA = replace(
    PBIL,
    name="umda",
    title="univariate marginal distribution algorithm",
    reference="H. Mühlenbein, Evolutionary Computation 5, 1997",
    parameters=UmdaParameters,
    kernel=umda_kernel,
)

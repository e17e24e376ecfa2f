"""Population-based incremental learning.

S. Baluja, R. Caruana, "Removing the genetics from the standard genetic algorithm", ICML (1995).
"""

from typing import Annotated, NamedTuple

from catcube.algorithms.algorithm import Algorithm, Native, ParameterInfo
from catcube.algorithms.product_distribution import evolve, new_memory, new_native_memory
from catcube.engine.compiled.jit import njit
from catcube.engine.selection import selection_fits


class Parameters(NamedTuple):
    """Parameters of population-based incremental learning."""

    population: Annotated[int, ParameterInfo("samples per generation", low=1)] = 100
    selection: Annotated[int, ParameterInfo("best samples to learn from", low=1)] = 10
    rate: Annotated[float, ParameterInfo("learning rate", 0, 1, low_open=True)] = 0.5
    margin: Annotated[
        float, ParameterInfo("probabilities stay this over n from 0 and 1", low=0)
    ] = 1.0


@njit
def kernel(search, parameters, memory):
    """Move every probability towards its mean among the best samples, by the learning rate."""
    evolve(search, memory, parameters.rate, parameters.margin)


ALGORITHM = Algorithm(
    name="pbil",
    title="population-based incremental learning",
    reference="S. Baluja, R. Caruana, ICML, 1995",
    parameters=Parameters,
    kernel=kernel,
    check=selection_fits,
    memory=lambda n, parameters: new_memory(n, parameters.population, parameters.selection),
    native=Native(
        lambda genes, parameters: new_native_memory(
            genes, parameters.population, parameters.selection
        )
    ),
)

"""The univariate marginal distribution algorithm.

H. Mühlenbein, "The equation for response to selection and its use for prediction",
Evolutionary Computation 5 (1997) 303-346.
"""

from typing import Annotated, NamedTuple

from catcube.algorithms.algorithm import Algorithm, Native, ParameterInfo
from catcube.algorithms.product_distribution import evolve, new_memory, new_native_memory
from catcube.engine.compiled.jit import njit
from catcube.engine.selection import selection_fits


class Parameters(NamedTuple):
    """Parameters of the univariate marginal distribution algorithm."""

    population: Annotated[int, ParameterInfo("samples per generation", low=1)] = 100
    selection: Annotated[int, ParameterInfo("best samples to learn from", low=1)] = 10
    margin: Annotated[
        float, ParameterInfo("probabilities stay this over n from 0 and 1", low=0)
    ] = 1.0


@njit
def kernel(search, parameters, memory):
    """Set every probability to its mean among the best samples."""
    evolve(search, memory, 1.0, parameters.margin)


ALGORITHM = Algorithm(
    name="umda",
    title="univariate marginal distribution algorithm",
    reference="H. Mühlenbein, Evolutionary Computation 5, 1997",
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

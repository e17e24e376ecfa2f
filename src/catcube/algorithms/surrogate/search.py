"""The search: points are proposed and evaluated, and the model takes their values.

References: C. Oh et al., "Combinatorial Bayesian optimization using the graph Cartesian product"
(2019, COMBO); X. Wan et al., "Think global and act local" (2021, Casmopolitan); S. Daulton et al.,
"Bayesian optimization over discrete and mixed spaces via probabilistic reparameterization" (2022);
K. Dreczkowski, A. Grosnit, H. Bou-Ammar, "Framework and benchmarks for combinatorial and
mixed-variable Bayesian optimization" (2023, MCBO), whose finding that a good fit and a local search
matter most this design follows.
"""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.algorithm import Algorithm, Context, Native, ParameterInfo
from catcube.algorithms.surrogate.model import SurrogateModel
from catcube.algorithms.surrogate.proposals import Proposals, Settings
from catcube.engine.compiled.dispatch import interpreted
from catcube.engine.compiled.entry import call_announce
from catcube.engine.native import evaluate, point_at
from catcube.engine.recorder import EVALUATIONS, ITERATIONS, LIMIT, running


class Parameters(NamedTuple):
    """Parameters of the surrogate."""

    initial: Annotated[int, ParameterInfo("points drawn before there is a model", low=1)] = 10
    batch: Annotated[
        int,
        ParameterInfo("points proposed at once, or under way in parallel", 1, 2000),
    ] = 1
    data: Annotated[int, ParameterInfo("points that the model sees at most", low=10, high=2000)] = (
        800
    )
    noisy: Annotated[bool, ParameterInfo("a point may be evaluated again")] = False


@interpreted  # a model takes much longer than that
def evaluate_rows(search, rows, values, announced):
    """Announce all points, if they are not; evaluate one after the other; how many it were."""
    point = point_at(search, 0)
    variable = search.layout.variable
    if search.functions.announce != 0 and not announced:
        for k in range(rows.shape[0]):
            for gene in range(variable.size):
                point.categories[variable[gene]] = rows[k, gene]
            call_announce(search.functions.announce, point.frame)
    for k in range(rows.shape[0]):
        for gene in range(variable.size):
            point.categories[variable[gene]] = rows[k, gene]
        values[k] = evaluate(search, point)
        if not running(search.recorder):
            return k + 1
    return rows.shape[0]


def kernel(search: Any, parameters: Parameters, memory: tuple[Context]) -> None:
    """Evaluate proposed points and pass their values to the model until the recorder stops it."""
    (context,) = memory
    layout, counters = search.layout, search.recorder.counters
    settings = Settings(
        parameters.initial, parameters.batch, parameters.data, noisy=parameters.noisy
    )
    proposals = Proposals(layout.size.astype(np.int64), settings, search.random)
    begin = search.initial[:, layout.variable] if len(search.initial) else search.initial
    proposals.begin_with(begin)
    if context.points is not None and context.values is not None:
        known = context.points[:, layout.variable].astype(np.int32)
        initial = {point.tobytes() for point in begin}  # evaluated anyway: they may be the best
        rest = np.array([point.tobytes() not in initial for point in known], bool)
        proposals.tell(known[rest], context.values[rest])
    context.model = partial(_model, proposals, layout)
    if context.submit is not None and parameters.batch > 1:
        return _evaluate_in_parallel(search, proposals, parameters.batch, context.submit)
    while counters[EVALUATIONS] < counters[LIMIT]:
        counters[ITERATIONS] += 1
        rows = proposals.ask(int(min(parameters.batch, counters[LIMIT] - counters[EVALUATIONS])))
        if len(rows) == 0:
            return
        _evaluate(search, proposals, rows, announced=False)


def _evaluate_in_parallel(
    search: Any, proposals: Proposals, batch: int, submit: Callable[[NDArray[Any]], bool]
) -> None:
    """Keep `batch` points under way: another one is proposed whenever the oldest has its value.

    Values are waited for in the order of the proposals, not in that of their completion, so that
    the proposals do not depend on the speed of the workers.
    """
    counters = search.recorder.counters
    categories = np.zeros_like(search.points.categories[0])
    under_way: deque[NDArray[np.int32]] = deque()
    while counters[EVALUATIONS] < counters[LIMIT]:
        while len(under_way) < min(batch, counters[LIMIT] - counters[EVALUATIONS]):
            rows = proposals.ask(1)
            if len(rows) == 0:  # before the first value, or with all points proposed
                break
            counters[ITERATIONS] += 1
            categories[search.layout.variable] = rows[0]
            submit(categories)
            under_way.append(rows)
        if not under_way:
            return
        _evaluate(search, proposals, under_way.popleft(), announced=True)


def _evaluate(search: Any, proposals: Proposals, rows: NDArray[np.int32], announced: bool) -> None:
    """Evaluate the points, or wait for their values, and pass them to the model."""
    values = np.empty(len(rows))
    count = evaluate_rows(search, rows, values, announced)
    valid = ~np.isnan(values[:count])  # NaN ends the run
    proposals.tell(rows[:count][valid], values[:count][valid])


def _model(proposals: Proposals, layout: Any, space: Any) -> SurrogateModel | None:
    """Return the model of all points with values; None if there are none."""
    if proposals.count == 0:
        return None
    points = np.zeros((proposals.count, len(space)), np.int32)
    points[:, layout.variable] = proposals.points
    return SurrogateModel(space, points, proposals.values.copy())


ALGORITHM = Algorithm(
    name="surrogate",
    title="Gaussian process with expected improvement, for few evaluations",
    reference="C. Oh et al., Combinatorial Bayesian optimization using the graph Cartesian "
    "product, 2019; X. Wan et al., Think global and act local, 2021",
    parameters=Parameters,
    kernel=kernel,
    native=Native(),
    presets={},
    compiled=False,
)

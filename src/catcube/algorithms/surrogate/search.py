"""The search: it evaluates proposed points, and passes their values to the model.

References: C. Oh et al., "Combinatorial Bayesian optimization using the graph Cartesian product"
(2019, COMBO); X. Wan et al., "Think global and act local" (2021, Casmopolitan); S. Daulton et al.,
"Bayesian optimization over discrete and mixed spaces via probabilistic reparameterization" (2022);
K. Dreczkowski, A. Grosnit, H. Bou-Ammar, "Framework and benchmarks for combinatorial and
mixed-variable Bayesian optimization" (2023, MCBO), according to which a good fit and a local search
matter most.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.algorithm import Algorithm, Context
from catcube.algorithms.surrogate.model import SurrogateModel
from catcube.algorithms.surrogate.proposals import Settings, propose
from catcube.engine.compiled.dispatch import as_python
from catcube.engine.generation import evaluate_genes
from catcube.engine.recorder import EVALUATIONS, ITERATIONS, LIMIT
from catcube.engine.rng import next_word

# In Python, because the model takes much longer.
evaluate_rows, draw_word = as_python(evaluate_genes), as_python(next_word)


def kernel(search: Any, parameters: Settings, memory: tuple[Context]) -> None:
    """Propose and evaluate points until the recorder stops the run."""
    run = _Run(search, parameters, memory[0])
    run.evaluate(run.begin)
    if memory[0].submit is not None:
        run.run_in_parallel(memory[0].submit)
    else:
        run.run_in_turn()


class _Run:
    """The proposals of a run, and their evaluation."""

    def __init__(self, search: Any, parameters: Settings, context: Context) -> None:
        self._search, self._context, self._batch = search, context, parameters.batch
        self._counters = search.recorder.counters
        self._variable = search.layout.variable
        self._width = search.points.categories.shape[1]
        self._propose = partial(
            propose,
            search.layout.size,
            feasible=context.feasible and self._lift(context.feasible),
            nearby=context.nearby and self._near,
            active=context.active and self._lift(context.active, self._variable),
            noisy=parameters.noisy or context.noisy,
            seed=int(draw_word(search.random)),
            initial=parameters.initial,
            data=parameters.data,
            kept=[],
        )
        self._points = np.empty((0, len(self._variable)), np.int32)
        self._values = np.empty(0)
        begin = search.initial[:, self._variable] if len(search.initial) else self._points
        self.begin = begin.astype(np.int32)
        self._told: set[bytes] = {point.tobytes() for point in self.begin}
        self._known = 0  # number of points taken from the context
        context.model = self._model

    def run_in_turn(self) -> None:
        """Propose and evaluate points, `batch` at a time."""
        while (left := self._left()) > 0:
            self._learn()
            self._counters[ITERATIONS] += 1
            rows = self._ask(min(self._batch, left), self._pending())
            if len(rows) == 0:
                return
            self.evaluate(rows)

    def run_in_parallel(self, submit: Callable[[NDArray[Any]], bool]) -> None:
        """Keep `batch` evaluations in flight, with a new proposal after each value.

        Values are awaited in the order of the proposals, so that results do not depend on the speed
        of the workers, unless the context returns the first completed point.
        """
        flying: list[NDArray[np.int32]] = []
        wants = self._context.wants or (lambda count: count < self._batch)
        while (left := self._left()) > 0:
            self._learn()
            more = True
            while len(flying) < left and wants(len(flying)):
                rows = self._ask(1, [*self._pending(), *flying])
                if len(rows) == 0:
                    more = False
                    break
                self._counters[ITERATIONS] += 1
                submit(self._categories(rows)[0])
                flying.append(rows[0])
            if not flying:
                return
            points = self._categories(np.array(flying))
            taken = self._context.wait_for_next(points, more and len(flying) < left)
            if taken is not None:
                self.evaluate(flying.pop(taken)[None], announced=True)

    def evaluate(self, rows: NDArray[np.int32], announced: bool = False) -> None:
        """Evaluate points, or await their values, and add them to the data."""
        values = np.empty(len(rows))
        count = evaluate_rows(self._search, rows, values, announced)
        if np.isnan(values[:count]).any():  # the run ends
            return
        self._told.update(row.tobytes() for row in rows)
        self._tell(rows[:count], values[:count])

    def _ask(self, count: int, pending: list[NDArray[np.int32]]) -> NDArray[np.int32]:
        """Return proposals, one per row."""
        rows = self._propose(self._points, self._values, count, pending=pending)
        return np.array(rows, np.int32).reshape(len(rows), len(self._variable))

    def _tell(self, rows: NDArray[np.int32], values: NDArray[np.float64]) -> None:
        """Append points and values to the data."""
        self._points = np.concatenate((self._points, rows))
        self._values = np.concatenate((self._values, values))

    def _left(self) -> int:
        """Return the number of evaluations that may still be made."""
        return int(self._counters[LIMIT] - self._counters[EVALUATIONS])

    def _learn(self) -> None:
        """Append the new points of the context to the data."""
        points, values = self._context.points, self._context.values
        if points is None or values is None or len(points) <= self._known:
            return
        rows = points[self._known :, self._variable].astype(np.int32)
        fresh = np.array([row.tobytes() not in self._told for row in rows], bool)
        self._tell(rows[fresh], values[self._known :][fresh])
        self._known = len(points)

    def _pending(self) -> list[NDArray[np.int32]]:
        """Return the points that others are evaluating."""
        if self._context.pending is None:
            return []
        return list(self._context.pending[:, self._variable].astype(np.int32))

    def _categories(self, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the categories of all variables of points given by their genes."""
        categories = np.zeros((len(rows), self._width), np.int64)
        categories[:, self._variable] = rows
        return categories

    def _lift(
        self, function: Callable[[NDArray[Any]], NDArray[np.bool_]], columns: Any = slice(None)
    ) -> Callable[[NDArray[np.int32]], NDArray[np.bool_]]:
        """Convert a function of whole points, with some columns, to one of genes."""
        return lambda rows: function(self._categories(rows))[..., columns]

    def _near(self, point: NDArray[np.int32], seed: int) -> NDArray[np.int32]:
        """Return feasible points near a point."""
        assert self._context.nearby is not None
        near = self._context.nearby(self._categories(point[None])[0], seed)
        return near[:, self._variable].astype(np.int32)

    def _model(self, space: Any) -> SurrogateModel | None:
        """Return the model of all points; None if no point has a value."""
        points, values = self._categories(self._points), self._values
        if not np.isfinite(values).any():
            return None
        return SurrogateModel(space, points, values, active=self._context.active)


ALGORITHM = Algorithm(
    name="surrogate",
    title="Gaussian process with expected improvement, for few evaluations",
    reference="C. Oh et al., Combinatorial Bayesian optimization using the graph Cartesian "
    "product, 2019; X. Wan et al., Think global and act local, 2021",
    parameters=Settings,
    kernel=kernel,
    native=True,
    presets={},
    compiled=False,
    warming=30,
)

"""Samplers for Optuna: the surrogate model, and mutation of bits."""

import math
import secrets
from collections.abc import Callable, Sequence
from hashlib import sha256
from threading import Lock
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.proposals import propose
from catcube.base.optional import require
from catcube.base.text import expect
from catcube.errors import BadType
from catcube.representations import Representation
from catcube.representations.layout import RepresentationChoice, is_native, resolve_representations
from catcube.search.arguments import as_count, as_seed
from catcube.space import Space

with require("optuna"):
    from optuna.distributions import (
        BaseDistribution,
        CategoricalDistribution,
        FloatDistribution,
        IntDistribution,
    )
    from optuna.samplers import BaseSampler, RandomSampler
    from optuna.search_space import IntersectionSearchSpace
    from optuna.study import Study, StudyDirection
    from optuna.trial import FrozenTrial, TrialState


Distributions: TypeAlias = dict[str, BaseDistribution]
Rows: TypeAlias = NDArray[np.int32]
Mask: TypeAlias = NDArray[np.bool_]


class _CatcubeBase(BaseSampler):
    """The base of both samplers: one objective, and random values by trial and parameter."""

    def __init__(self, seed: int | None) -> None:
        self.seed = secrets.randbits(63) if seed is None else as_seed(seed)

    def sample_independent(
        self,
        study: Study,
        trial: FrozenTrial,
        param_name: str,
        param_distribution: BaseDistribution,
    ) -> Any:
        """Return a random value for a parameter."""
        self._check(study)
        random = self._random(trial, param_name)
        sampler = RandomSampler(seed=int(random.integers(2**32)))
        return sampler.sample_independent(study, trial, param_name, param_distribution)

    def _check(self, study: Study) -> None:
        """Raise an error unless the study has a single objective."""
        expect(len(study.directions) == 1, "a study with one objective", len(study.directions))

    def _random(self, trial: FrozenTrial, name: str = "") -> np.random.Generator:
        """Return the random generator of a trial, or of one of its parameters."""
        key = sha256(name.encode()).digest()[:8] if name else b""
        return np.random.default_rng([self.seed, trial.number, int.from_bytes(key, "little")])


class CatcubeSampler(_CatcubeBase):
    """A sampler with the surrogate model of catcube, for Optuna studies with one objective.

    Parameters
    ----------
    seed
        Any integer >= 0; by default random.
    initial
        The number of trials before the model proposes any.
    constraints_func
        As for Optuna's samplers: a function of a finished trial that returns a number for each
        constraint, positive if it is violated. The sampler learns where violations are likely.

    Notes
    -----
    A categorical parameter is a variable of the model. A numerical parameter is a variable with
    ordered categories: its values if they are few, else a grid that is refined around the best
    value. Parameters that are missing in some trials are inactive there. If the value of another
    parameter determines when they are active, this is learned from the trials. The value of a
    pruned trial is its last intermediate value, but at best the median; failed trials have none.
    Running trials are pending.

    The whole state is in the study: any process can continue a stored study exactly as if it had
    not been interrupted, and several processes may work on it at the same time.

    Examples
    --------
    >>> import optuna
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> def objective(trial):
    ...     base = trial.suggest_categorical("base", ["A", "T", "C", "G"])
    ...     rate = trial.suggest_float("rate", 1e-4, 1, log=True)
    ...     digit = trial.suggest_int("digit", 1, 9)
    ...     return abs(digit - 7) + (base != "G") + abs(rate - 0.01)
    >>> study = optuna.create_study(sampler=CatcubeSampler(seed=1))
    >>> study.optimize(objective, n_trials=40)
    >>> study.best_params["base"], study.best_params["digit"]
    ('G', 7)
    """

    def __init__(
        self,
        *,
        seed: int | None = None,
        initial: int = 10,
        constraints_func: Callable[[FrozenTrial], Sequence[float]] | None = None,
    ) -> None:
        super().__init__(seed)
        known = constraints_func is None or callable(constraints_func)
        expect(known, "a function as constraints_func", constraints_func, BadType)
        self.initial = as_count("number of initial trials", initial)
        self.constraints_func = constraints_func
        self._cached = _Trials()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> Distributions:
        """Return all parameters of finished trials that always had the same distribution."""
        self._check(study)
        with _READING:
            return dict(self._trials(study).distributions)

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: Distributions
    ) -> dict[str, Any]:
        """Return the point that the model proposes."""
        self._check(study)
        if not search_space:
            return {}
        with _READING:
            trials = self._trials(study)
            values = trials.values(study)
            grids = trials.grids(search_space, values)
            rows, active = trials.rows(grids)
        pending, unknown = [], 0
        for other in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
            if other.number < trial.number:
                if grids.keys() & other.params.keys():
                    pending.append(_encode(grids, other.params)[0])
                else:
                    unknown += 1  # it is about to get one of the proposals before this one
        found = propose(
            [grid.size for grid in grids.values()],
            rows,
            values,
            unknown + 1,
            pending=pending,
            active=active,
            ordered=[grid.ordered or None for grid in grids.values()],
            seed=self.seed,
            initial=self.initial,
        )
        random = self._random(trial)
        point = [int(random.integers(grid.size)) for grid in grids.values()]
        if len(found) > unknown:
            mask = np.ones(len(point), bool)
            if active is not None:
                mask = active(np.array([found[-1]], np.int32))[0]
            point = np.where(mask, found[-1], point).tolist()  # random where inactive
        pairs = zip(grids.items(), point, strict=True)
        return {name: grid.decode(category) for (name, grid), category in pairs}

    def after_trial(
        self,
        study: Study,
        trial: FrozenTrial,
        state: TrialState,
        values: Sequence[float] | None,
    ) -> None:
        """Store the constraints of a finished trial."""
        if self.constraints_func is not None and state != TrialState.FAIL:
            violations = tuple(self.constraints_func(trial))
            study._storage.set_trial_system_attr(trial._trial_id, "constraints", violations)

    def _trials(self, study: Study) -> "_Trials":
        """Return the finished trials, of which only new ones are read."""
        done = study.get_trials(deepcopy=False, states=_FINISHED)
        if not self._cached.read(done):
            self._cached = _Trials()
            self._cached.read(done)
        return self._cached


_READING = Lock()  # because the threads of a study share the cached trials
_FINISHED = (TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL)
COARSE = 17  # equidistant values of a numerical parameter
FIRST, GROWTH = 20, 1.5  # refined after the first trials, and when their number has grown so much


class _Grid:
    """The values of a parameter that the model distinguishes.

    For a numerical parameter they are equidistant, and denser around its best value.

    >>> grid = _Grid(FloatDistribution(1e-4, 1.0, log=True), None, 0)
    >>> grid.size, grid.encode(0.011), round(grid.decode(8), 9)
    (17, 8, 0.01)
    >>> grid = _Grid(FloatDistribution(0.0, 16.0), 5.0, 2)
    >>> [grid.decode(k) for k in range(3, 10)]
    [3.0, 4.0, 4.5, 4.75, 5.0, 5.25, 5.5]
    """

    def __init__(self, distribution: BaseDistribution, best: float | None, level: int) -> None:
        self._distribution = distribution
        self.ordered = not isinstance(distribution, CategoricalDistribution)
        if isinstance(distribution, CategoricalDistribution):
            self.size = len(distribution.choices)
            return
        assert isinstance(distribution, FloatDistribution | IntDistribution)
        self._log = distribution.log
        low, high, step = distribution.low, distribution.high, distribution.step
        whole = isinstance(distribution, IntDistribution)
        if step is not None and (high - low) / step < 2 * COARSE:
            points = low + step * np.arange(math.floor((high - low) / step + 1.5))
        else:
            ends = self._scale(low), self._scale(high)
            points = np.linspace(*ends, COARSE)
            if best is not None and level:
                near = (ends[1] - ends[0]) / (COARSE - 1) * 0.5 ** np.arange(level + 1)
                centre = self._scale(best)
                points = np.concatenate([points, [centre], centre - near, centre + near])
            points = np.clip(np.exp(points) if self._log else points, low, high)
            if step is not None:
                points = low + step * np.round((points - low) / step)
        ordered = np.unique(np.clip(points, low, high))
        self._points = [int(point) if whole else float(point) for point in ordered]
        self.size = len(self._points)
        scaled = np.array([self._scale(point) for point in self._points])
        self._middles = (scaled[1:] + scaled[:-1]) / 2

    def _scale(self, value: float) -> float:
        """Return the logarithm of a value on a logarithmic scale, else the value."""
        return math.log(value) if self._log else value

    def encode(self, value: Any) -> int:
        """Return the category nearest to a value."""
        if isinstance(self._distribution, CategoricalDistribution):
            return int(self._distribution.to_internal_repr(value))
        return int(np.searchsorted(self._middles, self._scale(value)))

    def decode(self, category: int) -> Any:
        """Return the value of a category."""
        if isinstance(self._distribution, CategoricalDistribution):
            return self._distribution.to_external_repr(category)
        return self._points[category]


Grids: TypeAlias = dict[str, _Grid]


class _Trials:
    """The finished trials of a study, in the order in which they ended, as rows of categories."""

    def __init__(self) -> None:
        self._trials: list[FrozenTrial] = []
        self._numbers: set[int] = set()
        self._found: dict[str, BaseDistribution | None] = {}  # None: it has changed
        self._grids: tuple[Any, Grids] = None, {}
        self._rows: list[Rows] = []
        self._present: list[Mask] = []

    def read(self, done: list[FrozenTrial]) -> bool:
        """Read the new trials; return whether they continue those read before.

        They do not if they ended earlier, or if the trials read before belong to another study.
        """
        ended = {trial.number: trial.datetime_complete for trial in done}
        if any(ended.get(one.number) != one.datetime_complete for one in self._trials):
            return False
        new = sorted((t for t in done if t.number not in self._numbers), key=_end)
        if new and self._trials and _end(new[0]) < _end(self._trials[-1]):
            return False
        for trial in new:
            self._trials.append(trial)
            self._numbers.add(trial.number)
            for name, distribution in trial.distributions.items():
                if self._found.setdefault(name, distribution) != distribution:
                    self._found[name] = None
        return True

    @property
    def distributions(self) -> Distributions:
        """The parameters with several values whose distribution never changed."""
        known = {name: one for name, one in self._found.items() if one is not None}
        return {name: one for name, one in known.items() if not one.single()}

    def grids(self, search_space: Distributions, values: NDArray[np.float64]) -> Grids:
        """Return the grids of parameters, refined around the best trial as trials accumulate."""
        level, last, count = 0, 0, FIRST
        while count <= len(values):
            level, last, count = level + 1, count, math.ceil(GROWTH * count)
        early, best = values[:last], None
        if level and not np.isnan(early).all():
            best = self._trials[int(np.nanargmin(early))]
        key = level, search_space, best and best.number  # values of pruned trials change
        if self._grids[0] != key:
            centre = best.params if best else {}
            made = {name: _Grid(one, centre.get(name), level) for name, one in search_space.items()}
            self._grids, self._rows, self._present = (key, made), [], []
        return self._grids[1]

    def rows(self, grids: Grids) -> tuple[Rows, Callable[[Rows], Mask] | None]:
        """Return the categories of all trials, and the function that returns active variables."""
        for trial in self._trials[len(self._rows) :]:
            row, present = _encode(grids, trial.params)
            self._rows.append(row)
            self._present.append(present)
        rows = np.array(self._rows, np.int32).reshape(-1, len(grids))
        present = np.array(self._present, bool).reshape(rows.shape)
        rules = _rules(rows, present, [grid.size for grid in grids.values()])
        if not rules:
            return rows, None

        def active(some: Rows) -> Mask:
            found = np.ones(some.shape, bool)
            for variable, parent, allowed in rules:
                found[:, variable] = found[:, parent] & allowed[some[:, parent]]
            return found

        return rows, active

    def values(self, study: Study) -> NDArray[np.float64]:
        """Return the values to be minimised, with NaN for failed and infeasible trials."""
        sign = -1.0 if study.direction == StudyDirection.MAXIMIZE else 1.0
        complete = [sign * _value(t) for t in self._trials if t.state == TrialState.COMPLETE]
        median = float(np.median(complete)) if complete else -math.inf
        values = []
        for trial in self._trials:
            violations = trial.system_attrs.get("constraints") or ()
            if trial.state == TrialState.COMPLETE:
                value = sign * _value(trial)
            elif trial.state == TrialState.PRUNED and trial.intermediate_values:
                last = trial.intermediate_values[max(trial.intermediate_values)]
                value = max(sign * last, median)
            else:
                value = math.nan
            values.append(math.nan if any(v > 0 for v in violations) else value)
        return np.array(values, np.float64)


def _end(trial: FrozenTrial) -> tuple[float, int]:
    """Return a key that sorts trials by the time at which they ended."""
    ended = trial.datetime_complete
    return (math.inf if ended is None else ended.timestamp()), trial.number


def _encode(grids: Grids, params: dict[str, Any]) -> tuple[Rows, Mask]:
    """Return the categories of parameters, and which of them are present."""
    row = [grid.encode(params[name]) if name in params else 0 for name, grid in grids.items()]
    return np.array(row, np.int32), np.array([name in params for name in grids], bool)


def _rules(rows: Rows, present: Mask, sizes: Sequence[int]) -> list[tuple[int, int, Mask]]:
    """Return rules for active variables: variable, parent, and categories of the parent.

    A parent is present whenever the variable is, and none of its categories occurs both with and
    without the variable.

    >>> rows = np.array([[0, 1], [1, 0], [0, 2]], np.int32)
    >>> _rules(rows, np.array([[True, True], [True, False], [True, True]]), [3, 4])
    [(1, 0, array([ True, False, False]))]
    """
    if present.all():
        return []
    rules = []
    order = np.argsort(-present.sum(axis=0), kind="stable")  # parents before children
    for position, variable in enumerate(order):
        own = present[:, variable]
        if own.all():
            continue
        for parent in order[:position]:
            there = present[:, parent]
            if (own & ~there).any() or there.sum() == own.sum():
                continue
            allowed = np.zeros(sizes[parent], bool)
            allowed[rows[own, parent]] = True
            if not allowed[rows[there & ~own, parent]].any():
                rules.append((int(variable), int(parent), allowed))
                break
    return rules


class BitMutationSampler(_CatcubeBase):
    """A sampler that mutates the bits of the best trial: a (1+1) EA on a representation.

    The best completed trial, the latest of equal ones, is encoded by random bits of its categories;
    every bit flips with probability 1/n, repeatedly until the point changes. Numerical parameters,
    and parameters that some completed trials lack, are drawn at random.

    Parameters
    ----------
    representation
        A Representation or its name, or a mapping from parameters to these; or "native": every
        parameter changes with probability 1/n.
    seed
        Any integer >= 0; by default random.

    Notes
    -----
    The sampler has no state: everything is in the study, and the random numbers of a trial depend
    only on the seed and the number of the trial. So any process can continue a stored study exactly
    as if it had not been interrupted, and several processes may work on it at the same time.

    Examples
    --------
    >>> import optuna
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> def objective(trial):
    ...     base = trial.suggest_categorical("base", ["A", "T", "C", "G"])
    ...     digit = trial.suggest_categorical("digit", list(range(1, 10)))
    ...     return abs(digit - 7) + (base != "G")
    >>> study = optuna.create_study(sampler=BitMutationSampler(seed=1))
    >>> study.optimize(objective, n_trials=100)
    >>> study.best_params, study.best_value
    ({'base': 'G', 'digit': 7}, 0.0)
    """

    def __init__(
        self, representation: RepresentationChoice = "linear", seed: int | None = None
    ) -> None:
        super().__init__(seed)
        self.representation = representation
        self._common = IntersectionSearchSpace()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> Distributions:
        """Return the categorical parameters that all completed trials have."""
        self._check(study)
        common = self._common.calculate(study)
        wanted = CategoricalDistribution
        return {name: one for name, one in common.items() if isinstance(one, wanted)}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: Distributions
    ) -> dict[str, Any]:
        """Return a mutation of the best trial."""
        best = best_trial(study)
        if not search_space or best is None:
            return {}
        choices = cast(dict[str, CategoricalDistribution], search_space)  # as inferred above
        sizes = {name: len(one.choices) for name, one in choices.items()}
        parent = [int(one.to_internal_repr(best.params[name])) for name, one in choices.items()]
        if is_native(self.representation):
            child = mutate_categories(list(sizes.values()), parent, self._random(trial))
        else:
            # Labels are indices, since choices of Optuna may be equal, such as 1 and True.
            space = Space({name: range(size) for name, size in sizes.items()})
            kinds = resolve_representations(space, self.representation)
            child = mutate_bits(kinds, parent, self._random(trial))
        pairs = zip(choices.items(), child, strict=True)
        return {name: one.to_external_repr(category) for (name, one), category in pairs}


def best_trial(study: Study) -> FrozenTrial | None:
    """Return the best completed trial, the latest of equal ones, to cross plateaus."""
    sign = -1 if study.direction == StudyDirection.MAXIMIZE else 1
    done = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    return min(done, key=lambda trial: (sign * _value(trial), -trial.number), default=None)


def _value(trial: FrozenTrial) -> float:
    """Return the value of a completed trial."""
    assert trial.value is not None  # it is complete
    return trial.value


def mutate_bits(
    kinds: list[Representation], parent: list[int], random: np.random.Generator
) -> list[int]:
    """Return a mutation of categories: standard bit mutation of random encodings.

    >>> from catcube.representations import representation
    >>> mutate_bits([representation("linear", 4)] * 3, [0, 1, 2], np.random.default_rng(2))
    [2, 2, 2]
    """
    coded = zip(kinds, parent, strict=True)
    bits = np.concatenate([kind.encode(category, random) for kind, category in coded])
    ends = np.cumsum([kind.bits for kind in kinds])[:-1]
    child = parent
    while bits.size and child == parent:
        flips = random.random(bits.size) < 1 / bits.size
        parts = np.split(bits ^ flips, ends)
        child = [int(kind.decode(part)) for kind, part in zip(kinds, parts, strict=True)]
    return child


def mutate_categories(
    sizes: list[int], parent: list[int], random: np.random.Generator
) -> list[int]:
    """Return a mutation of categories: each changes with probability 1/n.

    >>> mutate_categories([4, 4, 1], [0, 1, 0], np.random.default_rng(2))
    [1, 1, 0]
    """
    genes = [gene for gene, size in enumerate(sizes) if size > 1]
    child = list(parent)
    while genes and child == parent:
        for gene in genes:
            if random.random() < 1 / len(genes):
                step = int(random.integers(1, sizes[gene]))
                child[gene] = (parent[gene] + step) % sizes[gene]
    return child

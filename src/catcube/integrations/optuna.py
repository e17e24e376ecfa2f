"""A sampler for Optuna studies with categorical parameters."""

import secrets
from hashlib import sha256
from typing import Any

import numpy as np

from catcube.errors import BadValue
from catcube.integrations import missing
from catcube.representations import Representation
from catcube.representations.layout import RepresentationChoice, is_native, representations_of
from catcube.space import Space

try:
    from optuna.distributions import BaseDistribution, CategoricalDistribution
    from optuna.samplers import BaseSampler, RandomSampler
    from optuna.search_space import IntersectionSearchSpace
    from optuna.study import Study, StudyDirection
    from optuna.trial import FrozenTrial, TrialState
except ImportError as error:
    raise missing("optuna") from error


class BitMutationSampler(BaseSampler):
    """Mutates the bits of the best trial so far: a (1+1) EA on a representation of the categories.

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

    The best completed trial, the latest of several, is encoded by uniformly random bits of its
    categories; every bit flips with probability 1/n, repeatedly until the point changes.
    Parameters that are not in all completed trials, or that are numbers, are drawn at random.

    It has no state: all it needs is in the study, and the random numbers of a trial depend on the
    seed and the number of the trial only. So any process can continue a stored study exactly as if
    it had not been interrupted, and several processes may work on it at a time. This is why it
    does not use an algorithm of `catcube.minimize`: that would keep a state beside the study.

    - `representation`: the name of a family, a Representation, or one by name of the parameter;
      or "native": every parameter with a choice gets another one with probability 1/n.
    - `seed`: any integer >= 0.
    """

    def __init__(
        self, representation: RepresentationChoice = "linear", seed: int | None = None
    ) -> None:
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or seed < 0):
            raise BadValue(f"expected an integer >= 0 as seed, got {seed!r}")
        self.representation = representation
        self.seed = secrets.randbits(63) if seed is None else seed
        self._common = IntersectionSearchSpace()
        self._made: tuple[dict[str, int], list[Representation]] = ({}, [])

    def infer_relative_search_space(
        self, study: Study, trial: FrozenTrial
    ) -> dict[str, BaseDistribution]:
        """Return the categorical parameters that all completed trials have."""
        if len(study.directions) > 1:
            raise BadValue(
                f"expected a study with one objective for {type(self).__name__}, got "
                f"{len(study.directions)}"
            )
        common = self._common.calculate(study)
        return {
            name: distribution
            for name, distribution in common.items()
            if isinstance(distribution, CategoricalDistribution)
        }

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Return the labels of a mutated best trial."""
        best = best_trial(study)
        if not search_space or best is None:
            return {}
        choices = {
            name: distribution
            for name, distribution in search_space.items()
            if isinstance(distribution, CategoricalDistribution)
        }
        sizes = {name: len(distribution.choices) for name, distribution in choices.items()}
        parent = [
            int(distribution.to_internal_repr(best.params[name]))
            for name, distribution in choices.items()
        ]
        if is_native(self.representation):
            child = mutated_natively(list(sizes.values()), parent, self._random(trial))
        else:
            child = mutated(self._kinds(sizes), parent, self._random(trial))
        return {
            name: distribution.to_external_repr(category)
            for (name, distribution), category in zip(choices.items(), child, strict=True)
        }

    def sample_independent(
        self,
        study: Study,
        trial: FrozenTrial,
        param_name: str,
        param_distribution: BaseDistribution,
    ) -> Any:
        """Return a random value of a parameter."""
        random = self._random(trial, param_name)
        sampler = RandomSampler(seed=int(random.integers(2**32)))
        return sampler.sample_independent(study, trial, param_name, param_distribution)

    def _kinds(self, sizes: dict[str, int]) -> list[Representation]:
        """Return the representations for these numbers of choices; the last ones are cached.

        Labels are indices, since choices of Optuna may be equal, such as 1 and True.
        """
        made = self._made  # another thread may replace it
        if made[0] != sizes:
            space = Space({name: range(size) for name, size in sizes.items()})
            self._made = made = sizes, representations_of(space, self.representation)
        return made[1]

    def _random(self, trial: FrozenTrial, name: str = "") -> np.random.Generator:
        """Return the random generator of a trial, or of a parameter of it."""
        key = sha256(name.encode()).digest()[:8] if name else b""
        return np.random.default_rng([self.seed, trial.number, int.from_bytes(key, "little")])


def best_trial(study: Study) -> FrozenTrial | None:
    """Return the best completed trial, the latest of equal ones: a search must cross plateaus."""
    sign = -1 if study.direction == StudyDirection.MAXIMIZE else 1
    done = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    return min(done, key=lambda trial: (sign * _value(trial), -trial.number), default=None)


def _value(trial: FrozenTrial) -> float:
    assert trial.value is not None  # it is complete
    return trial.value


def mutated(
    kinds: list[Representation], parent: list[int], random: np.random.Generator
) -> list[int]:
    """Change categories of the parent by standard bit mutation of a random code.

    >>> from catcube.representations import representation
    >>> mutated([representation("linear", 4)] * 3, [0, 1, 2], np.random.default_rng(2))
    [2, 2, 2]
    """
    bits = np.concatenate(
        [
            representation.encode(category, random)
            for representation, category in zip(kinds, parent, strict=True)
        ]
    )
    ends = np.cumsum([representation.bits for representation in kinds])[:-1]
    child = parent
    while bits.size and child == parent:
        flips = random.random(bits.size) < 1 / bits.size
        parts = np.split(bits ^ flips, ends)
        child = [
            int(representation.decode(part))
            for representation, part in zip(kinds, parts, strict=True)
        ]
    return child


def mutated_natively(sizes: list[int], parent: list[int], random: np.random.Generator) -> list[int]:
    """Change categories of the parent, each with probability 1/n.

    >>> mutated_natively([4, 4, 1], [0, 1, 0], np.random.default_rng(2))
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

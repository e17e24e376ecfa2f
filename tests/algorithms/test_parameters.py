"""Faults of the algorithms that no other test noticed."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from catcube import minimize
from catcube.algorithms import algorithm, names, p3
from catcube.algorithms.algorithm import Meaning
from catcube.engine.compiled.jit import njit
from catcube.problems import Match
from catcube.representations.layout import representations_of
from tests.naive import search as naive

# What each parameter must be, in the words that users read.
RANGES = {
    "rls": {"patience": ">= 1"},
    "hc": {},
    "sa": {
        "beta_ratio": ">= 1",
        "trials": ">= 1",
        "initial_acceptance": "> 0 and < 1",
        "transitions": ">= 1",
        "keep_trying": "",
        "over_budget": "",
        "hot": "> 0 and < 1",
        "cold": "> 0 and < 1",
    },
    "ea-1p1": {},
    "ea-10p1": {"mu": ">= 1", "offspring": ">= 1", "replace_first": ""},
    "ga": {"mu": ">= 1", "tournament": ">= 0", "crossover": ">= 0 and <= 1", "by_variable": ""},
    "pbil": {
        "population": ">= 1",
        "selection": ">= 1",
        "rate": "> 0 and <= 1",
        "margin": ">= 0",
    },
    "mimic": {"population": ">= 1", "selection": ">= 1", "margin": ">= 0"},
    "umda": {"population": ">= 1", "selection": ">= 1", "margin": ">= 0"},
    "ltga": {"population": ">= 1"},
    "p3": {"hill_climber": ""},
}


@pytest.mark.parametrize("name", names())
def test_the_ranges_are_these(name):
    described = {own.name: own.meaning.range for own in algorithm(name).described()}
    assert described == RANGES[name]


def test_a_refusal_says_the_range():
    with pytest.raises(ValueError, match=r"^ea-10p1: mu must be >= 1, not 0$"):
        algorithm("ea-10p1").resolve(None, {"mu": 0})
    with pytest.raises(ValueError, match=r"^pbil: rate must be > 0 and <= 1, not 0$"):
        algorithm("pbil").resolve(None, {"rate": 0})


def test_an_algorithm_and_a_meaning_cannot_be_changed():
    shipped = algorithm("rls")
    assert [own.name for own in shipped.described()] == ["patience"]
    with pytest.raises(FrozenInstanceError):
        shipped.name = "other"
    with pytest.raises(FrozenInstanceError):
        Meaning("text").low = 1


# Settings at which a branch begins, beside those of test_twins.py.
CORNERS = [
    ("ga", {"mu": 2, "tournament": 3, "crossover": 0.5}),
    ("ga", {"mu": 3, "tournament": 1, "crossover": 0.5, "by_variable": True}),
]


@pytest.mark.parametrize(("name", "settings"), CORNERS, ids=lambda own: str(own))
def test_the_same_run_as_the_twin(name, settings):
    problem = Match(30, 6, seed=4)
    hidden = problem.integers.tolist()

    def value(categories):
        return sum(own != other for own, other in zip(categories, hidden, strict=True))

    representations = representations_of(problem.space, "linear")
    parameters = algorithm(name).resolve(None, settings)
    twin = naive.run(name, value, representations, parameters, 120, 5)
    result = minimize(problem, algorithm=name, budget=120, seed=5, **settings)
    assert list(zip(*(part.tolist() for part in result.trace), strict=True)) == twin.trace
    assert result.bits.tolist() == twin.best_bits
    assert result.nfev == len(twin.values) == 120


@njit
def room_left(memory):
    return p3.has_room(memory)


@njit
def hashed(memory):
    p3.hash_held(memory)


@njit
def slot_in(memory, solution):
    return p3.slot_of(memory, solution)


def test_a_pyramid_has_room_for_a_member_on_every_level_and_one_level_more():
    memory = p3.new_memory(3, 4, 8)
    assert memory.held.shape[0] == 16
    assert memory.slots.size == 64
    assert room_left(memory)
    memory.sizes[:] = 3, 12
    memory.members[:3] = 7, 4, 1
    assert room_left(memory)  # 12 are held; one for each of four levels fits
    memory.sizes[p3.HELD] = 13
    assert not room_left(memory)
    memory.sizes[:] = 4, 4
    assert not room_left(memory)
    for full in range(3):
        memory.sizes[:] = 3, 4
        memory.members[:] = 1
        memory.members[full] = 8
        assert not room_left(memory)
    memory.members[:] = 1, 1, 1, 8
    assert room_left(memory)


def test_all_that_a_pyramid_holds_is_found():
    draw = np.random.default_rng(1)
    memory = p3.new_memory(100, 4, 8)
    solutions = draw.integers(0, 2**63, (20, 3)).astype(np.uint64)
    solutions[:, 2] = 0
    memory.held[:14] = solutions[:14]
    memory.sizes[p3.HELD] = 14
    memory.slots[:] = 5
    with np.errstate(over="ignore"):
        hashed(memory)
        found = [memory.slots[slot_in(memory, own)] for own in solutions]
    assert found == [*range(14), *[-1] * 6]
    assert sorted(memory.slots[memory.slots >= 0].tolist()) == list(range(14))


def test_a_pyramid_that_grew_holds_what_it_held():
    memory = p3.new_memory(3, 4, 8)
    memory.sizes[:] = 2, 5
    memory.members[:2] = 4, 1
    memory.held[:5] = np.arange(15).reshape(5, 3)[:, :2]
    more_members = p3.grown(memory)
    assert more_members.donors.stamps.shape == (4, 16)
    assert more_members.held.shape[0] == 32
    assert more_members.held[:5].tolist() == memory.held[:5].tolist()
    assert more_members.sizes.tolist() == [2, 5]
    memory.sizes[p3.LEVELS] = 4
    more_levels = p3.grown(memory)
    assert more_levels.donors.stamps.shape == (4 + p3.FIRST_LEVELS, 8)
    assert more_levels.members.tolist() == [4, 1, *[0] * (2 + p3.FIRST_LEVELS)]

"""The memory of P3: its room, its hash table, and how it grows."""

import numpy as np

from catcube.algorithms import p3
from catcube.engine.compiled.jit import njit


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
        found = [memory.slots[slot_in(memory, solution)] for solution in solutions]
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

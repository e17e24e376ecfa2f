"""What holds for every run: what is reported is what was found."""

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from catcube import Space, minimize
from catcube.algorithms import names as algorithm_names
from catcube.representations.layout import bit_layout, resolve_representations
from catcube.representations.registry import families


@st.composite
def runs(draw):
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=5))
    space = Space({f"x{index}": range(size) for index, size in enumerate(sizes)})
    values = draw(
        st.lists(st.one_of(st.integers(-3, 3), st.floats(allow_nan=False)), min_size=1, max_size=30)
    )
    multipliers = draw(st.lists(st.integers(0, 30), min_size=5, max_size=5))

    def cost(point):
        index = sum(a * b for a, b in zip(multipliers, point.values(), strict=False))
        return values[index % len(values)]

    arguments = {
        "algorithm": draw(st.sampled_from(algorithm_names())),
        "representation": draw(st.sampled_from(sorted(families))),
        "budget": draw(st.integers(1, 80)),
        "seed": draw(st.integers(0, 2**70)),
        "restart": draw(st.none() | st.integers(1, 30)),
        "target": draw(st.none() | st.integers(-3, 3)),
    }
    if arguments["algorithm"] in ("ga", "ltga", "umda", "pbil", "mimic"):
        name = "mu" if arguments["algorithm"] == "ga" else "population"
        arguments[name] = draw(st.integers(2, 20))
        if name == "population" and arguments["algorithm"] != "ltga":
            arguments["selection"] = draw(st.integers(1, arguments[name]))
        if name == "mu":
            arguments["tournament"] = draw(st.integers(0, 5))
    return cost, space, arguments


@given(runs())
def test_what_is_reported_is_what_was_found(run):
    cost, space, arguments = run
    seen = []

    def noted(point):
        seen.append(cost(point))
        return seen[-1]

    result = minimize(noted, space, **arguments)
    assert result.fun == cost(result.x)
    assert result.fun == min(seen)
    assert result.calls == len(seen)
    assert 1 <= result.nfev <= arguments["budget"]
    evaluations, values = result.trace
    assert (np.diff(values) < 0).all()
    assert (np.diff(evaluations) > 0).all()
    assert values[-1] == result.fun
    assert evaluations[-1] == result.nfev_best <= result.nfev
    layout = bit_layout(resolve_representations(space, arguments["representation"]))
    assert result.bits == layout.variable.size
    reached = arguments["target"] is not None and result.fun <= arguments["target"]
    assert reached == (result.message == "the target was reached")
    assert pickle.loads(pickle.dumps(result)).x == result.x

"""Every claim can be confirmed, refuted and left undecided."""

import numpy as np
import pytest

from catcube.algorithms import names
from catcube.paper.claims import ALGORITHMS, CLAIMS, Findings, verdicts
from catcube.statistics import Curve, Line, Pair, Summary, by_pair, summary

BY_ID = {claim.id: claim for claim in CLAIMS}
BUDGET = 10_000_000
SA = Pair("sa", "linear")
BOARDS = [f"small-dimension-{erased}-{letter}" for erased in range(1, 7) for letter in "abcd"]


def outcome(claim, findings):
    return BY_ID[claim].check(findings).outcome


def table(*behind, first=SA, percent=None):
    """All pairs, `first` first; linear before direct but for the algorithms `behind`."""
    pairs = [first]
    for name in ALGORITHMS:
        order = ("direct", "linear") if name in behind else ("linear", "direct")
        pairs += [Pair(name, own) for own in order if Pair(name, own) != first]
    return [
        Line(*pair, place, summary([place]), percent) for place, pair in enumerate(pairs, start=1)
    ]


def with_percent(lines, **percents):
    """The table with other success percents of some algorithms."""
    return [
        line._replace(success_percent=percents.get(line.algorithm, line.success_percent))
        for line in lines
    ]


def test_the_algorithms_are_ours():
    assert set(ALGORITHMS) <= set(names())
    assert len(ALGORITHMS) == 11


def test_claims_have_different_ids_and_are_whole_sentences():
    assert len(BY_ID) == len(CLAIMS) == 19
    assert all(claim.sentence.endswith(".") for claim in CLAIMS)


def test_without_data_nothing_is_decided():
    assert all(verdict.outcome == "undecided" for _, verdict in verdicts(Findings()))


def test_fixed_budget_dominance():
    claim = "budget-linear-dominates"
    assert outcome(claim, Findings(budget_ranks=table())) == "confirmed"
    verdict = BY_ID[claim].check(Findings(budget_ranks=table("hc")))
    assert verdict.outcome == "refuted"
    assert "not for hc" in verdict.reason
    lines = by_pair(table("hc"))
    assert verdict.figures["hc"] == (
        lines[Pair("hc", "linear")].rank,
        lines[Pair("hc", "direct")].rank,
    )
    verdict = BY_ID[claim].check(Findings(budget_ranks=table()[:-1]))
    assert (verdict.outcome, verdict.reason) == ("undecided", "missing: p3-direct")


def test_an_equal_place_is_no_dominance():
    lines = table()
    last = lines[-1]._replace(rank=lines[-2].rank)
    assert outcome("budget-linear-dominates", Findings(budget_ranks=[*lines[:-1], last])) == (
        "refuted"
    )


def test_annealing_first_on_every_instance():
    claim = "budget-sa-linear-first"
    lines = table()
    assert outcome(claim, Findings(budget_ranks=lines)) == "confirmed"
    once_second = lines[0]._replace(summary=Summary(1, 1, 1, 1, 2))
    assert outcome(claim, Findings(budget_ranks=[once_second, *lines[1:]])) == "refuted"
    assert outcome(claim, Findings(budget_ranks=lines[1:])) == "undecided"


@pytest.mark.parametrize(
    ("behind", "wanted"),
    [(["mimic"], "confirmed"), ([], "refuted"), (["mimic", "ga"], "refuted")],
)
def test_only_mimic_does_not_profit(behind, wanted):
    values = {"sudoku-easy-56": table(*behind)}
    assert outcome("budget-only-mimic", Findings(budget_values=values)) == wanted
    elsewhere = {"sudoku-easy-54": table(*behind)}
    assert outcome("budget-only-mimic", Findings(budget_values=elsewhere)) == "undecided"


def test_local_search_first():
    claim = "target-rls-linear-first"
    first = table(first=Pair("rls", "linear"))
    assert outcome(claim, Findings(target_ranks={"all": first})) == "confirmed"
    assert outcome(claim, Findings(target_ranks={"all": table()})) == "refuted"
    shared = [first[0], first[1]._replace(rank=1), *first[2:]]
    assert outcome(claim, Findings(target_ranks={"all": shared})) == "refuted"
    assert outcome(claim, Findings(target_ranks={"all": first[:-1]})) == "undecided"
    assert outcome(claim, Findings(target_ranks={"low": first})) == "undecided"


@pytest.mark.parametrize(
    ("group", "behind"),
    [
        ("all", ["ga", "mimic"]),
        ("low", ["ga", "pbil", "umda", "mimic"]),
        ("medium", ["ga", "mimic"]),
    ],
)
def test_fixed_target_dominance(group, behind):
    claim = f"target-linear-dominates-{group}"
    assert outcome(claim, Findings(target_ranks={group: table(*behind)})) == "confirmed"
    assert outcome(claim, Findings(target_ranks={group: table(*behind, "p3")})) == "refuted"
    assert outcome(claim, Findings(target_ranks={group: table(*behind[1:])})) == "refuted"
    assert outcome(claim, Findings(target_ranks={"other": table(*behind)})) == "undecided"


def test_only_annealing_fails():
    claim = "target-only-sa-fails"
    all_succeed = dict.fromkeys(BOARDS, table(percent=100))
    annealing = all_succeed | {BOARDS[-1]: with_percent(table(percent=100), sa=98)}
    other = annealing | {BOARDS[0]: with_percent(table(percent=100), hc=99)}
    larger = annealing | {"small-dimension-7-a": with_percent(table(percent=100), hc=9)}
    assert outcome(claim, Findings(target_runtimes=annealing)) == "confirmed"
    assert outcome(claim, Findings(target_runtimes=larger)) == "confirmed"
    assert outcome(claim, Findings(target_runtimes=all_succeed)) == "refuted"
    verdict = BY_ID[claim].check(Findings(target_runtimes=other))
    assert verdict.outcome == "refuted"
    assert verdict.figures["hc"] == (99, 99)
    one = {BOARDS[0]: other[BOARDS[0]]}  # one failure is enough, whatever is missing
    assert outcome(claim, Findings(target_runtimes=one)) == "refuted"
    rest = {board: annealing[board] for board in BOARDS[1:]}
    assert outcome(claim, Findings(target_runtimes=rest)) == "undecided"
    untold = dict.fromkeys(BOARDS, table(percent=None))
    assert outcome(claim, Findings(target_runtimes=untold)) == "undecided"


def curve(**levels):
    """A curve by its levels in thousandths: after 10**k evaluations, or after 10**k and a half."""
    steps = {10 ** (float(name[1:].replace("_", "."))): level for name, level in levels.items()}
    return Curve(np.array([round(moment) for moment in steps]), np.array([*steps.values()]), 1000)


RISING = {"e0": 20, "e2": 300, "e3": 500, "e4": 600, "e5": 700, "e6": 800}
ABOVE = {"e0": 20, "e2": 305, "e3": 600, "e4": 700, "e5": 800, "e6": 950}
EARLY = {"e0": 20, "e2": 400, "e3": 600, "e4": 650, "e5": 700, "e6": 720}
BARELY = {"e0": 20, "e2": 400, "e3": 600, "e4": 650, "e5": 700, "e6": 797}


def ecdf_outcome(algorithm, linear, direct, budget=BUDGET):
    curves = {
        Pair(algorithm, "linear"): curve(**linear),
        Pair(algorithm, "direct"): curve(**direct),
    }
    return outcome(f"ecdf-{algorithm}", Findings(curves=curves, curves_budget=budget))


@pytest.mark.parametrize("algorithm", ["rls", "sa", "ea-1p1", "ea-10p1", "ga"])
def test_curves_that_diverge(algorithm):
    assert ecdf_outcome(algorithm, ABOVE, RISING) == "confirmed"
    assert ecdf_outcome(algorithm, ABOVE, RISING | {"e0": 60}) == "confirmed"  # a common start
    assert ecdf_outcome(algorithm, ABOVE, RISING | {"e0": 80}) == "refuted"
    assert ecdf_outcome(algorithm, RISING | {"e6": 805}, RISING) == "refuted"  # no divergence
    assert ecdf_outcome(algorithm, ABOVE | {"e6": 790}, RISING) == "refuted"  # not in the end
    lost = {"e5": 830, "e6": 945}  # linear is ahead again, but by next to nothing
    assert ecdf_outcome(algorithm, ABOVE, RISING | lost) == "refuted"
    assert ecdf_outcome(algorithm, RISING, EARLY) == "refuted"
    assert ecdf_outcome(algorithm, RISING, RISING) == "refuted"
    assert ecdf_outcome(algorithm, RISING, ABOVE) == "refuted"
    assert ecdf_outcome(algorithm, ABOVE, RISING, budget=BUDGET - 1) == "undecided"


@pytest.mark.parametrize("algorithm", ["hc", "pbil", "umda", "mimic"])
def test_curves_that_cross(algorithm):
    large = "refuted" if algorithm == "mimic" else "confirmed"
    assert ecdf_outcome(algorithm, RISING, EARLY) == large
    assert ecdf_outcome(algorithm, RISING, BARELY) == "confirmed"
    assert ecdf_outcome(algorithm, ABOVE, RISING) == "refuted"
    assert ecdf_outcome(algorithm, ABOVE, RISING | {"e0": 60}) == "refuted"  # a common start
    assert ecdf_outcome(algorithm, EARLY, RISING) == "refuted"
    assert ecdf_outcome(algorithm, RISING, EARLY, budget=BUDGET // 10) == "undecided"


def stretch(begin, end, peak, final):
    """Linear ahead from `begin` to `end`, then direct by `peak` and finally by `final`."""
    direct = {"e0": 50, begin: 300, end: 700 + peak, "e6_9": 900 + final}
    linear = {"e0": 20, begin: 400, end: 700, "e6_9": 900}
    return linear, direct


def test_p3_is_ahead_between():
    assert ecdf_outcome("p3", *stretch("e3", "e6_2", 50, 50)) == "confirmed"
    assert ecdf_outcome("p3", *stretch("e3_7", "e6_2", 50, 50)) == "refuted"
    assert ecdf_outcome("p3", *stretch("e3", "e5_2", 50, 50)) == "refuted"
    assert ecdf_outcome("p3", *stretch("e3", "e6_2", 50, -5)) == "refuted"
    assert ecdf_outcome("p3", RISING, RISING) == "refuted"
    assert ecdf_outcome("p3", *stretch("e3", "e6_2", 50, 50), budget=9) == "undecided"


def test_ltga_is_ahead_between_and_almost_catches_up():
    assert ecdf_outcome("ltga", *stretch("e3", "e5_7", 50, 5)) == "confirmed"
    assert ecdf_outcome("ltga", *stretch("e3", "e5_7", 50, 40)) == "refuted"
    assert ecdf_outcome("ltga", *stretch("e3", "e6_5", 50, 5)) == "refuted"
    assert ecdf_outcome("ltga", *stretch("e3", "e5_7", 50, -5)) == "refuted"


def test_the_reason_tells_the_course():
    curves = {Pair("hc", "linear"): curve(**RISING), Pair("hc", "direct"): curve(**EARLY)}
    verdict = BY_ID["ecdf-hc"].check(Findings(curves=curves, curves_budget=BUDGET))
    assert verdict.reason == (
        "direct ahead in [100, 99,999], linear ahead in [1,000,000, 10,000,000], "
        "in the end linear − direct = +0.0800"
    )
    assert verdict.figures["lead 1"][:3] == (False, 100, 100_000)
    assert verdict.figures["final"] == pytest.approx((0.08,))

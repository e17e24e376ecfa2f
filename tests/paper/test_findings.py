"""What sections say about the claims."""

from catcube.analysis import analyse
from catcube.analysis.findings import findings_of
from catcube.paper.claims import ALGORITHMS, CLAIMS
from tests.analysis.analysis_stores import experiment, finding, write

SMALL = ("small-dimension-1-a", "small-dimension-6-a")


def linear_is_better(configuration, number):
    place = ALGORITHMS.index(configuration.algorithm) - 20 * (configuration.algorithm == "sa")
    direct = configuration.representation == "direct"
    if configuration.target is not None:
        return finding(number, 0.0, 40 + place + 50 * direct)
    return finding(number, 30.0 + place + 30 * direct)


def study(path, made=linear_is_better, name="fixed-budget", algorithms=ALGORITHMS, **changes):
    own = experiment(name, changes.pop("instances", ("a", "b")), algorithms, **changes)
    return analyse([write(path, [own], made)])


def outcomes(found):
    return {claim.id: verdict.outcome for claim, verdict in found.verdicts}


def test_a_complete_experiment_decides(tmp_path):
    found = study(tmp_path / "a.sqlite", instances=("sudoku-easy-56", "b"), runs=2)
    assert len(found.verdicts) == len(CLAIMS)
    decided = {name: own for name, own in outcomes(found).items() if own != "undecided"}
    assert decided == {
        "budget-linear-dominates": "confirmed",
        "budget-sa-linear-first": "confirmed",
        "budget-only-mimic": "refuted",
    }


def test_an_unfinished_experiment_decides_nothing(tmp_path):
    def half(configuration, number):
        return linear_is_better(configuration, number) if configuration.instance == "a" else None

    found = study(tmp_path / "a.sqlite", half, runs=2)
    assert found.sections[0].ranks
    assert set(outcomes(found).values()) == {"undecided"}


def test_runtimes_decide(tmp_path):
    found = study(tmp_path / "a.sqlite", name="fixed-target", instances=SMALL, target=0.0, runs=2)
    assert list(found.sections[0].ranks) == ["all", "low", "medium"]
    assert outcomes(found)["target-linear-dominates-all"] == "refuted"  # it names exceptions
    assert findings_of(found.sections).target_runtimes == found.sections[0].runtimes


def test_complete_curves_decide_while_others_are_under_way(tmp_path):
    def under_way(configuration, number):
        missing = configuration.algorithm == "ga" and configuration.instance == "b"
        return None if missing else linear_is_better(configuration, number)

    found = study(
        tmp_path / "a.sqlite", under_way, "ecdf", ("rls", "ga"), budget=10_000_000, runs=2
    )
    assert outcomes(found)["ecdf-rls"] == "confirmed"
    assert outcomes(found)["ecdf-ga"] == "undecided"


def test_curves_of_some_instances_only_decide_nothing(tmp_path):
    def first(configuration, number):
        return linear_is_better(configuration, number) if configuration.instance == "a" else None

    found = study(tmp_path / "a.sqlite", first, "ecdf", ("rls",), budget=10_000_000, runs=2)
    assert found.sections[0].instances == ("a",)
    assert findings_of(found.sections).curves == {}


def test_own_experiments_say_nothing_about_claims(tmp_path):
    assert study(tmp_path / "a.sqlite", name="mine", algorithms=("rls",)).verdicts == ()

"""The bridges to Optuna and IOHexperimenter, with the real packages."""

import importlib
import json
import subprocess
import sys
import warnings

import numpy as np
import pytest

import catcube
from catcube import BitProblem, Space
from catcube.experiments.ioh import safe_name
from catcube.problems import Match, Sudoku
from tests import ROOT

LABELS = {"base": "ATCG", "digit": tuple(range(1, 10)), "flag": (True, False, None)}


@pytest.fixture
def optuna():
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


@pytest.fixture
def ioh():
    import ioh

    return ioh


def suggested(trial):
    return {name: trial.suggest_categorical(name, list(labels)) for name, labels in LABELS.items()}


def objective(trial):
    point = suggested(trial)
    return abs(point["digit"] - 7) + 2 * (point["base"] != "G") + 3 * (point["flag"] is not None)


def sampler(**options):
    from catcube.integrations.optuna import BitMutationSampler

    return BitMutationSampler(**options)


def trials(study):
    return [(trial.number, trial.params, trial.value) for trial in study.trials]


@pytest.mark.parametrize(
    "module", ["integrations.ioh", "integrations.optuna", "studies.report.page"]
)
def test_a_missing_package_is_named(module, monkeypatch):
    package = module.rpartition(".")[2].replace("page", "jinja2")
    for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
        monkeypatch.delitem(sys.modules, name)  # else they are found without the package
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"catcube.{module}", raising=False)
    with pytest.raises(ImportError, match=f"this needs {package}: pip install"):
        importlib.import_module(f"catcube.{module}")


# Optuna


@pytest.mark.parametrize("name", ["linear", "direct"])
def test_a_study_finds_the_best_point(optuna, name):
    study = optuna.create_study(sampler=sampler(representation=name, seed=1))
    study.optimize(objective, n_trials=100)
    assert study.best_params == {"base": "G", "digit": 7, "flag": None}
    values = [trial.value for trial in study.trials]
    # Every trial is a mutant of the best one before it, and differs from it.
    best = study.trials[0]
    for trial in study.trials[1:]:
        assert trial.params != best.params
        if trial.value <= best.value:
            best = trial
    assert np.mean(values[-40:]) < np.mean(values[:10])


def test_a_study_may_maximise(optuna):
    study = optuna.create_study(direction="maximize", sampler=sampler(seed=2))
    study.optimize(lambda trial: -objective(trial), n_trials=100)
    assert study.best_value == 0


CONTINUE = """
from tests.integrations.test_integrations import objective, sampler
import optuna
optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.load_study(study_name="a", storage={storage!r}, sampler=sampler(seed=3))
study.optimize(objective, n_trials={count})
"""


@pytest.mark.long
def test_a_study_in_sqlite_is_continued_by_another_process(optuna, tmp_path):
    undisturbed = optuna.create_study(sampler=sampler(seed=3))
    undisturbed.optimize(objective, n_trials=15)
    storage = f"sqlite:///{tmp_path / 'a.sqlite'}"
    study = optuna.create_study(study_name="a", storage=storage, sampler=sampler(seed=3))
    study.optimize(objective, n_trials=6)
    code = CONTINUE.format(storage=storage, count=5)
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    study = optuna.load_study(study_name="a", storage=storage, sampler=sampler(seed=3))
    assert len(study.trials) == 11
    study.optimize(objective, n_trials=4)
    assert trials(study) == trials(undisturbed)


def test_seeds(optuna):
    found = []
    for seed in (4, 4, 5, None, None):
        study = optuna.create_study(sampler=sampler(seed=seed))
        study.optimize(objective, n_trials=12)
        found.append(trials(study))
    assert found[0] == found[1]
    assert found[0] != found[2]
    assert found[3] != found[4]
    for wrong in (-1, 0.5, True, "1"):
        with pytest.raises(ValueError, match="as seed"):
            sampler(seed=wrong)


def test_trials_at_the_same_time_are_different_ones(optuna):
    study = optuna.create_study(sampler=sampler(seed=1))
    study.optimize(objective, n_trials=5)
    asked = [study.ask() for _ in range(8)]
    points = [tuple(suggested(trial).items()) for trial in asked]
    assert len(set(points)) > 4
    for trial, value in zip(asked, range(8), strict=True):
        study.tell(trial, value)
    assert len(study.get_trials(states=[optuna.trial.TrialState.COMPLETE])) == 13
    study.optimize(objective, n_trials=10, n_jobs=3)
    assert [trial.number for trial in study.trials] == list(range(23))


def test_failed_and_pruned_trials_are_no_parents(optuna):
    from catcube.integrations.optuna import best_trial

    def failing(trial):
        value = objective(trial)
        if trial.number in (3, 4):
            raise optuna.TrialPruned
        if trial.number == 5:
            raise RuntimeError
        return 100 - trial.number if trial.number < 9 else value + 200

    study = optuna.create_study(sampler=sampler(seed=1))
    assert best_trial(study) is None
    study.optimize(failing, n_trials=12, catch=RuntimeError)
    assert best_trial(study).number == 8


def test_numbers_and_conditions_are_drawn_at_random(optuna):
    def mixed(trial):
        base = trial.suggest_categorical("base", list("ATCG"))
        number = trial.suggest_float("number", -1, 1)
        extra = trial.suggest_categorical("extra", [0, 1, 2]) if base in "AT" else 0
        return number**2 + (base != "C") + extra

    found = []
    for parts in [(40,), (15, 25)]:
        study = optuna.create_study(sampler=sampler(seed=6))
        for count in parts:
            study.sampler = sampler(seed=6)  # as another process would have
            study.optimize(mixed, n_trials=count)
        found.append(trials(study))
    assert found[0] == found[1]
    numbers = [params["number"] for _, params, _ in found[0]]
    assert len(set(numbers)) == 40
    # The mean of 40 uniform numbers from -1 to 1 is within four of its deviations.
    assert abs(np.mean(numbers)) < 4 * (1 / 3) ** 0.5 / 40**0.5
    assert {params.get("extra") for _, params, _ in found[0]} == {None, 0, 1, 2}


def test_what_a_sampler_refuses(optuna):
    study = optuna.create_study(directions=["minimize", "minimize"], sampler=sampler(seed=1))
    with pytest.raises(ValueError, match="a study with one objective, got 2"):
        study.optimize(lambda trial: (objective(trial), 2), n_trials=1)
    study = optuna.create_study(sampler=sampler(representation="liner", seed=1))
    with pytest.raises(ValueError, match="unknown representation 'liner'"):
        study.optimize(objective, n_trials=2)


def test_a_parameter_with_one_choice_stays(optuna):
    study = optuna.create_study(sampler=sampler(seed=1))
    study.optimize(lambda trial: len(trial.suggest_categorical("x", ["only"])), n_trials=4)
    assert [trial.params for trial in study.trials] == [{"x": "only"}] * 4


# IOHexperimenter


def test_a_problem_of_ioh(ioh):
    from catcube.integrations.ioh import ioh_problem

    bits = BitProblem(Sudoku.instance("small-dimension-4-a"))
    problem = ioh_problem(bits, instance=3)
    assert (problem.meta_data.n_variables, problem.meta_data.instance) == (60, 3)
    assert problem.meta_data.optimization_type == ioh.OptimizationType.MIN
    assert problem.bounds.lb.tolist() == [0] * 60
    random = np.random.default_rng(1)
    rows = random.integers(0, 2, (5, 60))
    assert [problem(row) for row in rows] == bits.values(rows).tolist()
    assert problem.state.evaluations == 5
    assert not problem.state.final_target_found
    solution = catcube.minimize(bits.problem, algorithm="rls", target=0, budget=20_000, seed=1)
    assert problem(bits.encode(solution.x)) == 0
    assert problem.state.final_target_found


def analyzer(ioh, folder, **options):
    return ioh.logger.Analyzer(
        root=str(folder), folder_name="out", algorithm_name="rls linear", **options
    )


def test_a_logger_around_our_runs(ioh, tmp_path):
    from catcube.integrations.ioh import minimize

    problem = Match(6, 4, seed=1)
    problem.name = "../match of six"
    logger = analyzer(ioh, tmp_path)
    options = {"algorithm": "rls", "budget": 80, "target": 0}
    found = [minimize(problem, logger=logger, seed=seed, **options) for seed in (1, 2, 3)]
    logger.close()
    for seed, result in zip((1, 2, 3), found, strict=True):
        plain = catcube.minimize(problem.evaluate, problem.space, seed=seed, **options)
        assert (result.x, result.fun, result.nfev) == (plain.x, plain.fun, plain.nfev)
        assert np.array_equal(result.trace.values, plain.trace.values)
    files = [p.name for p in tmp_path.rglob("*") if p.is_file()]
    number = [name for name in files if name.endswith(".json")]
    assert len(files) == 2
    content = json.loads(next(tmp_path.rglob("*.json")).read_text())
    assert content["function_name"] == safe_name(problem.name) == "_match_of_six"
    assert number == [f"IOHprofiler_f{content['function_id']}__match_of_six.json"]
    (scenario,) = content["scenarios"]
    assert scenario["dimension"] == 6
    assert [(run["evals"], run["best"]["y"]) for run in scenario["runs"]] == [
        (result.nfev, result.fun) for result in found
    ]
    assert [run["best"]["x"] for run in scenario["runs"]] == [
        problem.space.encode(result.x).tolist() for result in found
    ]
    assert same_improvements(tmp_path / "out", found)


def test_a_logger_counts_as_we_do(ioh):
    """Also where whole generations could be evaluated at once."""
    from catcube.integrations.ioh import minimize

    seen = ioh.logger.Store([ioh.logger.trigger.ALWAYS], [ioh.logger.property.RAWYBEST])
    options = {"algorithm": "umda", "budget": 500, "target": 1, "seed": 1}
    result = minimize(Match(5, 3, seed=1), logger=seen, **options)
    (rows,) = seen.data()["None"][seen.problem.problem_id][5][1].values()
    assert len(rows) == result.nfev < 500
    assert rows[result.nfev - 1]["raw_y_best"] == result.fun <= 1
    with pytest.raises(ValueError, match="expected no executor with a logger"):
        minimize(Match(5, 3, seed=1), logger=seen, executor=object())


def same_improvements(folder, results):
    """Whether iohinspector finds the improvements of these results in a folder."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what importing pandas and seaborn says
        import iohinspector

        manager = iohinspector.DataManager()
        manager.add_folder(str(folder))
        data = manager.load(monotonic=False)
    for number, result in enumerate(results, 1):
        rows = data.filter(data["run_id"] == number)
        values, evaluations = rows["raw_y"].to_numpy(), rows["evaluations"].to_numpy()
        better = np.concatenate([[True], values[1:] < np.minimum.accumulate(values)[:-1]])
        if not np.array_equal(values[better], result.trace.values):
            return False
        if not np.array_equal(evaluations[better], result.trace.evaluations):
            return False
    return len(set(data["run_id"])) == len(results)


def test_functions_and_their_failures(ioh, tmp_path):
    from catcube.integrations.ioh import minimize

    space = Space(LABELS)
    logger = analyzer(ioh, tmp_path)

    def cost(point):
        if point["digit"] == 7:
            raise RuntimeError("seven")
        return float(point["digit"])

    with pytest.raises(RuntimeError, match="seven"):
        minimize(cost, space, logger=logger, algorithm="rls", budget=1000, seed=1)
    best = minimize(
        lambda rows: rows[:, 0],
        space,
        logger=logger,
        name="bases",
        vectorized=True,
        algorithm="rls",
        representation="direct",
        budget=30,
        seed=1,
    )
    logger.close()
    assert (best.fun, best.x["base"]) == (0, "A")
    assert best.representation == "direct"
    (path,) = tmp_path.rglob("*_bases.json")
    assert json.loads(path.read_text())["scenarios"][0]["runs"][0]["evals"] == 30

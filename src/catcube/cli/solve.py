"""`catcube solve`: solve a Sudoku or another problem."""

from argparse import Namespace
from pathlib import Path
from secrets import randbits

from tqdm.std import tqdm

from catcube.algorithms import algorithm as algorithm_named
from catcube.base.files import check_replaceable, replace_file
from catcube.base.text import count, escape, expect
from catcube.cli import INTERRUPTED, SOLVED, UNSOLVED
from catcube.cli.input import find_named_instance, parse_settings
from catcube.cli.output import compare_to_optimum, green, print_note, use_colour
from catcube.experiments.plan import build_problem
from catcube.problems import Problem
from catcube.representations.layout import count_bits
from catcube.search.minimize import minimize
from catcube.search.result import Result
from catcube.search.watch import UNLIMITED, Progress

TIME_LIMIT = 60.0  # seconds, if neither a budget nor a time limit is given
UNKNOWN_TIME_LIMIT = 10.0  # if the optimum is unknown, as with conflicting givens
MAX_LINES = 50  # of a solution that are printed


def command(arguments: Namespace) -> int:
    """Search for a solution of the instance and print the best one found."""
    name, content = find_named_instance(arguments.instance)
    parameters = parse_settings(arguments.parameter)
    named = "sa" if arguments.algorithm == "auto" else arguments.algorithm  # as in minimize
    algorithm_named(named).resolve(None, parameters)
    judge = getattr(content, "judge", None)  # of an instance that may be solved already
    if judge is not None and (judged := judge(color=use_colour())) is not None:
        print(judged.text)
        return SOLVED if judged.correct else UNSOLVED
    problem, notes = build_problem(str(content or ""), name)
    if arguments.algorithm == "auto" and arguments.representation is None and not parameters:
        problem = problem.reduced()
    if arguments.representation is not None:
        count_bits(problem.space, arguments.representation)
    if arguments.out is not None:
        folder = Path(arguments.out).parent
        expect(folder.is_dir(), "an existing folder", str(folder), where="--out: ")
        check_replaceable(Path(arguments.out))
    time_limit = arguments.time_limit
    if time_limit is None and arguments.budget is None:
        time_limit = UNKNOWN_TIME_LIMIT if problem.optimum is None else TIME_LIMIT
    seed = randbits(63) if arguments.seed is None else arguments.seed
    for sentence in notes:
        print_note(escape(sentence))
    print(f"{escape(name)}: {problem.dimensions()}, seed {seed}", flush=True)
    with tqdm(bar_format="{desc}", disable=None, leave=False) as shown:

        def show(progress: Progress) -> None:
            made = count(progress.evaluations, "evaluation")
            shown.set_description_str(
                f"value {progress.fun:g} after {made}, {progress.seconds:.1f} s"
            )

        found = minimize(
            problem,
            algorithm=arguments.algorithm,
            representation=arguments.representation or "auto",
            budget=arguments.budget,
            time_limit=time_limit,
            target=problem.optimum,
            seed=seed,
            callback=show,
            restart=UNLIMITED,  # after convergence only
            **parameters,
        )
    _show(problem, found)
    if arguments.out is not None:
        replace_file(Path(arguments.out), f"{problem.solution(found.x)}\n".encode())
    return {"interrupt": INTERRUPTED, "target": SOLVED}.get(found.ending, UNSOLVED)


def _show(problem: Problem, found: Result) -> None:
    """Print the best solution and the cost of the search."""
    print()
    drawn = problem.drawing(found.x, color=use_colour())
    if drawn is not None:
        print(drawn)
    else:
        lines = problem.solution(found.x).splitlines()
        print("\n".join(map(escape, lines[:MAX_LINES])))
        if len(lines) > MAX_LINES:
            print(f"… {len(lines) - MAX_LINES} more lines (--out FILE writes all)")
    print()
    failed = found.message if problem.optimum is None else f"not solved: {found.message}"
    ending = green("solved") if found.ending == "target" else failed
    print(
        f"{ending}: {compare_to_optimum(found.fun, problem.optimum)}\n"
        f"{count(found.evaluations, 'evaluation')}, {found.seconds:.2f} s, "
        f"algorithm {found.algorithm}, representation {found.representation}"
    )

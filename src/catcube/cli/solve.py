"""`catcube solve`: search for the optimum of a problem."""

from argparse import Namespace
from pathlib import Path
from secrets import randbits

from tqdm.std import tqdm

from catcube.algorithms import algorithm as algorithm_named
from catcube.base.files import check_replaceable, replace_file
from catcube.base.text import count, visible
from catcube.cli import INTERRUPTED, SOLVED, UNSOLVED
from catcube.cli.input import checking, named_instance, settings
from catcube.cli.output import beside_optimum, green, in_colour, note
from catcube.errors import BadValue
from catcube.experiments.plan import build_problem
from catcube.problems import Problem
from catcube.representations.layout import bits_of, is_native
from catcube.representations.registry import NATIVE
from catcube.search.result import Result
from catcube.search.solve import MEMBERS, search, solve
from catcube.search.watch import Progress

TIME_LIMIT = 60.0  # seconds, if neither a budget nor a time limit is given
UNKNOWN_TIME_LIMIT = 10.0  # where no optimum is known, such as that of conflicting givens
LINES = 50  # of a solution that are printed

ENDINGS = {
    "target": "solved",
    "budget": "the budget is exhausted",
    "time": "the time limit is reached",
    "interrupt": "interrupted",
}


def command(arguments: Namespace) -> int:
    """Search for a solution of the instance and show the best one found."""
    with checking():
        name, content = named_instance(arguments.instance)
        parameters = settings(arguments.parameter)
        automatic = arguments.algorithm == "auto" and not parameters
        automatic = automatic and arguments.representation is None
        algorithm = "sa" if arguments.algorithm == "auto" else arguments.algorithm
        representation = arguments.representation or (NATIVE if automatic else "linear")
        algorithm_named(algorithm).resolve(None, parameters)
        judge = getattr(content, "judge", None)  # of an instance that may be solved already
        if judge is not None and (judged := judge(color=in_colour())) is not None:
            print(judged.text)
            return SOLVED if judged.correct else UNSOLVED
        problem, notes = build_problem(str(content or ""), name)
        if automatic:
            problem = problem.reduced()
        bits = bits_of(problem.space, representation)
        if arguments.out is not None:
            if not Path(arguments.out).absolute().parent.is_dir():
                raise BadValue(f"no such folder: {str(Path(arguments.out).parent)!r}")
            check_replaceable(Path(arguments.out))
    time_limit = arguments.time_limit
    if time_limit is None and arguments.budget is None:
        time_limit = UNKNOWN_TIME_LIMIT if problem.optimum is None else TIME_LIMIT
    seed = randbits(63) if arguments.seed is None else arguments.seed
    for sentence in notes:
        note(visible(sentence))
    size = "no bits" if is_native(representation) else f"{bits} bits"
    methods = " and ".join(MEMBERS) if automatic else algorithm
    print(
        f"{visible(name)}: {problem.dimensions()}, algorithm {methods}, "
        f"representation {representation} ({size}), seed {seed}",
        flush=True,
    )
    limits = {"target": problem.optimum, "budget": arguments.budget, "time_limit": time_limit}
    # What the search needs may not fit into memory.
    with checking(), tqdm(bar_format="{desc}", disable=None, leave=False) as shown:

        def show(progress: Progress) -> None:
            shown.set_description_str(_described(progress))

        if automatic:
            found = solve(problem, seed=seed, callback=show, **limits)
        else:
            found = search(
                problem,
                seed=seed,
                algorithm=algorithm,
                representation=representation,
                parameters=parameters,
                callback=show,
                **limits,
            )
    if found is None:
        print("interrupted before the search began")
        return INTERRUPTED
    _show(problem, found)
    if arguments.out is not None:
        with checking():
            replace_file(Path(arguments.out), f"{problem.solution(found.x)}\n".encode())
    if found.ending == "interrupt":
        return INTERRUPTED
    return SOLVED if found.ending == "target" else UNSOLVED


def _show(problem: Problem, found: Result) -> None:
    """Print the best solution and the cost of the search."""
    print()
    drawn = problem.drawing(found.x, color=in_colour())
    if drawn is not None:
        print(drawn)
    else:
        lines = problem.solution(found.x).splitlines()
        print("\n".join(map(visible, lines[:LINES])))
        if len(lines) > LINES:
            print(f"… {len(lines) - LINES} more lines (--out FILE writes all)")
    print()
    ending = ENDINGS[found.ending]
    if found.ending == "target":
        ending = green(ending)
    elif problem.optimum is not None:
        ending = f"not solved: {ending}"
    print(
        f"{ending}: "
        f"{beside_optimum(found.fun, problem.optimum)}, "
        f"{count(found.evaluations, 'evaluation')} in {count(found.run, 'run')}, "
        f"{found.seconds:.2f} s"
    )


def _described(progress: Progress) -> str:
    return (
        f"value {progress.fun:g} after {count(progress.evaluations, 'evaluation')}, "
        f"{progress.seconds:.1f} s"
    )

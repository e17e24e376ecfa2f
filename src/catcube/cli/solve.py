"""`catcube solve`: complete a Sudoku board."""

import os
import sys
from argparse import Namespace
from secrets import randbits

from catcube.algorithms import algorithm as algorithm_named
from catcube.base.text import visible
from catcube.cli import INTERRUPTED, SOLVED, UNSOLVED
from catcube.cli.input import checking, named_board, settings, sudoku
from catcube.cli.output import note
from catcube.cli.ticker import Ticker
from catcube.problems.sudoku import Board
from catcube.problems.sudoku.problem import Sudoku
from catcube.representations.layout import bits_of, is_native
from catcube.search.restarts import Found, search
from catcube.search.watch import Progress

TIME_LIMIT = 60.0  # seconds, if neither a budget nor a time limit is given
UNSOLVABLE_TIME_LIMIT = 10.0  # where the givens conflict the value cannot become 0

ENDINGS = {
    "target": "solved",
    "budget": "not solved: the budget is exhausted",
    "time": "not solved: the time limit is reached",
    "interrupt": "not solved: interrupted",
}


def command(arguments: Namespace) -> int:
    """Search for a completion of the board and show the best one found."""
    with checking():
        name, board = named_board(arguments.puzzle)
        parameters = settings(arguments.parameter)
        algorithm_named(arguments.algorithm).resolve(None, parameters)
        if not board.unknowns:
            return _judge(board)
        problem, notes = sudoku(name, board)
        bits = bits_of(problem.space, arguments.representation)
    time_limit = arguments.time_limit
    if time_limit is None and arguments.budget is None:
        time_limit = TIME_LIMIT if problem.optimum == 0 else UNSOLVABLE_TIME_LIMIT
    seed = randbits(63) if arguments.seed is None else arguments.seed
    for sentence in notes:
        note(visible(sentence))
    size = "no bits" if is_native(arguments.representation) else f"{bits} bits"
    print(
        f"{visible(name)}: {len(board.unknowns)} unknown cells, algorithm {arguments.algorithm}, "
        f"representation {arguments.representation} ({size}), seed {seed}",
        flush=True,
    )
    ticker = Ticker(_described, interval=1)
    found = search(
        problem,
        seed=seed,
        algorithm=arguments.algorithm,
        representation=arguments.representation,
        budget=arguments.budget,
        time_limit=time_limit,
        parameters=parameters,
        callback=ticker,
    )
    ticker.clear()
    _show(problem, found)
    if found.ending == "interrupt":
        return INTERRUPTED
    return SOLVED if found.ending == "target" else UNSOLVED


def _judge(board: Board) -> int:
    """Print whether a complete board is correct; return the exit code."""
    print(board.pretty(color=_in_colour()))
    conflicts = board.conflicts()
    if not conflicts:
        print("complete and correct: value 0")
        return SOLVED
    print(f"complete but not correct: value {board.value()}")
    for conflict in conflicts:
        print(f"  {conflict}")
    return UNSOLVED


def _show(problem: Sudoku, found: Found) -> None:
    """Print the best board and the cost of the search."""
    if found.best is None:
        print("interrupted before the search began")
        return
    print()
    print(problem.board.pretty(problem.complete(found.best.x), color=_in_colour()))
    print()
    runs = "1 run" if found.runs == 1 else f"{found.runs} runs"
    print(
        f"{ENDINGS[found.ending]}: value {found.best.fun:g}, "
        f"{found.evaluations:,} evaluations in {runs}, {found.seconds:.2f} s"
    )


def _described(progress: Progress) -> str:
    return (
        f"value {progress.value:g} after {progress.evaluations:,} evaluations, "
        f"{progress.seconds:.1f} s"
    )


def _in_colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ

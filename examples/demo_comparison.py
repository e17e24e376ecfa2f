"""The paper's comparison at small scale: every algorithm with two representations."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from statistics import mean
from time import perf_counter

from catcube import batch
from catcube.commands.run import number
from catcube.problems import Problem
from catcube.run import execute

REPRESENTATIONS = ("linear", "direct")
PUBLISHED = (
    "published after 300,000 evaluations, for another puzzle: the paper's own easy one with 56 "
    "unknown cells is not public"
)


@dataclass(frozen=True)
class Settings:
    """What is run."""

    instance: str
    algorithms: Sequence[str]
    budget: int
    runs: int
    seed: int


@dataclass
class Comparison:
    """What was run and what came out, a row a run."""

    settings: Settings
    rows: list[batch.Row] = field(default_factory=list)

    def values(self, algorithm: str, representation: str) -> list[float]:
        """The final values of the runs of one pair."""
        pair = (algorithm, representation)
        return [own.value for own in self.rows if (own.algorithm, own.representation) == pair]

    def means(self, algorithm: str) -> list[float]:
        """The mean final value with each representation."""
        return [mean(self.values(algorithm, own)) for own in REPRESENTATIONS]

    def ranked(self) -> list[str]:
        """The algorithms, the best one with the linear representation first."""
        return sorted(self.settings.algorithms, key=self.means)

    def summary(self) -> str:
        """Where the linear representation is ahead."""
        means = [self.means(own) for own in self.settings.algorithms]
        ahead = sum(linear < direct for linear, direct in means)
        return f"linear has the lower mean with {ahead} of {len(means)} algorithms"


def compare(problem: Problem, settings: Settings) -> Comparison:
    """Do all runs on all cores, with a line of progress for each algorithm."""
    comparison = Comparison(settings)
    for place, algorithm in enumerate(settings.algorithms, 1):
        jobs = batch.plan(
            {settings.instance: problem},
            [algorithm],
            REPRESENTATIONS,
            budget=settings.budget,
            runs=settings.runs,
            seed=settings.seed,
            preset="paper",
        )
        print(f"{place:4}/{len(settings.algorithms)}  {algorithm:9}", end="", flush=True)
        began = perf_counter()
        print("compiling or loading … ", end="", flush=True)
        execute(replace(jobs[0].run, budget=1))
        ready = perf_counter()
        print(f"{ready - began:.1f} s, {len(jobs)} runs … ", end="", flush=True)
        comparison.rows += [batch.row(*done) for done in batch.execute_all(jobs)]
        linear, direct = comparison.means(algorithm)
        seconds = perf_counter() - ready
        print(f"{seconds:.1f} s: linear {linear:.1f}, direct {direct:.1f}", flush=True)
    return comparison


def published_medians() -> Mapping[tuple[str, str], str]:
    """The medians `PUBLISHED`, by algorithm and representation."""
    file = files("catcube") / "data" / "paper" / "fixed-budget-values-easy-56.csv"
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    return {(own["algorithm"], own["representation"]): own["median"] for own in rows}


def table(comparison: Comparison) -> list[list[str]]:
    """The algorithm, its mean values, and the published medians: a line each, the best first."""
    known = published_medians()
    return [
        [
            algorithm,
            *(f"{value:.1f}" for value in comparison.means(algorithm)),
            *(known.get((algorithm, own), "–") for own in REPRESENTATIONS),
        ]
        for algorithm in comparison.ranked()
    ]


def write_csv(comparison: Comparison, path: Path) -> None:
    """The rows as `catcube run --csv` prints them."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(batch.Row._fields)
        for own in comparison.rows:
            writer.writerow(
                own._replace(value=number(own.value), seconds=f"{own.seconds:.6f}")  # type: ignore[arg-type]
            )

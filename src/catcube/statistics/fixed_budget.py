"""Fixed budget: which values are found with a given number of evaluations."""

from collections.abc import Iterable

from catcube.statistics.results import Result, value_of
from catcube.statistics.samples import Samples, samples_of
from catcube.statistics.summaries import summary
from catcube.statistics.tables import Line, rank_summaries, table


def value_tables(results: Iterable[Result]) -> dict[str, list[Line]]:
    """By instance, the pairs by median of their values, then first and third quartile, min, max.

    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult("easy", "sa", name, run, value, 10, 10)
    ...     for name, values in {"direct": [4, 8], "linear": [2, 4]}.items()
    ...     for run, value in enumerate(values)
    ... ]
    >>> for line in value_tables(results)["easy"]:
    ...     print(line.place, *line.pair, line.summary.median)
    1 sa linear 3.0
    2 sa direct 6.0
    """
    return sample_tables(samples_of(results, value_of))


def sample_tables(samples: Samples) -> dict[str, list[Line]]:
    """The same for values that are samples already."""
    return {
        instance: table({pair: summary(sample) for pair, sample in pairs.items()})
        for instance, pairs in samples.items()
    }


def fixed_budget_ranks(results: Iterable[Result]) -> list[Line]:
    """Over all instances, the pairs by the summary of their places in the tables of values.

    Every pair must have results on every instance; `complete` leaves out what is under way.

    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult(instance, "sa", name, 1, value, 10, 10)
    ...     for instance in ("easy", "expert")
    ...     for name, value in {"direct": 4, "linear": 2}.items()
    ... ]
    >>> [(line.place, line.representation) for line in fixed_budget_ranks(results)]
    [(1, 'linear'), (2, 'direct')]
    """
    return table(rank_summaries(value_tables(results).values()))

"""Fixed budget: which values are found with a given number of evaluations."""

from catcube.statistics.results import value_of
from catcube.statistics.samples import Data, by_instance, flattened, samples_of
from catcube.statistics.summaries import summaries
from catcube.statistics.tables import Line, rank_summaries, table


def value_tables(data: Data) -> dict[str, list[Line]]:
    """Rank the pairs on each instance by the values of their runs.

    Pairs are compared by median, then first and third quartile, minimum, maximum.

    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult("easy", "sa", name, run, value, 10, 10)
    ...     for name, values in {"direct": [4, 8], "linear": [2, 4]}.items()
    ...     for run, value in enumerate(values)
    ... ]
    >>> for line in value_tables(results)["easy"]:
    ...     print(line.rank, *line.pair, line.summary.median)
    1 sa linear 3.0
    2 sa direct 6.0
    """
    found = by_instance(summaries(flattened(samples_of(data, value_of))))
    return {instance: table(pairs) for instance, pairs in found.items()}


def fixed_budget_ranks(data: Data) -> list[Line]:
    """Rank the pairs over all instances by the summary of their ranks in the tables of values.

    Every pair must have results on every instance; `complete` leaves out unfinished instances.

    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult(instance, "sa", name, 1, value, 10, 10)
    ...     for instance in ("easy", "expert")
    ...     for name, value in {"direct": 4, "linear": 2}.items()
    ... ]
    >>> [(line.rank, line.representation) for line in fixed_budget_ranks(results)]
    [(1, 'linear'), (2, 'direct')]
    """
    return table(rank_summaries(value_tables(data).values()))

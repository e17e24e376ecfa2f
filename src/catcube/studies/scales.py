"""The scales of the paper's experiments and of the study beyond it: in full, or a few minutes."""

from collections.abc import Mapping, Sequence

from catcube.experiments.plan_file import Scale


def _scales(sizes: Mapping[str, Sequence[tuple[int | None, ...]]]) -> dict[str, Scale]:
    """Make the scales of some built-in plans from their sizes at the scales smoke and small."""
    return {
        "smoke": Scale("smoke", {name: smoke for name, (smoke, _) in sizes.items()}),
        "small": Scale("small", {name: small for name, (_, small) in sizes.items()}),
        "full": Scale("full", dict.fromkeys(sizes, ())),
    }


PAPER = _scales(  # sizes are runs, budget and instances
    {
        "fixed-budget": ((2, 20_000), (10,)),
        "ecdf": ((1, 50_000), (1, None, 6)),
        "fixed-target": ((2, 20_000), (20,)),
    }
)
"""Of the paper's experiments, in its order."""

BEYOND = _scales(
    {
        "beyond-families": ((1, 300, 13), (3, 7_500, 65)),
        "beyond-long": ((1, 300, 13), (2, 60_000, 26)),
        "beyond-categories": ((1, 300, 11), (2, 4_000, 66)),
        "beyond-variables": ((1, 300, 1), (1, 50_000, 2)),
        "beyond-size": ((1, 300, 2), (5, 7_500, 12)),
        "beyond-order": ((1, 300, 1), (5, 7_500, 3)),
        "beyond-rates": ((1, 300, 1), (1, 7_500, 6)),
        "beyond-defaults": ((1, 300, 13), (2, 7_500, 26)),
    }
)
"""Of the study beyond the paper; the full one takes less than 3 hours on two cores."""

"""The study beyond the paper: its plans at full scale, below 3 hours of two cores, or less."""

from catcube.experiments.plan_file import Scale, Size

EXPERIMENTS = (
    "beyond-families",
    "beyond-long",
    "beyond-categories",
    "beyond-variables",
    "beyond-size",
    "beyond-order",
    "beyond-rates",
    "beyond-defaults",
)
"""The plans of the study, all built-in."""

SCALES = {
    scale.name: scale
    for scale in (
        Scale(
            "smoke",
            {
                "beyond-families": Size(runs=1, budget=300, instances=13),
                "beyond-long": Size(runs=1, budget=300, instances=13),
                "beyond-categories": Size(runs=1, budget=300, instances=11),
                "beyond-variables": Size(runs=1, budget=300, instances=1),
                "beyond-size": Size(runs=1, budget=300, instances=2),
                "beyond-order": Size(runs=1, budget=300, instances=1),
                "beyond-rates": Size(runs=1, budget=300, instances=1),
                "beyond-defaults": Size(runs=1, budget=300, instances=13),
            },
        ),
        Scale(
            "small",
            {
                "beyond-families": Size(runs=3, budget=7_500, instances=65),
                "beyond-long": Size(runs=2, budget=60_000, instances=26),
                "beyond-categories": Size(runs=2, budget=4_000, instances=66),
                "beyond-variables": Size(runs=1, budget=50_000, instances=2),
                "beyond-size": Size(runs=5, budget=7_500, instances=12),
                "beyond-order": Size(runs=5, budget=7_500, instances=3),
                "beyond-rates": Size(runs=1, budget=7_500, instances=6),
                "beyond-defaults": Size(runs=2, budget=7_500, instances=26),
            },
        ),
        Scale("full", dict.fromkeys(EXPERIMENTS, Size())),
    )
}

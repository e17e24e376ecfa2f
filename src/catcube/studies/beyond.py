"""The study beyond the paper: its plans at full scale, below 3 hours of two cores, or less."""

from catcube.experiments.plan_file import Scale, Size

_SIZES = {  # runs, budget and instances at the scales smoke and small
    "beyond-families": (Size(1, 300, 13), Size(3, 7_500, 65)),
    "beyond-long": (Size(1, 300, 13), Size(2, 60_000, 26)),
    "beyond-categories": (Size(1, 300, 11), Size(2, 4_000, 66)),
    "beyond-variables": (Size(1, 300, 1), Size(1, 50_000, 2)),
    "beyond-size": (Size(1, 300, 2), Size(5, 7_500, 12)),
    "beyond-order": (Size(1, 300, 1), Size(5, 7_500, 3)),
    "beyond-rates": (Size(1, 300, 1), Size(1, 7_500, 6)),
    "beyond-defaults": (Size(1, 300, 13), Size(2, 7_500, 26)),
}
EXPERIMENTS = tuple(_SIZES)
"""The plans of the study, all built-in."""

SCALES = {
    "smoke": Scale("smoke", {name: smoke for name, (smoke, _) in _SIZES.items()}),
    "small": Scale("small", {name: small for name, (_, small) in _SIZES.items()}),
    "full": Scale("full", dict.fromkeys(EXPERIMENTS, Size())),
}

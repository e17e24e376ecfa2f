"""The figure of a surrogate's model: python -m benchmarks.model_figure [FILE].

60 of the 7,680 pipelines of `benchmarks/families/pipeline.py` are evaluated; drawn are the
importances of its choices, and every value beside what all other points predict of it.
"""

import sys
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from benchmarks.families import pipeline
from catcube import Space, minimize

NAMES = ("scaler", "degree", "kept", "components", "model", "strength", "size")


def main(path: Path = Path("docs/figures/model.svg")) -> None:
    """Search, and draw the model."""
    space = Space(dict(zip(NAMES, pipeline.CHOICES, strict=True)))
    result = minimize(
        lambda rows: [pipeline.error(row) for row in rows],
        space,
        algorithm="surrogate",
        budget=60,
        seed=1,
        vectorized=True,
    )
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    for axes in result.model.plot(tuple(figure.subplots(1, 2))):
        axes.spines[["top", "right"]].set_visible(False)
    # Without random names and the date, so that the file changes with the figures alone.
    with matplotlib.rc_context({"svg.hashsalt": "catcube"}):
        figure.savefig(path, metadata={"Date": None})
    print(result.fun, result.model.importance())


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

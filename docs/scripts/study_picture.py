"""Take the pictures of a study's page for the guide: `python docs/scripts/study_picture.py`.

It makes a study of 60 calls of a function that stands for the training of a classifier, and takes a
picture of its page, light and dark, with the system's Chromium.
"""

import math
import shutil
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import catcube

FIGURES = Path(__file__).parents[1] / "figures"
SPACE = catcube.Space(
    {
        "model": ["svm", "knn", "forest", "boosting"],
        "C": [0.01, 0.1, 1, 10, 100],
        "k": range(1, 16, 2),
        "depth": range(2, 13),
        "scaling": ["none", "standard", "robust"],
    },
    only_if={
        "C": {"model": "svm"},
        "k": {"model": "knn"},
        "depth": {"model": ["forest", "boosting"]},
    },
)


def loss(point: dict[str, Any]) -> float:
    """Return the error of a classifier with these settings, by a formula."""
    if point["model"] == "boosting" and point["depth"] > 11:
        raise MemoryError("the trees are too deep")
    scaled = {"none": 0.08, "standard": 0.0, "robust": 0.01}[point["scaling"]]
    if point["model"] == "svm":
        return 0.14 + 0.05 * abs(math.log10(point["C"]) - 1) + 2 * scaled
    if point["model"] == "knn":
        return 0.2 + 0.01 * abs(point["k"] - 7) + 3 * scaled
    best = 6 if point["model"] == "boosting" else 10
    return 0.1 + 0.03 * (best == 10) + 0.004 * (point["depth"] - best) ** 2 + 0.1 * scaled


def main() -> None:
    """Make the study, and the pictures of its page."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        study = Path(folder, "tuning.sqlite")
        catcube.minimize(loss, SPACE, budget=60, seed=1, catch=MemoryError, study=study)
        page = catcube.Study(study).to_html(Path(folder, "page.html"))
        browser = running.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox"]
        )
        for scheme in ("light", "dark"):
            size = {"width": 1000, "height": 1420}
            window = browser.new_page(viewport=size, color_scheme=scheme)
            window.goto(page.as_uri())
            window.screenshot(path=FIGURES / f"study-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main()

"""Tables of a comparison: means, ranks, and whether a difference is significant."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.stats import mannwhitneyu, rankdata

from benchmarks.markdown import table

OURS = "surrogate"
PLAIN = ("plain rls", "plain (1+1) EA", "plain sa")
LEVEL = 0.05


def read(folder: Path) -> dict[tuple[str, str, int], list[float]]:
    """All values by method, task and budget."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        for budget, values in content["values"].items():
            found[content["method"], content["task"], int(budget)] = values
    return found


def text(folder: Path, budgets: Sequence[int]) -> str:
    """Return both tables."""
    values = read(folder)
    return f"{cells(values, budgets)}\n\n{ranks(values, budgets)}"


def cells(values: dict[tuple[str, str, int], list[float]], budgets: Sequence[int]) -> str:
    """Mean of the surrogate, that of the best plain search, and the sign of a real difference.

    Two-sided rank-sum test of Mann and Whitney at 5 %, without correction for the best of three.
    """
    tasks = list(dict.fromkeys(task for _, task, _ in values))
    rows = []
    for task in tasks:
        row = [task]
        for budget in budgets:
            ours = values.get((OURS, task, budget))
            others = [values[own, task, budget] for own in PLAIN if (own, task, budget) in values]
            if ours is None or not others:
                row.append("")
                continue
            best = min(others, key=np.mean)
            sure = np.ptp([*ours, *best]) > 0 and mannwhitneyu(ours, best).pvalue < LEVEL
            sign = ("better" if np.mean(ours) < np.mean(best) else "worse") if sure else "="
            row.append(f"{np.mean(ours):.4g} / {np.mean(best):.4g} {sign}")
        rows.append(row)
    return table(["surrogate / best plain search", *map(str, budgets)], rows)


def ranks(values: dict[tuple[str, str, int], list[float]], budgets: Sequence[int]) -> str:
    """Mean rank of each method by its mean value, over the tasks where all methods have run."""
    methods = list(dict.fromkeys(method for method, _, _ in values))
    columns: dict[str, list[str]] = {method: [] for method in methods}
    for budget in budgets:
        present = [m for m in methods if any(own[0] == m and own[2] == budget for own in values)]
        tasks = sorted({task for _, task, own in values if own == budget})
        tasks = [task for task in tasks if all((m, task, budget) in values for m in present)]
        means = [[np.mean(values[m, task, budget]) for m in present] for task in tasks]
        mean = (
            dict(zip(present, rankdata(means, axis=1).mean(axis=0), strict=True)) if means else {}
        )
        for method in methods:
            columns[method].append(f"{mean[method]:.1f}" if method in mean else "")
    order = sorted(methods, key=lambda own: float(columns[own][0] or "99"))
    return table(["mean rank", *map(str, budgets)], [[own, *columns[own]] for own in order])

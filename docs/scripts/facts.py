"""Write docs/facts.json: the figures that occur on several pages, each from its one source.

`python docs/scripts/facts.py` computes them from the code, from the measured tables of
docs/performance.md and from benchmarks/data/peers.csv, and puts them into the pages: a page has
`<!--fact:NAME-->value<!--/-->`, and the value between the marks is replaced.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FILE = DOCS / "facts.json"
MARK = re.compile(r"<!--fact:([\w.]+)-->(.*?)<!--/-->", re.DOTALL)
WORDS = re.split(
    " ",
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty",
)
COMPARED = (
    "catcube auto",
    "Optuna GP",
    "Optuna TPE",
    "hyperopt TPE",
    "Optuna NSGA-II",
    "nevergrad NGOpt",
    "nevergrad (1+1)",
    "CatCMAwM",
    "GOMEA",
    "DEAP",
    "pymoo GA",
    "plain SA",
    "random search",
)
BUDGETS = (200, 1_000)


def code() -> dict[str, str]:
    """Return what the code says: numbers of things, and the rule of the default."""
    import catcube
    from catcube import algorithms
    from catcube.problems import kinds
    from catcube.representations import families
    from catcube.search import auto

    return {
        "version": catcube.__version__,
        "algorithms": WORDS[len(algorithms.names()) + len(algorithms.FURTHER)],
        "metaheuristics": WORDS[len(algorithms.names())],
        "representations": WORDS[len(families.builtin())],
        "problems": WORDS[len(kinds.builtin())],
        "model_budget": f"{auto.MAX_MODEL_EVALUATIONS:,}",
        "model_variables": f"{auto.MAX_MODEL_VARIABLES:,}",
        "climb_budget": f"{auto.MAX_P3_EVALUATIONS:,}",
    }


def measured() -> dict[str, str]:
    """Return what the tables of docs/performance.md say: speeds, and times of the command."""
    page = (DOCS / "performance.md").read_text(encoding="utf-8")
    evaluation = _section(page, "evaluation")
    linear = {
        name: float(cost.replace(",", ""))
        for name, cost in re.findall(r"^\| ([\w-]+) \| ([\d.,]+) \(", evaluation, re.MULTILINE)
    }
    flips = dict(
        re.findall(r"^\| ([\d,]+) \| [\d,]+ \| ([\d.]+) \|", _section(page, "other"), re.MULTILINE)
    )
    cold, warm = re.findall(
        r"^\| `catcube solve [^|]*\| ([\d.]+) \| ([\d.]+) \|", _section(page, "start"), re.MULTILINE
    )[0]
    return {
        "fastest_ns": f"{min(linear.values()):.0f}",
        "slowest_ns": f"{max(linear.values()):,.0f}",
        "sa_ns": f"{linear['sa']:.0f}",
        "mimic_ns": f"{linear['mimic']:,.0f}",
        "p3_ns": f"{linear['p3']:,.0f}",
        "flip_100_ns": f"{float(flips['100']):.0f}",
        "flip_100000_ns": f"{float(flips['100,000']):.0f}",
        "solve_warm_s": f"{float(warm):.1f}",
        "solve_cold_s": f"{float(cold):.0f}",
    }


def _section(page: str, name: str) -> str:
    return page.partition(f"<!-- generated: {name} -->")[2].partition("<!-- end")[0]


def compared() -> dict[str, Any]:
    """Return the numbers of families, and the share of targets that searches reach, by budget."""
    sys.path.insert(0, str(ROOT))
    from benchmarks.families.parts import one_per_family
    from benchmarks.peers.figure import shares
    from benchmarks.peers.results import read
    from benchmarks.peers.tables import values_of

    tasks = one_per_family("validation")

    def reached(file: str, shown: tuple[int, ...]) -> dict[str, dict[str, float]]:
        rows = list(read(ROOT / "benchmarks" / "data" / file))
        budgets = sorted({row.budget for row in rows})
        return {
            str(budget): {
                name: round(share, 3)
                for name, share in shares(values_of(rows), tasks, budgets, budget).items()
            }
            for budget in shown
        }

    packages = reached("peers.csv", BUDGETS)
    for means in packages.values():
        for name in means.keys() - COMPARED:
            del means[name]
    return {
        "held_out_families": WORDS[len(tasks)],
        "tuning_families": WORDS[len(one_per_family("tuning"))],
        "targets_reached": packages,
        "targets_reached_in_optuna": reached("optuna_samplers.csv", (100,)),
    }


def facts() -> dict[str, Any]:
    """Return all facts."""
    return {**code(), **measured(), **compared()}


def pages() -> list[Path]:
    """Return the pages that may name a fact."""
    return [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def updated(text: str, known: dict[str, Any]) -> str:
    """Return a page with the present values of its facts."""
    return MARK.sub(lambda mark: f"<!--fact:{mark[1]}-->{known[mark[1]]}<!--/-->", text)


def as_text(known: dict[str, Any]) -> str:
    """Return the content of the file."""
    return json.dumps(known, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the file and bring the pages up to date."""
    known = facts()
    FILE.write_text(as_text(known), encoding="utf-8")
    for path in pages():
        old = path.read_text(encoding="utf-8")
        if (new := updated(old, known)) != old:
            path.write_text(new, encoding="utf-8")
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()

"""What became of the mutants: files, and a table."""

import json
import subprocess
import sys
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from tests.mutation.mutants import Mutant

RESULTS = ["killed", "timed out", "survived", "unreached"]


class Tried(NamedTuple):
    """A mutant, its end, the test that noticed it, and how many tests it met."""

    mutant: Mutant
    result: str
    noticed: str
    tests: int


def stamp(seed: int) -> str:
    """Machine, versions and seed. Asked of another process: this one must not import catcube."""
    asked = (
        "import json, catcube.base.provenance; print(json.dumps(catcube.base.provenance.machine()))"
    )
    answer = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True)
    own = json.loads(answer.stdout)
    tools = "".join(f", {name} {version(name)}" for name in ("cosmic-ray", "pytest"))
    return (
        f"{own['processor']}, {own['cores']} cores, {own['system']}; Python {own['python']}, "
        f"numpy {own['numpy']}, numba {own['numba']}{tools}; seed {seed}"
    )


def write(
    folder: Path, tried: list[Tried], every: dict[str, list[Mutant]], seed: int, merge: bool
) -> None:
    """One file a module; with `merge`, what was tried before and not now stays."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, own in every.items():
        name = path.removeprefix("src/catcube/").removesuffix(".py").replace("/", ".")
        target = folder / f"{name}.json"
        rows = {one.mutant.key: _row(one) for one in tried if one.mutant.path == path}
        if merge and target.exists():
            before = json.loads(target.read_text())["mutants"]
            rows = {row["key"]: row for row in before} | rows
        content = {"module": path, "seed": seed, "all": len(own), "mutants": list(rows.values())}
        target.write_text(json.dumps(content, indent=1, ensure_ascii=False))


def _row(one: Tried) -> dict[str, Any]:
    mutant = one.mutant
    return {
        "key": mutant.key,
        "line": mutant.line,
        "function": mutant.function,
        "before": mutant.change[2],
        "after": mutant.change[3],
        "result": one.result,
        "noticed": one.noticed,
        "tests": one.tests,
    }


def survivors(folder: Path) -> set[str]:
    """The keys of those that survived the last time."""
    return {
        row["key"]
        for path in folder.glob("*.json")
        for row in json.loads(path.read_text())["mutants"]
        if row["result"] == "survived"
    }


def table(
    tried: list[Tried],
    every: dict[str, list[Mutant]],
    known: dict[tuple[str, str, str, str], str],
) -> str:
    """A line a module, and one for all."""
    lines = [f"{'module':<28}{'mutants':>8}{'tried':>7}" + "".join(f"{r:>11}" for r in RESULTS)]
    lines[0] += f"{'explained':>11}"
    for path in [*every, None]:
        own = [one for one in tried if path in (None, one.mutant.path)]
        counts = Counter(one.result for one in own)
        explained = sum(one.result == "survived" and one.mutant.change in known for one in own)
        total = sum(map(len, every.values())) if path is None else len(every[path])
        name = "all" if path is None else path.removeprefix("src/catcube/")
        lines.append(
            f"{name:<28}{total:>8}{len(own):>7}"
            + "".join(f"{counts[result]:>11}" for result in RESULTS)
            + f"{explained:>11}"
        )
    return "\n".join(lines)

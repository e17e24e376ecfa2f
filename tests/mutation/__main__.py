"""Put faults into the sources and count those that the tests notice."""

import argparse
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from tests import ROOT

HERE = Path(__file__).parent
PACKAGES = sorted(path.stem for path in HERE.glob("*.toml"))
OUT = ROOT / "build" / "mutation"


def main() -> int:
    """Try a sample of the faults of each package; print what became of them."""
    arguments = parser().parse_args()
    if find_spec("cosmic_ray") is None:
        print("mutation needs cosmic-ray: pip install '.[reliability]'", file=sys.stderr)
        return 2
    from tests.mutation.session import keep_sample, outcomes

    OUT.mkdir(parents=True, exist_ok=True)
    os.nice(19)
    for package in arguments.packages:
        session = OUT / f"{package}.sqlite"
        session.unlink(missing_ok=True)
        config = HERE / f"{package}.toml"
        print(f"{package}: the tests without a fault, then {arguments.sample} faults …", flush=True)
        with tempfile.TemporaryDirectory(prefix="catcube-mutation-") as folder:
            tree = copied_tree(Path(folder))
            run("cosmic-ray", "baseline", config, tree=tree)  # without a fault, all tests pass
            run("cosmic-ray", "init", config, session, tree=tree)
            run("cr-filter-operators", session, config, tree=tree)
            total = keep_sample(session, arguments.sample, arguments.seed)
            run("cosmic-ray", "exec", config, session, tree=tree)
        counts, survived = outcomes(session)
        summary = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        print(f"{package}: of {total} faults, seed {arguments.seed}: {summary}")
        for change in survived:
            print(f"  survivor: {change.path} ({change.function}): ", end="")
            print(f"{change.before}  →  {change.after}", flush=True)
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of the arguments."""
    made = argparse.ArgumentParser("python -m tests.mutation", description=__doc__)
    made.add_argument(
        "packages", nargs="*", default=PACKAGES, metavar="PACKAGE", help=", ".join(PACKAGES)
    )
    made.add_argument("--sample", type=int, default=40, metavar="N", help="faults per package (40)")
    made.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    return made


def copied_tree(folder: Path) -> Path:
    """Copy what is under version control, as it is committed, so that nobody else sees a fault."""
    subprocess.run(["git", "clone", "--quiet", ROOT, folder / "tree"], check=True)
    return folder / "tree"


def run(*command: object, tree: Path) -> None:
    """Run a program of cosmic-ray in the tree, with everything interpreted."""
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(tree / "src"),
    }
    subprocess.run([str(part) for part in command], cwd=tree, env=environment, check=True)


if __name__ == "__main__":
    sys.exit(main())

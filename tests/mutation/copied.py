"""A copy of the tree: nobody else sees the faults."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LEFT_OUT = ("docs", "results")


@contextmanager
def copied_tree(root: Path) -> Iterator[Path]:
    """All files that are under version control, as they are now, in a folder that goes away."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        check=True,
    )
    with tempfile.TemporaryDirectory(prefix="catcube-mutation-") as folder:
        for name in filter(None, listed.stdout.decode().split("\0")):
            if name.split("/")[0] in LEFT_OUT or not (root / name).is_file():
                continue
            target = Path(folder) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, target)
        yield Path(folder)

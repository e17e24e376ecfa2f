"""Files that are there as a whole or not at all."""

import os
from pathlib import Path


def replace_file(path: Path, content: bytes) -> Path:
    """Write the content beside the file, then put it in its place; folders are made if need be.

    Whatever is in its place, a link too, is replaced and not followed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    try:
        with part.open("xb") as file:
            file.write(content)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)  # nothing is left of it where all went well
    return path

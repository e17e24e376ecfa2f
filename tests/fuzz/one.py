"""One target, in a separate process: `python -m tests.fuzz.one TARGET FOLDER OPTIONS`.

A fault does not end it: the input is saved in the folder, once for each place in the code.
"""

import hashlib
import json
import sys
import traceback
from importlib import import_module
from pathlib import Path

import atheris


def main() -> None:
    """Fuzz until libFuzzer says that it is enough."""
    name, path, *options = sys.argv[1:]
    folder = Path(path)
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    with atheris.instrument_imports(include=["catcube", "tomllib"]):
        target = import_module(f"tests.fuzz.targets.{name}")
    for seed in target.seeds():
        (corpus / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    faults: dict[str, str] = {}

    def execute(data: bytes) -> None:
        try:
            target.check(data)
        except Exception as error:
            where = _place(error)
            if where not in faults:
                faults[where] = f"{type(error).__name__}: {error}"[:500]
                digest = hashlib.sha1(data).hexdigest()[:12]
                (folder / f"fault-{digest}").write_bytes(data)
                report = "".join(traceback.format_exception(error))
                (folder / f"fault-{digest}.txt").write_text(report, "utf-8", "backslashreplace")
                (folder / "faults.json").write_text(json.dumps(faults, indent=1))

    atheris.Setup([sys.argv[0], *options, str(corpus)], execute)
    atheris.Fuzz()


def _place(error: Exception) -> str:
    """The innermost line of the project that was running, by which faults are told apart."""
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame.filename)
    ]
    last = [frame for frame in frames if Path(frame.filename).name != "oracle.py"][-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"


def _is_ours(filename: str) -> bool:
    return "catcube" in filename or "fuzz" in Path(filename).parts


if __name__ == "__main__":
    main()

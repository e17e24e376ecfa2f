"""Instance files of problems: graphs, networks, assignments, squares; the first byte says which."""

from catcube.problems import Problem, make
from catcube.problems.instances import InstanceFiles
from catcube.problems.registry import files_of
from tests.fuzz.oracle import ensure, folder, refusing

WRITTEN = (
    "colouring:{},3",
    "potts:{},3",
    "factors:{}",
    "qap:{}",
    "latin:{}",
    "factors:asia,evidence={}",
)

LARGEST = 2_000_000  # numbers that a problem from so short a file may have


def seeds() -> list[bytes]:
    """Files of all formats, whole and torn."""
    uai = b"MARKOV\n2\n2 3\n2\n1 0\n2 0 1\n2 0.1 0.9\n6 1 2 3 0 5 6\n"
    bif = b"variable a { type discrete [ 2 ] { yes, no }; }\nprobability ( a ) { table .1, .9; }\n"
    return [
        b"0c a triangle\np edge 3 3\ne 1 2\ne 2 3\ne 1 3\n",
        b"0p edge 99999 0\n",
        b"13 2\n1 2 -1.5\n2 3\n",
        b"2" + uai,
        b"2" + uai[:40],
        b"2" + bif,
        b"2" + bif[:60],
        b"32\n0 1\n1 0\n0 2\n2 0\n",
        b"41 . 3\n. . .\n3 1 2\n",
        b"4order 3\n0 -1 2\n-1 -1 -1\n2 0 1\n",
        b"5dysp yes\nsmoke no\n",
        b"2\xef\xbb\xbf" + uai,
        b"0\xff\xfe",
    ]


def check(data: bytes) -> None:
    """What is read makes the same problem without the file, of bounded size; else it is refused."""
    written = WRITTEN[data[0] % len(WRITTEN) if data else 0]
    with folder() as directory:
        path = directory / "instance.txt"
        path.write_bytes(data[1:])
        text = written.format(path)
        with refusing(path):
            files = InstanceFiles(files_of(text))
            problem = make(text, files)
            _same(problem, make(text, InstanceFiles.parse(str(files))))


def _same(problem: Problem, again: Problem) -> None:
    size = problem.integers.size + problem.reals.size
    ensure(size <= LARGEST, f"a short file makes a problem of {size:,} numbers")
    ensure(
        problem.integers.tolist() == again.integers.tolist()
        and problem.reals.tolist() == again.reals.tolist(),
        "a problem is another when it is made from what a store keeps",
    )

"""Plans: TOML files."""

from catcube.experiments.plan_file import ExperimentTable, read_plan
from tests.fuzz.draws import Draws
from tests.fuzz.oracle import ensure, folder, refusing

_TABLE = b"""[[experiment]]
name = "pilot"
instances = ["small-dimension-1-a", "match:3,2"]
algorithms = ["rls", "sa"]
representations = ["direct"]
budget = 300
runs = 2
"""
_FURTHER = b"""seed = 3
target = 0.5
restart = 50
preset = "paper"
parameters = { transitions = 5 }
"""
_VALUES = (
    "1", "0", "-1", "1.5", "nan", "inf", "-inf", "1e400", "9" * 30, "9" * 5000, "true", "''",
    "'x'", "'all'", "'*'", "'rls'", "'linear'", "'match:3,2'", "'match:-1,2'", "'\u202e'",
    '"\\u0000"', '"\\u001b[2J"', "'=1'", "'../../etc/passwd'", "'/dev/zero'", "'.'", "[]", "['*']",
    "['rls','rls']", "['match:3,2']", "['linear','gray']", "[1]", "[[]]", "[{}]", "{}", "{a=1}",
    "{transitions=1}", "{transitions=nan}", "{beta_ratio=1e308}", "1979-05-27", "07:32:00",
    "1979-05-27T07:32:00Z", "'" + "x" * 10000 + "'", "[" * 500 + "]" * 500, "0x7fffffffffffffff",
    "4611686018427387904", "['covering:2']", "['product:1+1']", "['covering:99999999999']",
)  # fmt: skip


def seeds() -> list[bytes]:
    """Whole plans, and choices of strange values."""
    return [
        b"\0" + _TABLE,
        b"\0" + _TABLE + _FURTHER,
        b"\0" + _TABLE + _TABLE.replace(b"pilot", b"second"),
        *(bytes([1, key, value]) for key in range(12) for value in range(0, len(_VALUES), 5)),
    ]


def check(data: bytes) -> None:
    """A plan can be counted; all else is refused with the name of the file."""
    content = data[1:] if data[:1] in (b"", b"\0") else _strange(Draws(data[1:]))
    with folder() as directory:
        path = directory / "plan.toml"
        path.write_bytes(content)
        with refusing(path):
            plan = read_plan(path)
            ensure(plan.total_runs >= 1, "a plan without runs")
            ensure(plan.scaled(runs=1).total_runs <= plan.total_runs, "a smaller plan is larger")


def _strange(draws: Draws) -> bytes:
    """A plan in which some keys have other values."""
    lines = dict(
        line.split(" = ", 1) for line in (_TABLE + _FURTHER).decode().splitlines()[1:] if line
    )
    for _ in range(draws.integer(1, 3)):
        lines[draws.choice(ExperimentTable.__struct_fields__)] = draws.choice(_VALUES)
    if draws.left and draws.byte() == 7:
        del lines[draws.choice(list(lines))]
    content = "\n".join(["[[experiment]]", *(f"{key} = {value}" for key, value in lines.items())])
    return content.encode() + draws.rest()

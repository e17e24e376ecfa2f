"""catcube warm compiles every algorithm, on bits and on categories."""

from catcube.algorithms import names
from catcube.cli import warm
from catcube.cli.main import main


def test_every_algorithm_is_compiled(monkeypatch, capsys):
    compiled = []
    monkeypatch.setattr(
        warm,
        "compile_kernels",
        lambda configurations, jobs: compiled.append((configurations, jobs)),
    )
    assert main(["warm", "--jobs", "3"]) == 0
    ((configurations, jobs),) = compiled
    assert jobs == 3
    assert {configuration.algorithm for configuration in configurations} == set(names())
    assert {configuration.representation for configuration in configurations} == {
        "linear",
        "native",
    }
    assert "the kernels are ready" in capsys.readouterr().out

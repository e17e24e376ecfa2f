"""All searches that are compared, by the name they have on the page."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from benchmarks.peers.objective import Objective
from benchmarks.peers.ours import setting
from catcube.search.auto import MAX_MODEL_EVALUATIONS

Search = Callable[[Objective, int, int], None]


@dataclass(frozen=True)
class Method:
    """A search; `source` is its module and function, or the arguments of `minimize`.

    Up to `shared` calls it does not depend on the budget, so that one run shows all.
    """

    package: str
    source: tuple[str, str] | dict[str, Any]
    most: int = 10_000
    shared: int = 10_000

    def search(self) -> Search:
        """Return the function, its package imported now."""
        if isinstance(self.source, dict):
            return setting(**self.source)
        module, name = self.source
        found: Search = getattr(importlib.import_module(f"benchmarks.peers.{module}"), name)
        return found

    def release(self) -> str:
        """Name and version of the package."""
        return f"{self.package} {version(self.package)}" if self.package else ""


def _native(algorithm: str, **options: Any) -> Method:
    arguments = {"algorithm": algorithm, "representation": "native"}
    return Method("catcube", arguments, **options)


PLAIN = ("plain RLS", "plain (1+1) EA", "plain SA")

METHODS = {
    "catcube auto": Method(
        "catcube", {}, shared=MAX_MODEL_EVALUATIONS
    ),  # with a model, then with SA
    "catcube p3, native": _native("p3"),
    "catcube sa, native": _native("sa", shared=0),
    "catcube ltga, native": _native("ltga"),
    "catcube umda, native": _native("umda"),
    "catcube p3, linear": Method("catcube", {"algorithm": "p3", "representation": "linear"}),
    "plain RLS": Method("", ("plain", "rls")),
    "plain (1+1) EA": Method("", ("plain", "ea")),
    "plain SA": Method("", ("plain", "sa"), shared=0),
    "random search": Method("", ("plain", "random_search")),
    "DEAP": Method("deap", ("with_deap", "search")),
    "pymoo GA": Method("pymoo", ("with_pymoo", "search")),
    "GOMEA": Method("gomea", ("with_gomea", "search")),
    "CatCMAwM": Method("cmaes", ("with_cmaes", "search")),
    "nevergrad (1+1)": Method("nevergrad", ("with_nevergrad", "one_plus_one"), 1_000),
    "nevergrad NGOpt": Method("nevergrad", ("with_nevergrad", "ngopt"), 1_000, 0),
    "Optuna NSGA-II": Method("optuna", ("with_optuna", "nsga2"), 1_000),
    "Optuna TPE": Method("optuna", ("with_optuna", "tpe"), 1_000),
    "Optuna TPE grouped": Method("optuna", ("with_optuna", "tpe_grouped"), 1_000),
    "hyperopt TPE": Method("hyperopt", ("with_hyperopt", "search"), 1_000),
    "SMAC": Method("smac", ("with_smac", "forests"), 200, 0),
    "SMAC black box": Method("smac", ("with_smac", "black_box"), 200, 0),
    "BoTorch mixed": Method("botorch", ("with_botorch", "mixed"), 200),
    "BoTorch Hamming": Method("botorch", ("with_botorch", "local"), 200),
    "Optuna GP": Method("optuna", ("with_optuna", "gaussian_process"), 200),
}

"""Registration of representations, problems and algorithms by other packages.

    from catcube.plugins import algorithm, problem, representation

    @representation("reversed", "binary numbers, most significant bit first")
    def reversed_direct(N): ...  # a Representation of N categories

    @problem("queens", "put n queens so that none attacks another", instances=["8", "20"])
    class Queens(Problem): ...  # or a function that returns one; its name is queens:8

    algorithm(Algorithm("walk", ...))

`minimize`, `catcube run`, `catcube list` and campaigns then accept these names in this process. To
register them in every process, declare the module as an entry point of the group `catcube.plugins`
in the `pyproject.toml` of your package:

    [project.entry-points."catcube.plugins"]
    mine = "my_package.my_module"

`examples/plugin` is such a package; `catcube.testing` checks its content.
"""

from catcube.algorithms import register as algorithm
from catcube.base.registry import PluginWarning
from catcube.problems import kind as problem
from catcube.representations.registry import family as representation

__all__ = ["PluginWarning", "algorithm", "problem", "representation"]

"""What another package adds: representations, problems and algorithms, known by name.

    from catcube.plugins import algorithm, problem, representation

    @representation("reversed", "binary numbers, most significant bit first")
    def reversed_direct(N): ...  # a Representation of N categories

    @problem("queens", "place n queens so that none attacks another", instances=["8", "20"])
    class Queens(Problem): ...  # or a function that makes one; written queens:8

    algorithm(Algorithm("walk", ...))

Registered so, they are found by `minimize`, `catcube run`, `catcube list` and studies in this
process. For all processes, name the module that does it as an entry point of the group
`catcube.plugins`, in the `pyproject.toml` of your package:

    [project.entry-points."catcube.plugins"]
    mine = "my_package.my_module"

`examples/plugin` is such a package, and `catcube.testing` checks what it adds.
"""

from catcube.algorithms import register as algorithm
from catcube.base.registry import PluginWarning
from catcube.problems import kind as problem
from catcube.representations.families import family as representation

__all__ = ["PluginWarning", "algorithm", "problem", "representation"]

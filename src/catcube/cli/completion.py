"""`catcube completion`: print a script for completion of commands, options and names."""

from argparse import Namespace

from catcube import algorithms
from catcube.base.optional import import_optional
from catcube.cli.parser import build_parser
from catcube.problems import kinds
from catcube.problems.instances import list_instances
from catcube.representations.registry import NATIVE, families


def command(arguments: Namespace) -> int:
    """Print the completion script for a shell."""
    methods, codes = [*algorithms.registered, "auto"], [*families, NATIVE]
    names = {
        "algorithm": methods,
        "representation": codes,
        "instance": list(list_instances()),
        "name": [*methods, *codes, *kinds],
    }
    print(import_optional("shtab").complete(build_parser(names), arguments.shell))
    return 0

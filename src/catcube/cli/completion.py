"""`catcube completion`: print a script that completes commands, options and names in a shell."""

import argparse
from argparse import Namespace
from collections.abc import Iterator
from typing import NamedTuple

from catcube import algorithms
from catcube.cli.parser import COMMANDS, build_parser
from catcube.problems import kinds
from catcube.problems.instances import listed
from catcube.representations.registry import NATIVE, families


class _Option(NamedTuple):
    """One option or argument of a command."""

    flags: list[str]
    words: list[str]
    about: str


def command(arguments: Namespace) -> int:
    """Print the script of the shell."""
    options = {name: list(_options(parser)) for name, parser in _parsers().items()}
    print(_fish(options) if arguments.shell == "fish" else _bash(options, arguments.shell))
    return 0


def _parsers() -> dict[str, argparse.ArgumentParser]:
    (commands,) = (
        action
        for action in build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return dict(commands.choices)


def _options(parser: argparse.ArgumentParser) -> Iterator[_Option]:
    methods, codes = [*algorithms.registered, "auto"], [*families, NATIVE]
    names = {"algorithm": methods, "representation": codes, "instance": list(listed())}
    names["name"] = [*methods, *codes, *kinds]
    for action in parser._actions:
        words = list(map(str, action.choices)) if action.choices else names.get(action.dest, [])
        yield _Option(list(action.option_strings), words, str(action.help or ""))


def _bash(options: dict[str, list[_Option]], shell: str) -> str:
    """Return a script for bash, or for zsh, which can use it.

    Names with a colon are left out: a colon ends a word there.
    """
    cases = []
    for name, own in options.items():
        flags = [flag for option in own for flag in option.flags]
        free = [word for option in own if not option.flags for word in option.words]
        for option in own:
            if option.flags and option.words:
                patterns = "|".join(f"{name}:{flag}" for flag in option.flags)
                cases.append(f'    {patterns}) words="{" ".join(option.words)}" ;;')
        words = " ".join(word for word in flags + free if ":" not in word)
        cases.append(f'    {name}:*) words="{words}" ;;')
    lines = [
        "autoload -U +X bashcompinit && bashcompinit" if shell == "zsh" else "",
        "_catcube() {",
        '  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words',
        '  case "${COMP_WORDS[1]}:$before" in',
        *cases,
        f'    *) words="{" ".join(COMMANDS)}" ;;',
        "  esac",
        f'  [ "$COMP_CWORD" = 1 ] && words="{" ".join(COMMANDS)} --help --version"',
        '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "}",
        "complete -o default -F _catcube catcube",
    ]
    return "\n".join(filter(None, lines))


def _fish(options: dict[str, list[_Option]]) -> str:
    lines = [
        f"complete -c catcube -n __fish_use_subcommand -a {name} -d '{about}'"
        for name, (_, about) in COMMANDS.items()
    ]
    for name, own in options.items():
        for option in own:
            flags = "".join(
                f" -l {flag[2:]}" if flag.startswith("--") else f" -s {flag[1:]}"
                for flag in option.flags
            )
            words = f" -a '{' '.join(option.words)}'" if option.words else ""
            about = option.about.replace("'", "")
            lines.append(
                f"complete -c catcube -n '__fish_seen_subcommand_from {name}'"
                f"{flags}{words} -d '{about}'"
            )
    return "\n".join(lines)

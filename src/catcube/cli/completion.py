"""`catcube completion`: print a script that completes commands, options and names in a shell."""

from argparse import Namespace

from catcube import algorithms
from catcube.cli.arguments import COMMANDS, argument
from catcube.cli.parser import summary
from catcube.problems import kinds
from catcube.problems.instances import list_instances
from catcube.representations.registry import NATIVE, families

Options = dict[str, list[tuple[list[str], list[str], str]]]
"""By command: the flags of an option (none: an argument), its words, and its help."""


def command(arguments: Namespace) -> int:
    """Print the script of the shell."""
    print(_fish(_options()) if arguments.shell == "fish" else _bash(_options(), arguments.shell))
    return 0


def _options() -> Options:
    methods, codes = [*algorithms.registered, "auto"], [*families, NATIVE]
    names = {"algorithm": methods, "representation": codes, "instance": list(list_instances())}
    names["name"] = [*methods, *codes, *kinds]
    return {
        command: [
            (
                [flag for flag in flags if flag.startswith("-")],
                list(settings.get("choices") or names.get(flags[-1].strip("-"), [])),
                settings["help"],
            )
            for flags, settings in [*arguments(), argument("-h --help", "show the help")]
        ]
        for command, arguments in COMMANDS.items()
    }


def _bash(options: Options, shell: str) -> str:
    """Return a script for bash, or for zsh, which can use it.

    Names with a colon are left out: a colon ends a word there.
    """
    cases = []
    for name, own in options.items():
        for flags, words, _ in own:
            if flags and words:
                patterns = "|".join(f"{name}:{flag}" for flag in flags)
                cases.append(f'    {patterns}) words="{" ".join(words)}" ;;')
        free = [word for flags, words, _ in own for word in (flags or words) if ":" not in word]
        cases.append(f'    {name}:*) words="{" ".join(free)}" ;;')
    return "\n".join(
        [
            "autoload -U +X bashcompinit && bashcompinit" if shell == "zsh" else "# bash",
            "_catcube() {",
            '  local current="${COMP_WORDS[COMP_CWORD]}" words',
            '  case "${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD-1]}" in',
            *cases,
            "  esac",
            f'  [ "$COMP_CWORD" = 1 ] && words="{" ".join(COMMANDS)} --help --version"',
            '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
            "}",
            "complete -o default -F _catcube catcube",
        ]
    )


def _fish(options: Options) -> str:
    lines = [
        f"complete -c catcube -n __fish_use_subcommand -a {name} -d '{_plain(summary(name))}'"
        for name in COMMANDS
    ]
    for name, own in options.items():
        when = f"complete -c catcube -n '__fish_seen_subcommand_from {name}'"
        for flags, words, about in own:
            long = [f" -{'l' if flag[1] == '-' else 's'} {flag.lstrip('-')}" for flag in flags]
            choices = f" -a '{' '.join(words)}'" if words else ""
            lines.append(f"{when}{''.join(long)}{choices} -d '{_plain(about)}'")
    return "\n".join(lines)


def _plain(text: str) -> str:
    return text.replace("'", "")

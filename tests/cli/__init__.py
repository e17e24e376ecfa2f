"""Commands called as from a shell."""

import io

from catcube.cli import main as cli


class Terminal(io.StringIO):
    def isatty(self):
        return True


def call(capsys, *argv):
    """Exit code, standard output and standard error of a command."""
    code = cli.main([str(argument) for argument in argv])
    out, err = capsys.readouterr()
    return code, out, err

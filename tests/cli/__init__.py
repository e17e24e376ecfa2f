"""Commands called as from a shell."""

from catcube.cli import main as cli


def call(capsys, *argv):
    """Exit code, standard output and standard error of a command."""
    code = cli.main([str(argument) for argument in argv])
    out, err = capsys.readouterr()
    return code, out, err

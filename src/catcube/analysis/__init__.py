"""What the stores of a study say: all that a report shows, computed; nothing is drawn here."""

from catcube.analysis.study import analyse

__all__ = ["analyse"]

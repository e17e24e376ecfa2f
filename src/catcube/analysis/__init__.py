"""From stores to everything that a report shows: computed here, drawn in `catcube.report`."""

from catcube.analysis.study import analyse

__all__ = ["analyse"]

"""From stores to all that a report shows: computed here, drawn in `catcube.studies.report`."""

from catcube.studies.analysis.study import analyse

__all__ = ["analyse"]

"""From stores to all that a report shows: computed here, drawn in `catcube.studies.report`."""

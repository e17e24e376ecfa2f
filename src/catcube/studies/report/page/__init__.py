"""The page of a report: data in `charts` and `sections`, HTML in `templates`."""

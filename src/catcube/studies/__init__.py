"""Studies: the analysis of experiments, reports, the paper, and the study beyond it."""

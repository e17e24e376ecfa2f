"""Programs that measure speed and memory: `python -m benchmarks --help`."""

"""The settings that are compared: what `minimize` is called with."""

from typing import Any

AUTO = "auto"

PLAIN = ("rls, native", "ea-1p1, native", "sa, native")
"""Plain native searches: the default must not be significantly worse than the best of them."""

SETTINGS: dict[str, dict[str, Any]] = {
    AUTO: {},
    "rls, native": {"algorithm": "rls", "representation": "native", "patience": 10**9},
    "ea-1p1, native": {"algorithm": "ea-1p1", "representation": "native"},
    "sa, native": {"algorithm": "sa", "representation": "native"},
    "hc, native": {"algorithm": "hc", "representation": "native"},
    "sa, linear": {"algorithm": "sa", "representation": "linear"},
    "p3, balanced": {"algorithm": "p3", "representation": "balanced"},
    "p3, native": {"algorithm": "p3", "representation": "native"},
    "ltga, native": {"algorithm": "ltga", "representation": "native"},
    "ga, native": {"algorithm": "ga", "representation": "native"},
    "umda, native": {"algorithm": "umda", "representation": "native"},
    "surrogate": {"algorithm": "surrogate"},
}

MOST = {"surrogate": 2_000}
"""Budgets from which on a setting is left out because it would take too long."""

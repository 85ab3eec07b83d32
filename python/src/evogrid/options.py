"""The names and options of charts of `runner plot`, which are checked before the call."""

import difflib
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TypeAlias

from evogrid.errors import ResultsError

Option: TypeAlias = str | float | list[str]

CHARTS = (
    "success",
    "gap",
    "gap-distribution",
    "gap-ecdf",
    "heatmap",
    "bucket-heatmap",
    "phase",
    "ecdf",
    "cost",
    "time-to-target",
    "scaling",
    "front",
    "pairs",
    "main-effects",
    "interactions",
    "importance",
    "race",
    "profile",
    "ranks",
    "scatter",
    "convergence",
    "targets",
    "fixed-target",
    "diversity",
    "published",
)
METRICS = ("solved", "gap", "objective", "evaluations", "generations", "wall_ms", "cpu_ms")
OPTIONS = ("by", "metric", "against", "width")

# The width of a chart in millimetres.
NARROWEST, WIDEST = 40, 400


def require_known(what: str, name: object, known: Sequence[str]) -> None:
    """Refuse an unknown name; the message lists the known names and the nearest name."""
    if name in known:
        return
    near = difflib.get_close_matches(str(name), known, n=1)
    meant = f"; did you mean `{near[0]}`?" if near else ""
    raise ResultsError(f"unknown {what} `{name}`: expected {', '.join(f'`{one}`' for one in known[:-1])} or `{known[-1]}`{meant}")


def arguments(options: Mapping[str, Option]) -> list[str]:
    """The arguments of `runner plot` for options. Values are checked if the check does not depend on the results."""
    made: list[str] = []
    for option, value in options.items():
        require_known("option", option, OPTIONS)
        if option == "width":
            if not isinstance(value, Real) or isinstance(value, bool) or not NARROWEST <= float(value) <= WIDEST:
                raise ResultsError(f"`width` is {value!r}: expected millimetres, a number from {NARROWEST} to {WIDEST}")
        elif option == "metric":
            require_known("metric", value, METRICS)
        values = list(value) if option == "by" and isinstance(value, (list, tuple)) else [value]
        if option == "by" and not all(isinstance(one, str) for one in values):
            raise ResultsError(f"`by` is {value!r}: expected the name of a column, or a list of such names")
        # Name and value are one argument, so a value may begin with a hyphen.
        made += [f"--{option}={one}" for one in values]
    return made

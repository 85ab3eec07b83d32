"""Results of Evogrid as data frames.

>>> import evogrid
>>> results = evogrid.load("results/popsize")  # doctest: +SKIP
>>> results.runs.filter("solved").group_by("population").len()  # doctest: +SKIP
"""

from typing import TYPE_CHECKING, Any

from evogrid.binary import find as runner
from evogrid.errors import IncompleteResultsWarning, ResultsError

if TYPE_CHECKING:
    from evogrid.results import Results, load, read_runs

__all__ = ["IncompleteResultsWarning", "Results", "ResultsError", "load", "read_runs", "runner"]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Import parts that need data frames at their first use, because external programs (`evogrid.program`) start without data frames."""
    if name in ("Results", "load", "read_runs"):
        from evogrid import results

        return getattr(results, name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)

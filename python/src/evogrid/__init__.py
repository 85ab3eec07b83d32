"""Results of Evogrid as data frames.

>>> import evogrid
>>> results = evogrid.load("results/popsize")  # doctest: +SKIP
>>> results.runs.filter("solved").group_by("population").len()  # doctest: +SKIP
"""

from evogrid.binary import find as runner
from evogrid.errors import IncompleteResultsWarning, ResultsError
from evogrid.results import Results, load

__all__ = ["IncompleteResultsWarning", "Results", "ResultsError", "load", "runner"]

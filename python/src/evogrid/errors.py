"""Errors of results, and the warning about incomplete results."""


class ResultsError(Exception):
    """Results cannot be read, or do not have the requested data. The message says what was expected, and what to do."""


class IncompleteResultsWarning(UserWarning):
    """Runs of the plan are missing, or lines of the journal were left out because they are damaged."""


def require(library: str) -> ResultsError:
    """The error for an optional library that is not installed, with the command that installs it."""
    return ResultsError(f"`{library}` is not installed: `pip install {library}` brings it")

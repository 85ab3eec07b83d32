"""The summary of results as HTML, for a notebook."""

import html
from collections.abc import Sequence
from typing import Any

import polars as pl

# The largest number of shown rows; the frame has all rows.
ROWS = 30

# The columns that follow the name of a row, if they have values.
FIGURES = [
    "runs",
    "failed",
    "instances",
    "solved",
    "success_rate",
    "median_evaluations_solved",
    "ert_evaluations",
    "mean_gap",
    "mean_objective",
    "mean_cpu_ms",
]

# Columns with a 95 % interval, and the columns of its ends.
INTERVALS = {"success_rate": ("success_low", "success_high"), "mean_gap": ("mean_gap_low", "mean_gap_high")}


def render(title: str, notes: Sequence[str], summary: pl.DataFrame) -> str:
    """A title, the notes on the results, and the rows of each bucket, or only the rows of all buckets together if there are too many."""
    names = summary.columns[: summary.columns.index("bucket") + 1]
    shown = summary if summary.height <= ROWS else summary.filter(pl.col("bucket") == "all")
    figures = [name for name in FIGURES if _says_anything(shown, name)]
    titles = names + [f"{name} (95 %)" if name in INTERVALS else name for name in figures]
    head = "".join(f"<th>{html.escape(title)}</th>" for title in titles)
    rows = shown.head(ROWS).iter_rows(named=True)
    body = "".join(
        "<tr>" + "".join([_name(row[name]) for name in names] + [_figure(row, name) for name in figures]) + "</tr>" for row in rows
    )
    cut = [] if shown.height == summary.height <= ROWS else [f"{min(shown.height, ROWS)} of {summary.height} rows; all are in `summary`"]
    above, below = ("".join(f"<p>{html.escape(note)}</p>" for note in said) for said in (notes, cut))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f"<h4>{html.escape(title)}</h4>{above}{table}{below}"


def _says_anything(summary: pl.DataFrame, name: str) -> bool:
    column = summary[name].drop_nulls()
    return len(column) > 0 and not (name == "failed" and column.sum() == 0)


def _name(value: object) -> str:
    text = "" if value is None else html.escape(str(value))
    return f'<td style="text-align: {"right" if isinstance(value, (int, float)) else "left"}">{text}</td>'


def _figure(row: dict[str, Any], name: str) -> str:
    shown = _number(row[name])
    # A summary of an older version may lack an interval.
    low, high = (row.get(end) for end in INTERVALS.get(name, (name, "")))
    if shown and low is not None and high is not None:
        shown += f" ({_number(low)} to {_number(high)})"
    return f'<td style="text-align: right; white-space: nowrap">{shown}</td>'


def _number(value: float | None) -> str:
    """About four significant digits, never in powers of ten; empty for null."""
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    size = abs(value)
    return f"{value:,.{3 if size < 10 else 2 if size < 100 else 1 if size < 1000 else 0}f}"

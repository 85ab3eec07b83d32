"""Tables as polars frames; each column has the type that the metadata declares."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from evogrid import checks

# Columns that are not used for groups, because their values differ from run to run.
UNIQUE = {"run_id"}

TYPES: dict[str, type[pl.DataType]] = {
    "integer": pl.Int64,
    "double": pl.Float64,
    "boolean": pl.Boolean,
    "string": pl.Categorical,
}

# The columns of a trace with whole numbers.
WHOLE_IN_TRACE = {"run", "evaluations", "generation"}

# The CSV files of tables.
FILES = {"runs": "runs.csv", "summary": "summary.csv", "traces": "trace.csv.gz"}

# The largest number of points in a run's trace, the largest size of a point in bytes, and the smallest size of a row of `runs.csv`.
POINTS, POINT_BYTES, RUN_BYTES = 1000, 4096, 32

# Headers of traces with and without the state of the population.
TRACE_HEADERS = (
    "run,evaluations,generation,best_fitness,mean_fitness,diversity",
    "run,evaluations,generation,best_fitness",
)


def schema(types: Mapping[str, str]) -> dict[str, type[pl.DataType]]:
    """The polars types of columns, from the types in the metadata."""
    return {name: pl.String if name in UNIQUE else TYPES.get(declared, pl.String) for name, declared in types.items()}


def scan_runs(path: Path, types: Mapping[str, str], present: int) -> pl.LazyFrame:
    """The runs, with the types from the metadata and the number from the manifest. Damaged runs are refused."""
    # A path has a comma or a quotation mark only in the names of algorithms, which are not columns.
    _, n_rows = checks.check_lines(path, [",".join(types)])
    runs = pl.scan_csv(path, glob=False, schema=schema(types))
    with reading(path):
        checks.check_runs(path, runs, n_rows, present)
    return runs


def scan_trace(path: Path, runs: Path, present: int) -> pl.LazyFrame:
    """The points of all traces: `run`, the counts, and the best fitness so far. Damaged traces and too many points are refused."""
    most = POINTS * min(present, runs.stat().st_size // RUN_BYTES)
    header, _ = checks.check_lines(path, TRACE_HEADERS, most, POINT_BYTES)
    trace = pl.scan_csv(path, glob=False, schema={name: pl.Int64 if name in WHOLE_IN_TRACE else pl.Float64 for name in header.split(",")})
    with reading(path):
        checks.check_trace(path, trace)
    return trace


def read_summary(path: Path, types: Mapping[str, str], present: int) -> pl.DataFrame:
    """The summary, with the types from the metadata. A damaged summary is refused."""
    checks.check_lines(path, [",".join(types)])
    with reading(path):
        summary = pl.scan_csv(path, glob=False, schema=schema(types)).collect()
    checks.check_summary(path, summary, present)
    return summary


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Name the table that cannot be read, and say what to do."""
    try:
        yield
    except (pl.exceptions.PolarsError, OSError) as error:
        raise checks.damaged(path, str(error).splitlines()[0]) from error


def with_target(runs: pl.LazyFrame) -> pl.LazyFrame:
    """Add `evaluations_to_target`: infinite if the target was not reached, null if there was no target or the work is unknown.

    So the mean is infinite if some runs were not solved, instead of too small. Quantiles are right if they are finite.
    """
    is_unknown = (pl.col("unit") == "evaluations") & (pl.col("evaluations") == 0)
    reached = pl.when(~is_unknown).then(pl.col("evaluations").cast(pl.Float64))
    to_target = pl.when(pl.col("solved")).then(reached).when(~pl.col("solved")).then(pl.lit(float("inf")))
    return runs.with_columns(to_target.alias("evaluations_to_target"))


def settings(algorithms: list[dict[str, Any]]) -> pl.DataFrame:
    """One row for each algorithm, one column for each setting.

    Null means that the algorithm lacks the setting or varies it. A varied setting is a column of the runs.
    """
    rows = []
    for algorithm in algorithms:
        varied = {path for axis in algorithm["varied"] for path in axis["settings"]}
        fixed = {
            path: value
            for path, value in algorithm["settings"].items()
            if not any(path == root or path.startswith(f"{root}.") for root in varied)
        }
        rows.append({"algorithm": algorithm["name"], **fixed})
    paths = sorted({path for row in rows for path in row} - {"algorithm"})
    columns = [pl.Series("algorithm", [row["algorithm"] for row in rows], dtype=pl.Categorical)]
    return pl.DataFrame(columns + [_typed(path, [row.get(path) for row in rows]) for path in paths])


def instances(listed: list[dict[str, Any]]) -> pl.DataFrame:
    """One row for each instance, in the order of the plan."""
    known = [instance.get("best_known") or {} for instance in listed]
    text = {name: [instance[name] for instance in listed] for name in ("problem", "bucket", "content")}
    return pl.DataFrame(
        [
            pl.Series("instance", [instance["id"] for instance in listed], dtype=pl.Categorical),
            pl.Series("problem", text["problem"], dtype=pl.Categorical),
            pl.Series("bucket", text["bucket"], dtype=pl.Categorical),
            pl.Series("best_known", [best.get("value") for best in known], dtype=pl.Float64),
            pl.Series("best_known_status", [best.get("status") for best in known], dtype=pl.Categorical),
            pl.Series("content", text["content"], dtype=pl.String),
        ]
    )


def _typed(name: str, values: list[Any]) -> pl.Series:
    """A column of the narrowest type that holds all values."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return pl.Series(name, values, dtype=pl.Boolean)
    if kinds == {int}:
        return pl.Series(name, values, dtype=pl.Int64)
    if kinds <= {int, float} and kinds:
        return pl.Series(name, [None if value is None else float(value) for value in values], dtype=pl.Float64)
    return pl.Series(name, [None if value is None else str(value) for value in values], dtype=pl.Categorical)

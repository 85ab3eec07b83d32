"""Checks that a CSV file is complete. A reader of CSV cannot notice a file that was cut, and reads missing fields as empty fields."""

import gzip
import io
import zlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import polars as pl

from evogrid import files
from evogrid.errors import ResultsError

# The largest number of bytes in a line, as in the binary.
LINE_LIMIT = 1 << 20


def damaged(path: Path, said: str) -> ResultsError:
    """The error for a damaged table, with advice."""
    folder = path.parent
    return ResultsError(
        f"`{path}` is damaged: {said}; `runner merge {folder}` makes the tables anew from the journal, "
        f"and `runner verify {folder}` then checks all files"
    )


def check_lines(path: Path, headers: Sequence[str], most: int | None = None, longest: int = LINE_LIMIT) -> tuple[str, int]:
    """Return the header of a CSV file, which may be compressed, and its number of rows.

    Refuses a file with another header, a file that ends within a line, and a file with too few or too many fields in a line. Also refuses
    more rows than `most` and lines with more bytes than `longest`, because a few compressed megabytes could fill the memory.
    """
    n_rows = n_commas = 0
    is_quoted = False
    try:
        with files.open_regular(path.parent, path.name) as stored:
            file = io.BufferedReader(gzip.GzipFile(fileobj=stored)) if path.suffix == ".gz" else stored
            next_line = partial(file.readline, longest + 1)
            last = next_line()
            header = last.decode(errors="replace").rstrip("\r\n")
            if not last:
                raise damaged(path, "it is empty")
            if header not in headers:
                raise damaged(path, f"expected the columns `{headers[0]}`, found `{header[:1000]}`")
            expected = last.count(b",")
            for number, line in enumerate(iter(next_line, b""), start=2):
                last = line
                if len(line) > longest:
                    raise damaged(path, f"line {number:,} has over {longest:,} bytes")
                if is_quoted or b'"' in line:
                    # A quoted name may contain commas and line breaks. A doubled quotation mark closes and reopens it.
                    pieces = line.split(b'"')
                    n_commas += sum(unquoted.count(b",") for unquoted in pieces[is_quoted::2])
                    is_quoted ^= len(pieces) % 2 == 0
                    if is_quoted:
                        continue
                else:
                    n_commas = line.count(b",")
                if n_commas != expected and line.endswith(b"\n"):
                    raise damaged(path, f"line {number:,} has {n_commas + 1} fields, and should have {expected + 1}")
                n_rows += 1
                n_commas = 0
                if most is not None and n_rows > most:
                    raise damaged(path, f"it has over {most:,} rows, more than its runs can have")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise damaged(path, str(error)) from error
    except OSError as error:
        raise ResultsError(f"cannot read `{path}`: {error}") from error
    if is_quoted or not last.endswith(b"\n"):
        raise damaged(path, "it ends within a line")
    return header, n_rows


def check_runs(path: Path, runs: pl.LazyFrame, n_rows: int, present: int) -> None:
    """Refuse runs unless they are exactly the runs that the manifest counts, each once, in the order of the plan."""
    if n_rows != present:
        raise damaged(path, f"it has {n_rows:,} runs, and manifest.json counts {present:,}")
    if not runs.select((pl.col("run").diff() > 0).all()).collect().item():
        raise damaged(path, "a run is there twice, or not in the order of the plan")


def check_trace(path: Path, trace: pl.LazyFrame) -> None:
    """Refuse a trace with a repeated point, or with runs in another order than the plan."""
    names = trace.collect_schema().names()
    is_repeated = pl.all_horizontal(pl.col(name).eq_missing(pl.col(name).shift()) for name in names)
    if trace.select((is_repeated | (pl.col("run").diff() < 0)).any()).collect().item():
        raise damaged(path, "a point is there twice, or a run is not in the order of the plan")


def check_summary(path: Path, summary: pl.DataFrame, present: int) -> None:
    """Refuse a summary with a repeated row, or with another number of runs than the manifest."""
    if summary.is_duplicated().any():
        raise damaged(path, "a row is there twice")
    is_of_all = (pl.col("bucket") == "all").fill_null(False)
    counted, by_bucket = (summary.filter(rows)["runs"].sum() for rows in (is_of_all, ~is_of_all))
    # A bucket with the name `all` has no rows besides the rows of all buckets.
    if counted != present or by_bucket not in (0, present):
        raise damaged(path, f"it sums up {counted:,} runs, by bucket {by_bucket:,}, and manifest.json counts {present:,}")

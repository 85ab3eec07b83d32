"""Results of an experiment: `load` finds them, `Results` reads each table at its first use, and `read_runs` reads a CSV file."""

import json
import os
import tempfile
import warnings
from collections.abc import Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast, overload

import polars as pl

from evogrid import binary, frames, options, page
from evogrid.errors import IncompleteResultsWarning, ResultsError, require
from evogrid.folder import Tables, column_types, find_tables
from evogrid.options import Option

if TYPE_CHECKING:
    import altair
    import pandas

Frame = TypeVar("Frame")


@overload
def load(*folders: str | PathLike[str], backend: Literal["polars"] = "polars") -> "Results[pl.DataFrame]": ...
@overload
def load(*folders: str | PathLike[str], backend: Literal["pandas"]) -> "Results[pandas.DataFrame]": ...
def load(*folders: str | PathLike[str], backend: Literal["polars", "pandas"] = "polars") -> "Results[Any]":
    """Load the results of an experiment from its folder, or from the folders of its shards.

    `backend` names the library of the frames. The experiment may still run, or may have been killed. Then the binary `runner` makes
    the tables from the finished runs in the journal, in a temporary folder, and an `IncompleteResultsWarning` gives the number of
    these runs. Incomplete and damaged lines are left out. Loaded frames do not change; load again to see later runs.

    Raises `ResultsError` if a path is not a results folder, if a folder is given twice, or if folders belong to different
    experiments. Raises `TypeError` if an argument is not a path.
    """
    _check_backend(backend)
    if not folders:
        raise ResultsError("expected a results folder: `evogrid.load('results/x')`")
    paths = [_folder(folder) for folder in folders]
    if twice := [path for number, path in enumerate(paths) if path.resolve() in {before.resolve() for before in paths[:number]}]:
        raise ResultsError(f"`{twice[0]}` occurs twice: expected each folder once")
    tables, damages = find_tables(paths)
    results: Results[Any] = Results(tables, paths, backend)
    for warning in [*damages, *results.notes]:
        warnings.warn(warning, IncompleteResultsWarning, stacklevel=2)
    return results


@overload
def read_runs(
    file: str | PathLike[str], *, columns: Mapping[str, str] | None = None, backend: Literal["polars"] = "polars"
) -> pl.DataFrame: ...
@overload
def read_runs(file: str | PathLike[str], *, columns: Mapping[str, str] | None = None, backend: Literal["pandas"]) -> "pandas.DataFrame": ...
def read_runs(
    file: str | PathLike[str], *, columns: Mapping[str, str] | None = None, backend: Literal["polars", "pandas"] = "polars"
) -> Any:
    """Read the runs in a CSV file of another program, with the names and types of our columns.

    `columns` assigns headers of the file to our columns, such as `{"algorithm": "Method"}`. A file `FILE.columns.toml` beside `FILE.csv`
    does the same. The binary `runner` reads the file. A `UserWarning` lists everything that it recognised by itself, such as semicolons
    and decimal commas.

    Raises `ResultsError` if the file cannot be read, or a needed column is missing.
    """
    _check_backend(backend)
    named = [f"--column={name}={header}" for name, header in (columns or {}).items()]
    with tempfile.TemporaryDirectory(prefix="evogrid-") as folder:
        out = Path(folder) / "runs"
        done = binary.call(["export", _folder(file), "--format", "csv", "--out", out, *named])
        types = column_types(out)["runs.csv"]
        with frames.reading(out / "runs.csv"):
            runs = pl.read_csv(out / "runs.csv", glob=False, schema=frames.schema(types))
    for note in done.stderr.splitlines():
        if note.startswith("note: ") and not note.startswith("note: the runs have no column"):
            warnings.warn(note.removeprefix("note: "), UserWarning, stacklevel=2)
    return runs if backend == "polars" else _to_pandas(runs)


class Results(Generic[Frame]):
    """The results of an experiment. `Frame` is the type of its tables: a frame of polars or of pandas.

    In every frame, counts are whole numbers, measures are floats, and texts are categories. A value that does not apply is null. In a
    pandas frame these types are `Int64`, `float64`, `boolean` and `category`; null is `pandas.NA`, or NaN for floats.
    """

    def __init__(self, tables: Tables, folders: list[Path], backend: Literal["polars", "pandas"]) -> None:
        """Made by `load`."""
        self._tables = tables
        self.folders = folders
        self.backend = backend

    @property
    def manifest(self) -> dict[str, Any]:
        """The content of `manifest.json`: the experiment, the version of the program, the machine, and the time."""
        return self._tables.manifest

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return str(self.manifest["experiment"]["name"])

    @property
    def planned(self) -> int:
        """The number of planned runs."""
        return int(self.manifest["runs"]["planned"])

    @property
    def present(self) -> int:
        """The number of planned runs that are finished."""
        return int(self.manifest["runs"]["present"])

    @property
    def is_complete(self) -> bool:
        """Whether all planned runs are finished."""
        return self.present >= self.planned

    @property
    def notes(self) -> list[str]:
        """Notes on the results as a whole, such as missing runs."""
        if self.is_complete:
            return []
        return [f"not complete: {self.present:,} of {self.planned:,} planned runs are there"]

    @cached_property
    def runs(self) -> Frame:
        """One row for each run, in the order of the plan: the columns of `runs.csv`, which results/README.md describes.

        The last column, `evaluations_to_target`, is added here: the evaluations of a solved run, infinite for an unsolved run, and null
        if the run had no target. Its mean is infinite if one run was not solved. Its median is right if more than half of the runs were
        solved.
        """
        runs = self.scan_runs()
        with frames.reading(self._tables.folder / "runs.csv"):
            return self._handed_over(runs.collect())

    @cached_property
    def traces(self) -> Frame:
        """The trace of each run that recorded one: `run`, as in `runs`, `evaluations`, `generation`, `best_fitness`, and, if the state of
        the population was recorded, `mean_fitness` and `diversity`.
        """
        traces = self.scan_traces()
        with frames.reading(self._tables.folder / "trace.csv.gz"):
            return self._handed_over(traces.collect())

    @cached_property
    def summary(self) -> Frame:
        """`summary.csv`: one row for each configuration and bucket, and one row for each configuration in all buckets (`all`)."""
        return self._handed_over(self._summary)

    @cached_property
    def settings(self) -> Frame:
        """One row for each algorithm: the resolved settings that are the same in all its runs, by dotted path. A varied setting is null
        here and a column of `runs`. Join `runs` and `settings` by `algorithm`.
        """
        return self._handed_over(frames.settings(self.manifest["experiment"]["algorithms"]))

    @cached_property
    def instances(self) -> Frame:
        """One row for each instance: `instance`, `problem`, `bucket`, `best_known` with its status, and `content`, its canonical text."""
        return self._handed_over(frames.instances(self.manifest["experiment"]["instances"]))

    def scan_runs(self) -> pl.LazyFrame:
        """The runs as a lazy frame of polars, with every backend: for results that do not fit into memory."""
        return frames.with_target(frames.scan_runs(self._tables.file("runs.csv"), self._tables.types["runs.csv"], self.present))

    def scan_traces(self) -> pl.LazyFrame:
        """The traces as a lazy frame of polars, with every backend."""
        if not self._tables.has("trace.csv.gz"):
            raise ResultsError(f'no run of `{self.name}` has a trace: `[record] trace = "improvements"` in the experiment records them')
        return frames.scan_trace(self._tables.file("trace.csv.gz"), self._tables.file("runs.csv"), self.present)

    def charts(self, **chosen: Option) -> dict[str, "altair.TopLevelMixin"]:
        """All charts that these results allow, by name. `runner plot` computes their numbers. Its options are available here:

        `by`, `metric`, `against`, `width` (`runner plot --help`).
        """
        return {name: _altair(description) for name, description in self._plot([], chosen).items()}

    def chart(self, name: str, **chosen: Option) -> "altair.TopLevelMixin":
        """One chart, such as `success` or `ecdf`, with the options of `charts`."""
        return _altair(self.chart_description(name, **chosen))

    def chart_description(self, name: str, **chosen: Option) -> dict[str, Any]:
        """One chart as a Vega-Lite description, which needs no further library."""
        options.require_known("chart", name, options.CHARTS)
        return self._plot([f"--chart={name}"], chosen)[name]

    def write_parquet(self, folder: str | PathLike[str]) -> list[Path]:
        """Write all tables into a folder as Parquet files, with their types, and return the files.

        Without traces, `traces.parquet` is not written. Raises `ResultsError` if the folder already has one of these files, or if a table
        cannot be read; then no file is written.
        """
        into = Path(folder)
        tables: dict[str, pl.LazyFrame] = {
            "runs": self.scan_runs(),
            "summary": self._summary.lazy(),
            "settings": frames.settings(self.manifest["experiment"]["algorithms"]).lazy(),
            "instances": frames.instances(self.manifest["experiment"]["instances"]).lazy(),
        }
        if self._tables.has("trace.csv.gz"):
            tables["traces"] = self.scan_traces()
        # Also an existing file of traces if there are no traces, because it would belong to other results.
        if there := [path for name in (*tables, "traces") if (path := into / f"{name}.parquet").exists()]:
            raise ResultsError(f"`{there[0]}` already exists: remove it, or choose another folder")
        into.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".evogrid-", dir=into) as unfinished:
            for name, table in tables.items():
                with frames.reading(self._tables.folder / frames.FILES.get(name, "manifest.json")):
                    made = table.collect()
                made.write_parquet(Path(unfinished) / f"{name}.parquet")
            return [(Path(unfinished) / f"{name}.parquet").replace(into / f"{name}.parquet") for name in tables]

    def __repr__(self) -> str:
        """Name, number of runs and folder."""
        where = ", ".join(map(str, self.folders))
        of = "" if self.is_complete else f" of {self.planned:,} planned"
        return f"<evogrid.Results `{self.name}`: {self.present:,}{of} runs, from {where}>"

    def _repr_html_(self) -> str:
        title = f"{self.name}: {self.present:,} runs"
        units = self.scan_runs().select(pl.col("unit").drop_nulls().unique()).collect()["unit"].cast(pl.String).sort()
        notes = list(self.notes)
        if len(units) > 1:
            notes.append(
                f"work is counted in different units ({', '.join(units)}): evaluations and expected work do not compare across them"
            )
        return page.render(title, notes, self._summary)

    @cached_property
    def _summary(self) -> pl.DataFrame:
        return frames.read_summary(self._tables.file("summary.csv"), self._tables.types["summary.csv"], self.present)

    def _plot(self, asked: list[str], chosen: dict[str, Option]) -> dict[str, dict[str, Any]]:
        """The descriptions of charts by name."""
        arguments = options.arguments(chosen)
        self.scan_runs()  # which refuses a damaged table: the binary draws what is left of one
        with tempfile.TemporaryDirectory(prefix="evogrid-") as out:
            binary.call(["plot", self._tables.folder, "--format", "vega", "--out", out, *asked, *arguments])
            files = sorted(Path(out).glob("*.vl.json"))
            return {path.name.removesuffix(".vl.json"): json.loads(path.read_bytes()) for path in files}

    def _handed_over(self, frame: pl.DataFrame) -> Frame:
        """The frame in the library of the chosen backend."""
        return cast(Frame, frame if self.backend == "polars" else _to_pandas(frame))


def _folder(given: object) -> Path:
    """The path of a folder; `~` means the home folder."""
    if isinstance(given, (str, PathLike)) and given != "" and isinstance(path := os.fspath(given), str):
        return Path(path).expanduser()
    if isinstance(given, (list, tuple, set)):
        raise TypeError(f"expected folders as separate arguments, `evogrid.load(*folders)`, and not a {type(given).__name__} of them")
    raise TypeError(f"expected the path of a results folder, such as `evogrid.load('results/x')`, and not {given!r}")


def _check_backend(backend: object) -> None:
    if backend not in ("polars", "pandas"):
        raise ResultsError(f"unknown backend `{backend}`: expected `polars` or `pandas`")
    if backend == "pandas":
        _require_pandas()


def _require_pandas() -> None:
    try:
        import pandas  # noqa: F401
    except ImportError as error:
        raise require("pandas") from error
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise require("pyarrow") from error


def _to_pandas(frame: pl.DataFrame) -> "pandas.DataFrame":
    """A pandas frame with nullable types, so counts stay whole numbers and truth values stay truth values if some are absent."""
    import pandas as pd
    import pyarrow as pa

    types = {
        pa.int64(): pd.Int64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
    }
    return frame.to_pandas(types_mapper=types.get)


def _altair(description: dict[str, Any]) -> "altair.TopLevelMixin":
    try:
        import altair
    except ImportError as error:
        raise require("altair") from error
    return altair.Chart.from_dict(description)

"""What is loaded is what the binary wrote and prints."""

import csv
import gzip
import io
import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from conftest import call

import evogrid
from evogrid.frames import TYPES


def fields(frame: pl.DataFrame) -> list[list[object]]:
    """All values; null is an empty text, and all others are as Python has them."""
    return [["" if value is None else value for value in row] for row in frame.iter_rows()]


def parsed(text: str, frame: pl.DataFrame) -> list[list[object]]:
    """The fields of a CSV by Python's own reader, each parsed as the type of its column."""
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == frame.columns
    known: dict[type, Callable[[str], object]] = {
        pl.Int64: int,
        pl.Float64: float,
        pl.Boolean: {"true": True, "false": False}.__getitem__,
    }
    parsers = [known.get(type(dtype), str) for dtype in frame.dtypes]
    return [[parse(field) if field else "" for parse, field in zip(parsers, row, strict=True)] for row in rows[1:]]


def test_runs_are_those_of_the_file(results: Path) -> None:
    loaded = evogrid.load(results)
    assert loaded.is_complete
    runs = loaded.runs.drop("evaluations_to_target")
    assert runs.height == loaded.present == 840
    assert fields(runs) == parsed((results / "runs.csv").read_text(), runs)


@pytest.mark.parametrize("name", ["out[1]", "out?", "out*", "out{1}", "**"])
def test_the_name_of_a_folder_is_no_pattern(results: Path, tmp_path: Path, name: str) -> None:
    other, own = tmp_path / "out1", tmp_path / name
    shutil.copytree(results, other)
    shutil.copytree(results, own)
    for table in ("runs.csv", "summary.csv"):
        text = (other / table).read_text()
        (other / table).write_text(text.replace("huke", "ekuh"))
    loaded, expected = evogrid.load(own), evogrid.load(results)
    assert loaded.runs.equals(expected.runs)
    assert loaded.summary.equals(expected.summary)
    assert loaded.traces.equals(expected.traces)


def test_the_summary_is_the_table_that_the_binary_prints(results: Path) -> None:
    summary = evogrid.load(results).summary
    assert fields(summary) == parsed(call("table", results, "--layout", "long", "--format", "csv"), summary)
    assert fields(summary) == parsed((results / "summary.csv").read_text(), summary)


def test_traces_are_those_of_the_file(results: Path) -> None:
    traces = evogrid.load(results).traces
    assert fields(traces) == parsed(gzip.decompress((results / "trace.csv.gz").read_bytes()).decode(), traces)
    assert traces.schema["diversity"] == pl.Float64


def test_types_are_declared_and_not_guessed(results: Path) -> None:
    runs = evogrid.load(results).runs
    guessed = pl.read_csv(results / "runs.csv")
    expected = {
        "population": pl.Int64,
        "mutation_rate": pl.Float64,
        "objective": pl.Float64,
        "best_known": pl.Float64,
        "solved": pl.Boolean,
        "algorithm": pl.Categorical,
        "run_id": pl.String,
    }
    assert {name: runs.schema[name] for name in expected} == expected
    # Without a declaration these two, empty in the first hundred rows, are texts.
    assert {guessed.schema[name] for name in ("population", "mutation_rate")} == {pl.String}


@pytest.mark.parametrize("name", ["runs.csv", "summary.csv"])
def test_a_float_has_a_decimal_point_wherever_it_stands(results: Path, name: str) -> None:
    types = {
        column["titles"]: column["datatype"]
        for table in json.loads((results / "csv-metadata.json").read_text())["tables"]
        if table["url"] == name
        for column in table["tableSchema"]["columns"]
    }
    with (results / name).open() as file:
        rows = list(csv.DictReader(file))
    assert list(types) == list(rows[0])
    for column, declared in types.items():
        has_point = {"." in row[column] for row in rows if row[column]}
        assert declared != "double" or has_point <= {True}, column
        assert declared != "integer" or has_point <= {False}, column


def test_a_printed_csv_reads_right_without_options(results: Path) -> None:
    printed = pl.read_csv(io.StringIO(call("table", results, "--layout", "long", "--format", "csv")))
    assert printed.schema["mutation_rate"] == pl.Float64
    assert printed["mutation_rate"].drop_nulls().unique().sort().to_list() == [0.0, 0.5, 1.0]


def test_other_readers_find_these_types_without_options(results: Path) -> None:
    runs = evogrid.load(results).runs.drop("evaluations_to_target")
    whole_file = pl.read_csv(results / "runs.csv", infer_schema_length=None)
    of_pandas = pd.read_csv(results / "runs.csv", low_memory=False)
    for name, dtype in runs.schema.items():
        if runs[name].null_count() == runs.height:
            continue
        plain = pl.String if dtype == pl.Categorical else dtype
        assert whole_file.schema[name] == plain, name
        kinds = {pl.Int64: "if" if runs[name].null_count() else "i", pl.Float64: "f", pl.Boolean: "b", pl.String: "OU"}
        assert of_pandas[name].dtype.kind in kinds[type(plain) if isinstance(plain, pl.DataType) else plain], name


def test_a_run_that_was_not_solved_has_an_infinite_time_to_target(results: Path) -> None:
    runs = evogrid.load(results).runs
    solved, unsolved = runs.filter("solved"), runs.filter(~pl.col("solved"))
    assert solved.height > 0
    assert unsolved.height > 0
    assert solved["evaluations_to_target"].to_list() == solved["evaluations"].to_list()
    assert set(unsolved["evaluations_to_target"]) == {math.inf}
    assert runs["evaluations_to_target"].mean() == math.inf


def test_frames_of_pandas_have_the_same_values_and_types_with_a_null(results: Path) -> None:
    of_polars, of_pandas = evogrid.load(results), evogrid.load(results, backend="pandas")
    for name in ("runs", "summary", "traces", "settings", "instances"):
        polars, pandas = getattr(of_polars, name), getattr(of_pandas, name)
        assert list(pandas.columns) == polars.columns
        kinds = {pl.Int64: "Int64", pl.Float64: "float64", pl.Boolean: "boolean", pl.Categorical: "category"}
        for column, dtype in polars.schema.items():
            assert str(pandas[column].dtype) == kinds.get(type(dtype), "str") or dtype == pl.String
            assert [None if pd.isna(value) else value for value in pandas[column]] == polars[column].to_list(), column


def test_settings_have_a_row_for_each_algorithm(results: Path) -> None:
    loaded = evogrid.load(results)
    assert loaded.settings["algorithm"].to_list() == ["random", "huke"]
    huke = loaded.settings.row(1, named=True)
    assert huke["budget.evaluations"] == 3000
    assert "population" not in loaded.settings.columns, "it is varied: a column of the runs"
    joined = loaded.runs.join(loaded.settings, on="algorithm")
    assert joined.height == loaded.present


def test_instances_are_those_of_the_plan(results: Path) -> None:
    loaded = evogrid.load(results)
    assert loaded.instances["instance"].to_list() == loaded.runs["instance"].unique(maintain_order=True).to_list()
    assert (loaded.instances["content"].str.len_chars() > 80).all()


def test_tables_are_written_as_parquet_with_their_types(results: Path, tmp_path: Path) -> None:
    loaded = evogrid.load(results)
    files = loaded.write_parquet(tmp_path / "parquet")
    assert sorted(path.stem for path in files) == ["instances", "runs", "settings", "summary", "traces"]
    for path in files:
        frame = getattr(loaded, path.stem)
        assert pl.read_parquet(path).equals(frame)
        assert pl.read_parquet(path).schema == frame.schema
    assert sorted(files) == sorted((tmp_path / "parquet").iterdir()), "nothing else is left there"
    with pytest.raises(evogrid.ResultsError, match="already exists"):
        loaded.write_parquet(tmp_path / "parquet")


def test_parquet_is_not_mixed_with_that_of_other_results(results: Path, tmp_path: Path) -> None:
    call("merge", results, "--out", tmp_path / "copy", "--quiet")
    (tmp_path / "copy/trace.csv.gz").unlink()
    (tmp_path / "parquet").mkdir()
    (tmp_path / "parquet/traces.parquet").write_text("of others")
    untraced = evogrid.load(tmp_path / "copy")
    with pytest.raises(evogrid.ResultsError, match=r"traces\.parquet` already exists: remove it, or choose another folder"):
        untraced.write_parquet(tmp_path / "parquet")
    (tmp_path / "parquet/traces.parquet").unlink()
    untraced.write_parquet(tmp_path / "parquet")
    names = sorted(path.name for path in (tmp_path / "parquet").iterdir())
    assert names == ["instances.parquet", "runs.parquet", "settings.parquet", "summary.parquet"]


def test_parquet_of_a_value_that_cannot_be_read_is_not_written(results: Path, tmp_path: Path) -> None:
    call("merge", results, "--out", tmp_path / "copy", "--quiet")
    runs = tmp_path / "copy/runs.csv"
    runs.write_text(runs.read_text().replace(",evaluations,3", ",evaluations,three", 1))
    with pytest.raises(evogrid.ResultsError, match=r"runs\.csv` is damaged: "):
        evogrid.load(tmp_path / "copy").write_parquet(tmp_path / "parquet")
    assert list((tmp_path / "parquet").iterdir()) == []


def test_a_scan_reads_only_what_is_asked(results: Path) -> None:
    loaded = evogrid.load(results)
    rate = loaded.scan_runs().group_by("algorithm", maintain_order=True).agg(pl.col("solved").mean()).collect()
    by_hand = loaded.runs.group_by("algorithm", maintain_order=True).agg(pl.col("solved").mean())
    assert rate.equals(by_hand)
    assert set(TYPES) == {"integer", "double", "boolean", "string"}


def test_tables_that_were_written_anew_are_not_mixed_with_those_before(results: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    call("merge", results, "--out", copy, "--quiet")
    loaded = evogrid.load(copy)
    assert loaded.runs.height == 840
    (copy / "summary.csv").write_text((copy / "summary.csv").read_text() + "\n")
    with pytest.raises(evogrid.ResultsError, match="written anew since the results were loaded"):
        loaded.summary  # noqa: B018

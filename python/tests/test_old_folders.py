"""Results folders of earlier releases load as those wrote them: crates/cli/tests/old_folders/README.md."""

import shutil
from pathlib import Path

import polars as pl
import pytest
from conftest import ROOT
from test_incomplete import files
from test_load import fields, parsed

import evogrid

STORED = ROOT / "crates/cli/tests/old_folders"
FOLDERS = sorted(path.parent for path in STORED.glob("*/*/results"))


@pytest.fixture(params=FOLDERS, ids=lambda path: str(path.relative_to(STORED)))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a stored results folder."""
    return Path(shutil.copytree(request.param / "results", tmp_path / "results"))


def of_file(frame: pl.DataFrame, file: Path) -> pl.DataFrame:
    """The columns of a frame that the file has."""
    return frame.select(file.read_text().splitlines()[0].split(","))


def test_there_are_folders_of_each_release() -> None:
    assert {path.parent.name for path in FOLDERS} >= {"0.2.0"}


def test_an_old_folder_loads_as_its_files_say(old: Path) -> None:
    before = files(old)
    loaded = evogrid.load(old)
    assert loaded.is_complete
    for name in ("runs", "summary"):
        file = old / f"{name}.csv"
        frame = of_file(getattr(loaded, name), file)
        assert fields(frame) == parsed(file.read_text(), frame), name
    solved = loaded.runs["solved"].sum()
    assert solved == loaded.summary.filter(pl.col("bucket") == "all")["solved"].fill_null(0).sum()
    assert set(loaded.instances["instance"]) == set(loaded.runs["instance"])
    assert loaded.settings["algorithm"].to_list() == loaded.runs["algorithm"].unique(maintain_order=True).to_list()
    if (old / "trace.csv.gz").exists():
        assert set(loaded.traces["run"]) <= set(loaded.runs["run"])
    pandas = evogrid.load(old, backend="pandas")
    assert (len(pandas.runs), list(pandas.summary.columns)) == (loaded.runs.height, loaded.summary.columns)
    assert files(old) == before


def test_the_tables_of_an_old_journal_are_those_that_were_there(old: Path) -> None:
    stored = evogrid.load(old)
    tables = {name: old / f"{name}.csv" for name in ("runs", "summary")}
    then = {name: of_file(getattr(stored, name), path) for name, path in tables.items()}
    for path in tables.values():
        path.unlink()
    made = evogrid.load(old)
    for name, frame in then.items():
        assert getattr(made, name).select(frame.columns).equals(frame), name
    assert not any(path.exists() for path in tables.values()), "they are made elsewhere"

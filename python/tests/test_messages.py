"""What is wrong is said, with what was expected and what to do."""

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import call, runner, write_experiment

import evogrid
from evogrid import options
from evogrid.options import Option


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "x.toml").write_text("")
    (tmp_path / "x.csv").write_text("a\n")
    (tmp_path / "above/results").mkdir(parents=True)
    (tmp_path / "above/results/manifest.json").write_text("{")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none", "`FOLDER/none` is not there: expected a results folder, which `runner run` makes"),
        ("x.toml", "`FOLDER/x.toml` is an experiment: expected the results folder that `runner run FOLDER/x.toml` makes"),
        ("x.csv", "`FOLDER/x.csv` is a file: expected a results folder; `evogrid.read_runs` reads a CSV"),
        ("above", "`FOLDER/above` is not a results folder: it has no manifest.json; those in it are `FOLDER/above/results`"),
        ("above/results", "FOLDER/above/results/manifest.json is not a valid manifest"),
    ],
)
def test_what_is_no_results_folder(folder: Path, name: str, said: str) -> None:
    with pytest.raises(evogrid.ResultsError) as raised:
        evogrid.load(folder / name)
    assert str(raised.value).replace(str(folder), "FOLDER").startswith(said)


def test_a_damaged_table_is_named_with_the_remedy(results: Path, tmp_path: Path) -> None:
    call("merge", results, "--out", tmp_path / "copy", "--quiet")
    runs = tmp_path / "copy/runs.csv"
    with runs.open(newline="") as file:
        rows = list(csv.reader(file))
    rows[1][rows[0].index("evaluations")] = "three"
    with runs.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    with pytest.raises(evogrid.ResultsError) as raised:
        evogrid.load(tmp_path / "copy").runs  # noqa: B018
    said = str(raised.value)
    assert said.startswith(f"`{runs}` is damaged: ")
    assert "column 'evaluations'" in said
    runs.unlink()
    assert evogrid.load(tmp_path / "copy").runs.height == 840, "a table that is not there is made from the journal"


@pytest.mark.parametrize("library", ["pandas", "pyarrow", "altair"])
def test_an_optional_library_that_is_missing_is_named(results: Path, monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    ask = (lambda: evogrid.load(results).chart("ecdf")) if library == "altair" else (lambda: evogrid.load(results, backend="pandas"))
    with pytest.raises(evogrid.ResultsError) as raised:
        ask()
    assert str(raised.value) == f"`{library}` is not installed: `pip install {library}` brings it"


def test_a_binary_that_is_missing_is_named(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = evogrid.load(results)
    assert loaded.runs.height == 840, "finished tables are read without it"
    monkeypatch.setenv("EVOGRID_RUNNER", "/nowhere/runner")
    with pytest.raises(evogrid.ResultsError, match="EVOGRID_RUNNER names `/nowhere/runner`, and there is no such file"):
        loaded.chart("ecdf")
    monkeypatch.delenv("EVOGRID_RUNNER")
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(evogrid.ResultsError, match="the binary `runner` is needed for this, and is not there"):
        loaded.chart("ecdf")


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("FOLDER", "EVOGRID_RUNNER names `FOLDER`, which is a folder: expected the path of the binary `runner`"),
        ("/bin/ls", "`/bin/ls` is no Evogrid runner: set EVOGRID_RUNNER to the path of the binary `runner`"),
        ("/bin/true", "`/bin/true` is no Evogrid runner: set EVOGRID_RUNNER to the path of the binary `runner`"),
        ("FOLDER/x.csv", "cannot start `FOLDER/x.csv`: Permission denied; set EVOGRID_RUNNER to the path of the binary `runner`"),
    ],
)
def test_what_is_no_runner_is_named(results: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, named: str, said: str) -> None:
    monkeypatch.setenv("EVOGRID_RUNNER", named.replace("FOLDER", str(folder)))
    with pytest.raises(evogrid.ResultsError) as raised:
        evogrid.load(results).chart("ecdf")
    assert str(raised.value).replace(str(folder), "FOLDER") == said


@pytest.mark.parametrize(
    ("name", "chosen", "said"),
    [
        ("succes", {}, r"unknown chart `succes`: expected `success`, `gap`, .* or `published`; did you mean `success`\?"),
        ("pie", {}, r"unknown chart `pie`: expected `success`, .* or `published`"),
        ("ecdf", {"colour": "red"}, "unknown option `colour`: expected `by`, `metric`, `against` or `width`"),
        ("ecdf", {"widht": 85}, r"unknown option `widht`: .*; did you mean `width`\?"),
        ("ecdf", {"metric": "gapp"}, r"unknown metric `gapp`: expected `solved`, .* or `cpu_ms`; did you mean `gap`\?"),
        ("ecdf", {"width": -1}, "`width` is -1: expected millimetres, a number from 40 to 400"),
        ("ecdf", {"width": 400.5}, r"`width` is 400\.5: expected millimetres"),
        ("ecdf", {"width": float("nan")}, "`width` is nan: expected millimetres"),
        ("ecdf", {"width": "wide"}, "`width` is 'wide': expected millimetres"),
        ("ecdf", {"by": 3}, "`by` is 3: expected the name of a column, or a list of such names"),
        ("ecdf", {"by": "-x"}, "the runs do not differ in `-x`\n  expected `algorithm`, "),
    ],
)
def test_charts_and_their_options_are_named(results: Path, name: str, chosen: dict[str, Option], said: str) -> None:
    with pytest.raises(evogrid.ResultsError) as raised:
        evogrid.load(results).chart(name, **chosen)
    assert re.match(said, str(raised.value)), raised.value
    assert "--" not in str(raised.value)


def test_names_and_range_are_those_of_the_binary(results: Path, tmp_path: Path) -> None:
    shown = call("plot", "--help")
    charts = shown.index("--chart <NAME>")
    listed = re.compile(r"^          - ([\w-]+):", re.M)
    assert tuple(listed.findall(shown[charts : shown.index("--format <FORMAT>")])) == options.CHARTS
    command = [runner(), "plot", str(results), "--metric", "restarts"]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    expected = told[told.index("expected ") : told.rindex(";")]
    assert tuple(re.findall(r"`(\w+)`", expected)) == options.METRICS
    plot = ("plot", results, "--chart", "ecdf", "--format", "vega", "--out", tmp_path)
    for width, status in ((options.NARROWEST, 0), (options.WIDEST, 0), (options.NARROWEST - 1, 2), (options.WIDEST + 1, 2)):
        call(*plot, "--width", str(width), accepted=(status,))


@pytest.mark.parametrize("given", [3, None, b"results", "", ["results/first"], ("a", "b")])
def test_what_is_no_path_is_a_type_error(given: object) -> None:
    said = "expected folders as separate arguments" if isinstance(given, (list, tuple)) else "expected the path of a results folder"
    with pytest.raises(TypeError, match=said):
        evogrid.load(given)  # type: ignore[call-overload]


def test_a_folder_is_found_below_home_and_taken_once(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(results.parent))
    assert evogrid.load(f"~/{results.name}").present == 840
    with pytest.raises(evogrid.ResultsError, match=f"`{results}/../small` occurs twice: expected each folder once"):
        evogrid.load(results, f"{results}/../small")


def test_what_was_not_recorded_or_is_not_known_is_said(results: Path, tmp_path: Path) -> None:
    loaded = evogrid.load(results)
    with pytest.raises(evogrid.ResultsError, match="no chart `gap`: "):
        loaded.chart("gap")
    with pytest.raises(evogrid.ResultsError, match="unknown backend `dask`: expected `polars` or `pandas`"):
        evogrid.load(results, backend="dask")  # type: ignore[call-overload]
    with pytest.raises(evogrid.ResultsError, match="expected a results folder"):
        evogrid.load()
    experiment = write_experiment(tmp_path, **{"{ every = 10 }": '"none"'})
    call("run", experiment, "--out", tmp_path / "out", "--quiet", "--set", "experiment.repetitions=1")
    with pytest.raises(evogrid.ResultsError, match="no run of `small` has a trace"):
        evogrid.load(tmp_path / "out").traces  # noqa: B018

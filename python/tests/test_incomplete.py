"""What is loaded of a sweep that still runs, was interrupted or killed, or is in shards."""

import json
import shutil
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import polars as pl
import pytest
from conftest import call, n_lines, start, wait_for, write_experiment
from test_load import fields, parsed

import evogrid
from evogrid.folder import has_current_tables

TIMES = ["wall_ms", "cpu_ms"]


def load_quietly(*folders: Path) -> "evogrid.Results[pl.DataFrame]":
    """Load what is known to be incomplete."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", evogrid.IncompleteResultsWarning)
        return evogrid.load(*folders)


def is_as_merged(loaded: "evogrid.Results[pl.DataFrame]", folder: Path, into: Path) -> bool:
    """Whether runs and summary are those of the tables that the binary makes of a folder."""
    call("merge", folder, "--out", into, "--quiet", accepted=(0, 1))
    merged = load_quietly(into)
    return loaded.runs.equals(merged.runs) and loaded.summary.equals(merged.summary)


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_sweep_that_was_interrupted_is_what_the_binary_makes_of_it(tmp_path: Path) -> None:
    sweep = start(write_experiment(tmp_path), tmp_path / "out")
    sweep.send_signal(signal.SIGINT)
    sweep.wait()
    with pytest.warns(evogrid.IncompleteResultsWarning, match=r"not complete: [\d,]+ of 60,000 planned runs are there"):
        loaded = evogrid.load(tmp_path / "out")
    assert not loaded.is_complete
    assert loaded.runs.height == loaded.present == n_lines(tmp_path / "out")
    assert is_as_merged(loaded, tmp_path / "out", tmp_path / "merged")
    assert has_current_tables(tmp_path / "merged")
    printed = call("table", tmp_path / "merged", "--layout", "long", "--format", "csv")
    assert fields(loaded.summary) == parsed(printed, loaded.summary)
    assert "not complete" in loaded._repr_html_()


def test_a_sweep_that_was_killed_is_read_from_its_journal(tmp_path: Path) -> None:
    sweep = start(write_experiment(tmp_path), tmp_path / "out")
    sweep.kill()
    sweep.wait()
    assert not (tmp_path / "out/runs.csv").exists()
    before = files(tmp_path / "out")
    loaded = load_quietly(tmp_path / "out")
    assert loaded.runs.height == loaded.present == n_lines(tmp_path / "out")
    assert is_as_merged(loaded, tmp_path / "out", tmp_path / "merged")
    assert loaded.traces["run"].is_in(loaded.runs["run"].implode()).all()
    assert files(tmp_path / "out") == before, "loading changes nothing"


def test_a_sweep_is_read_while_it_runs(tmp_path: Path) -> None:
    sweep = start(write_experiment(tmp_path), tmp_path / "out")
    try:
        with pytest.warns(evogrid.IncompleteResultsWarning):
            first = evogrid.load(tmp_path / "out")
        n_first = first.present
        wait_for(lambda: n_lines(tmp_path / "out") > 2 * n_first)
        second = load_quietly(tmp_path / "out")
        assert sweep.poll() is None, "it still runs"
    finally:
        sweep.kill()
        sweep.wait()
    assert 0 < n_first < second.present
    assert first.runs.height == n_first, "what was loaded stays as it is"
    shared = second.runs.filter(pl.col("run_id").is_in(first.runs["run_id"].implode()))
    assert shared.equals(first.runs)


def test_torn_and_damaged_lines_are_left_out(tmp_path: Path, results: Path) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(results, folder)
    journal = next(folder.glob("journal/*.jsonl"))
    lines = journal.read_bytes().splitlines(keepends=True)
    flipped = lines[3].replace(b'"evaluations":', b'"evaluations":1', 1)
    assert flipped != lines[3]
    journal.write_bytes(b"".join([*lines[:3], flipped, *lines[4:-1], lines[-1][:-40]]))
    (folder / "runs.csv").unlink()
    with pytest.warns(evogrid.IncompleteResultsWarning) as warned:
        loaded = evogrid.load(folder)
    said = [str(warning.message) for warning in warned]
    assert said[0].startswith(f"{journal}:4: ignored a damaged line: checksum mismatch"), said
    assert "not complete: 838 of 840 planned runs are there" in said
    expected = load_quietly(results).runs
    ids = [line.split(b'"')[3].decode() for line in (lines[3], lines[-1])]
    assert loaded.runs.equals(expected.filter(~pl.col("run_id").is_in(ids)))


def test_a_sweep_that_goes_on_is_not_read_from_the_tables_before(tmp_path: Path) -> None:
    experiment, out = write_experiment(tmp_path), tmp_path / "out"
    call("run", experiment, "--out", out, "--quiet", "--set", "experiment.repetitions=1", "--set", "algorithms.huke.grid.population=[100]")
    n_before = evogrid.load(out).present
    sweep = start(experiment, out)
    try:
        assert not has_current_tables(out)
        assert load_quietly(out).present > n_before
    finally:
        sweep.kill()
        sweep.wait()
    call("merge", out, "--quiet", accepted=(1,))
    assert load_quietly(out).present == n_lines(out)


def test_shards_are_read_together_and_alone(tmp_path: Path, results: Path) -> None:
    experiment = write_experiment(tmp_path)
    shards = [tmp_path / f"shard-{number}" for number in (1, 2)]
    for number, shard in enumerate(shards, start=1):
        call("run", experiment, "--out", shard, "--quiet", "--shard", f"{number}/2")
    together = evogrid.load(*shards)
    assert together.is_complete
    assert together.runs.drop(TIMES).equals(evogrid.load(results).runs.drop(TIMES))
    alone = load_quietly(shards[0])
    assert alone.present == 420
    assert "Incomplete: the results contain 420 of 840" in json.dumps(alone.chart_description("ecdf")), "a chart says it, too"


def test_folders_of_different_experiments_are_not_joined(tmp_path: Path, results: Path) -> None:
    other = tmp_path / "other"
    call("run", write_experiment(tmp_path, **{"seed = 1": "seed = 2"}), "--out", other, "--quiet", "--set", "experiment.repetitions=1")
    with pytest.raises(evogrid.ResultsError, match="belong to different experiments"):
        evogrid.load(results, other)


def test_a_folder_from_before_types_were_declared_is_read(tmp_path: Path, results: Path) -> None:
    shutil.copytree(results, tmp_path / "older")
    (tmp_path / "older/csv-metadata.json").unlink()
    loaded = evogrid.load(tmp_path / "older")
    assert loaded.runs.equals(evogrid.load(results).runs)
    assert "nothing is wrong" in call("verify", tmp_path / "older", "--sample", "1")


def test_temporary_tables_are_removed_with_the_results(tmp_path: Path) -> None:
    code = "import evogrid, sys, warnings; warnings.simplefilter('ignore');print(evogrid.load(sys.argv[1])._tables.folder)"
    sweep = start(write_experiment(tmp_path), tmp_path / "out")
    sweep.kill()
    sweep.wait()
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "out")], capture_output=True, text=True, check=True)
    made = Path(done.stdout.strip())
    assert made != tmp_path / "out"
    assert not made.exists()

"""A small experiment, run once, and the binary that ran it."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# More than a hundred runs of an algorithm that lacks what the others vary stand first, so that a reader that guesses types by the
# first rows guesses wrongly.
EXPERIMENT = """
[experiment]
name = "small"
seed = 1
repetitions = 40

[[instances]]
problem = "sudoku"
path = "{root}/datasets/sudoku/printed.csv"
limit = 5

[algorithms.random]
kind = "random-search"
budget = {{ evaluations = 1 }}

[algorithms.huke]
preset = "huke"
budget = {{ evaluations = 3000 }}

[algorithms.huke.grid]
population = [100, 200]
mutation_rate = [0, 0.5, 1]

[record]
trace = {{ every = 10 }}
"""


def runner() -> str:
    """The binary to test: `EVOGRID_RUNNER`, or the release build."""
    return os.environ.setdefault("EVOGRID_RUNNER", str(ROOT / "target/release/runner"))


def call(*arguments: str | Path, accepted: tuple[int, ...] = (0,)) -> str:
    """Call the binary, and return what it printed."""
    done = subprocess.run([runner(), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode in accepted, done.stderr
    return done.stdout


def write_experiment(folder: Path, **replaced: str) -> Path:
    """Write the experiment into a folder, with texts replaced."""
    text = EXPERIMENT.format(root=ROOT)
    for old, new in replaced.items():
        text = text.replace(old, new)
    path = folder / "small.toml"
    path.write_text(text)
    return path


def start(experiment: Path, out: Path) -> "subprocess.Popen[bytes]":
    """Start a sweep that takes many seconds, and wait until the first of its runs are in the journal."""
    slow = ["--set", "experiment.repetitions=5000", "--set", "algorithms.huke.grid.population=[100]", "--jobs", "1"]
    sweep = subprocess.Popen([runner(), "run", str(experiment), "--out", str(out), "--quiet", *slow])
    wait_for(lambda: n_lines(out) > 50)
    assert sweep.poll() is None, "the sweep takes longer than this"
    return sweep


def n_lines(results: Path) -> int:
    """How many lines the journal has."""
    return sum(path.read_bytes().count(b"\n") for path in results.glob("journal/*.jsonl"))


def wait_for(is_so: Callable[[], bool]) -> None:
    """Wait for something that happens soon."""
    for _ in range(6000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen within a minute")


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the finished experiment; left as it is."""
    folder = tmp_path_factory.mktemp("finished")
    call("run", write_experiment(folder), "--out", folder / "small", "--quiet")
    return folder / "small"

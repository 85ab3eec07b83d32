#!/usr/bin/env python3
"""How time and memory grow with the number of runs: the table of docs/RELIABILITY.md.

    scripts/scale.py RUNNER [SIZE]...

Each size is a journal of that many finished runs, in a plan of twice as many. The runs are the cheapest there are (one evaluation), so
that what is measured is the harness. Only the Python standard library is used; it needs about 1 GB of disk a million runs."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

SIZES = [10_000, 100_000, 1_000_000, 5_000_000]
CELLS, BOARDS = 10, 40
BOARDS_FILE = pathlib.Path(__file__).parent.parent / "datasets/sudoku/huke-40.csv"

EXPERIMENT = """
[experiment]
name = "scale"
seed = 1
repetitions = {repetitions}

[[instances]]
problem = "sudoku"
path = "{boards}"

[algorithms.huke]
preset = "huke"
population = 10

[algorithms.huke.grid]
"mutation.other" = {{ from = 0.0, to = 0.9, step = 0.1 }}

[budget]
evaluations = 1
"""


def measured(command, **options):
    """Seconds and the most memory in MB of a command."""
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    return finish(process, started)


def finish(process, started):
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - started, usage.ru_maxrss / 1024, process.returncode


def lines_appeared(journal, known):
    """Whether a file that was not known has a line."""
    return any(path not in known and path.stat().st_size > 0 for path in journal.glob("*.jsonl"))


def row(runner, folder, size):
    repetitions = size // (CELLS * BOARDS)
    experiment = folder / "scale.toml"
    run = [runner, "run", experiment, "--quiet", "--out", folder / "results"]

    def write(repetitions):
        experiment.write_text(EXPERIMENT.format(repetitions=repetitions, boards=BOARDS_FILE.resolve()))

    write(repetitions)
    done = measured(run)
    journal = folder / "results/journal"
    size_mb = sum(path.stat().st_size for path in journal.glob("*.jsonl")) / 1e6
    again = measured(run)
    # Twice as many runs: it passes what is there, and is interrupted once the first new run is in the journal.
    write(2 * repetitions)
    known = set(journal.glob("*.jsonl"))
    started = time.monotonic()
    process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not lines_appeared(journal, known):
        time.sleep(0.005)
    resumed = time.monotonic() - started
    process.send_signal(signal.SIGINT)
    _, resumed_mb, status = finish(process, started)
    assert (done[2], again[2], status) == (0, 0, 130), (done, again, status)
    return (
        f"| {size:,} | {size_mb:,.0f} MB | {done[0]:.1f} s | {done[1]:.0f} MB | {again[0]:.1f} s | {again[1]:.0f} MB "
        f"| {resumed:.2f} s | {resumed_mb:.0f} MB |"
    )


def main():
    runner = pathlib.Path(sys.argv[1]).resolve()
    sizes = [int(size) for size in sys.argv[2:]] or SIZES
    print("| runs | journal | all done in | memory | nothing left: files made in | memory | resumed after | memory |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            print(row(runner, pathlib.Path(folder), size), flush=True)


if __name__ == "__main__":
    main()

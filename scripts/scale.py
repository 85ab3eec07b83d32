#!/usr/bin/env python3
"""Measures time and memory for many runs, instances and rows of other programs: the tables of docs/RELIABILITY.md.

    scripts/scale.py RUNNER [SIZE]...
    scripts/scale.py RUNNER --instances [SIZE]...
    scripts/scale.py RUNNER --rows [SIZE]...

A size is the number of finished runs in a journal; or the number of boards in a data set, with one run on each; or the number of rows in a
CSV file of another program. To measure how fast a command continues, the script doubles the number of runs in the plan. A run has only one
evaluation, so the script measures the harness. The script uses only the Python standard library, and needs about 1 GB of disk for each
million runs."""

import os
import pathlib
import random
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
    """The seconds and the peak memory in MB of a command."""
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    return finish(process, started)


def finish(process, started):
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - started, usage.ru_maxrss / 1024, process.returncode


def lines_appeared(journal, known):
    """Whether a file that is not among the known files has a line."""
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
    # The plan has twice as many runs. The command skips the finished runs, and is interrupted when the first new run is in the journal.
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


ONE_RUN_EACH = """
experiment = { name = "scale", seed = 1, repetitions = 1 }
instances = [{ problem = "sudoku", path = "boards.csv" }]
algorithms.huke = { preset = "huke", population = 10 }
budget.evaluations = 1
"""

INSTANCE_COMMANDS = ["check", "run", "run again", "table", "report", "verify", "missing"]


def write_boards(path, size):
    """Different boards with 20 givens: a solution is relabelled and rearranged, and most cells are removed."""
    draws = random.Random(7)
    with path.open("w") as output:
        output.write("id,bucket,puzzle\n")
        for number in range(size):
            digits = draws.sample("123456789", 9)
            rows, columns = ([3 * band + at for band in draws.sample(range(3), 3) for at in range(3)] for _ in "rc")
            kept = set(draws.sample(range(81), 20))
            cells = (digits[(3 * (row % 3) + row // 3 + column) % 9] for row in rows for column in columns)
            board = "".join(digit if at in kept else "." for at, digit in enumerate(cells))
            output.write(f"board-{number:07},{['easy', 'hard'][number % 2]},{board}\n")


def instances_row(runner, folder, size):
    write_boards(folder / "boards.csv", size)
    (folder / "scale.toml").write_text(ONE_RUN_EACH)
    run = [runner, "run", "scale.toml", "--quiet", "--out", "results"]
    others = [["table", "results"], ["report", "results"], ["verify", "results"], ["missing", "results", "--shards", "4"]]
    commands = [[runner, "check", "scale.toml"], run, run] + [[runner, *command] for command in others]
    ended = [measured(command, cwd=folder) for command in commands]
    assert all(status == 0 for _, _, status in ended), ended
    return "| " + " | ".join([f"{size:,}"] + [f"{memory:.0f} MB, {seconds:.1f} s" for seconds, memory, _ in ended]) + " |"


ROW_COMMANDS = ["table", "compare", "report"]


def rows_row(runner, folder, size):
    """The rows of four algorithms, on forty instances, and on so many instances that each algorithm has one run on each."""
    cells = []
    for n_instances in (BOARDS, size // 4):
        draws = random.Random(3)
        with (folder / "rows.csv").open("w") as output:
            output.write("algorithm,instance,solved,evaluations,wall_ms\n")
            for number in range(size):
                solved = str(draws.random() < 0.3 + 0.1 * (number % 4)).lower()
                work = f"{draws.randint(1, 100_000)},{draws.random() * 100:.3f}"
                output.write(f"alg{number % 4},inst{number // 4 % n_instances},{solved},{work}\n")
        ended = [measured([runner, command, "rows.csv"], cwd=folder) for command in ROW_COMMANDS]
        assert all(status == 0 for _, _, status in ended), ended
        figures = [f"{memory:.0f} MB, {seconds:.1f} s" for seconds, memory, _ in ended]
        cells.append("| " + " | ".join([f"{size:,}", f"{n_instances:,}", *figures]) + " |")
    return "\n".join(cells)


RUN_COLUMNS = ["runs", "journal", "all done in", "memory", "nothing left: files made in", "memory", "resumed after", "memory"]

KINDS = {
    "--runs": (RUN_COLUMNS, SIZES, row),
    "--instances": (["instances", *INSTANCE_COMMANDS], [1, 100_000, 1_000_000], instances_row),
    "--rows": (["rows", "instances", *ROW_COMMANDS], [200_000, 2_000_000], rows_row),
}


def main():
    runner = pathlib.Path(sys.argv[1]).resolve()
    kind = next((argument for argument in sys.argv[2:] if argument in KINDS), "--runs")
    columns, sizes, measure = KINDS[kind]
    sizes = [int(size) for size in sys.argv[2:] if size != kind] or sizes
    print("| " + " | ".join(columns) + " |")
    print("|" + "---:|" * len(columns))
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            print(measure(runner, pathlib.Path(folder), size), flush=True)


if __name__ == "__main__":
    main()

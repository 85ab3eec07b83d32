#!/usr/bin/env python3
"""Measures how often the range of the time left contains the real end, and writes a table into docs/live.md.

Usage: forecast.py [--print] [RUNNER]. `runner live` watches fifty experiments of ten kinds, each on two threads. The forecast is the first
forecast of the view at 10, 25, 50 and 75 % of the runs. The real end is the end of the process. `--print` does not change the page.
"""

import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "live.md"
BEGIN, END = "<!-- scripts/forecast.py -->\n", "<!-- end -->\n"
SHARES = [10, 25, 50, 75]
N_SEEDS = 5
UNITS = {"s": 1, "min": 60, "h": 3600, "days": 86400}

BOARDS = f'[[instances]]\nproblem = "sudoku"\npath = "{ROOT}/datasets/sudoku/huke-40.csv"\n'
SHOPS = '[[instances]]\nproblem = "flowshop"\ngenerate = { set = "taillard", ids = ["ta001", "ta021", "ta041", "ta061", "ta081"] }\n'
TOURS = "".join(
    f'[[instances]]\nproblem = "tsp"\ngenerate = {{ size = {size}, count = 3, seed = 7 }}\n' for size in (100, 200, 400)
)
ASSIGNMENTS = '[[instances]]\nproblem = "qap"\ngenerate = { set = "taillard", ids = ["tai12a", "tai20a", "tai30a", "tai40a"] }\n'
GREEDY = '[algorithms.greedy]\nkind = "iterated-greedy"\nstart = "neh"\nremoved = 4\n'
CLIMBING = '[algorithms.climbing]\nkind = "hill-climbing"\nstart = "random"\nbudget.restarts = 1_000_000\n'
ILS = '[algorithms.ils]\nkind = "iterated-local-search"\nstart = "random"\nperturbation = { kind = "random-swaps", count = 3 }\n'

# Kind: repetitions, and the rest of the file.
KINDS = {
    "Sudoku, Huke's GA with three populations": (25, BOARDS + '[algorithms.a]\npreset = "huke"\ngrid.population = [100, 500, 1000]\n'),
    "Sudoku, restarts until solved": (
        8,
        BOARDS + '[algorithms.a]\nkind = "combinatorial-evolution"\n[budget]\ngenerations = 300\nrestarts = 20\n',
    ),
    "Sudoku, half a second or solved": (5, BOARDS + '[algorithms.a]\npreset = "huke"\n[budget]\nrestarts = 100\nseconds = 0.5\n'),
    "Sudoku, exact and evolution": (
        14,
        BOARDS + '[algorithms.a]\nkind = "backtracking"\n[algorithms.b]\npreset = "huke"\n[algorithms.c]\npreset = "huke"\npopulation = 2000\n',
    ),
    "flow shops, a limit of one second of wall time": (3, SHOPS + GREEDY + CLIMBING + "[budget]\nseconds = 1\n"),
    "flow shops, two limits of processor time": (3, SHOPS + GREEDY + "grid.budget.cpu_seconds = [0.1, 0.7]\n"),
    "flow shops of 20 to 100 jobs, a limit of evaluations": (12, SHOPS + GREEDY + CLIMBING + "[budget]\nevaluations = 4_000_000\n"),
    "tours of 100 to 400 cities, a limit of evaluations that grows with the size": (
        3,
        TOURS + '[algorithms.ga]\nkind = "genetic"\npopulation = 100\ncrossover = "edge-recombination"\nmutation = "inversion"\n'
        'selection = "tournament"\n[algorithms.greedy]\nkind = "iterated-greedy"\nremoved = 4\n'
        '[budget]\nrestarts = 1_000_000\nevaluations = { per = "n", times = 300 }\n',
    ),
    "assignments, two searches, a limit of evaluations that grows with the size": (
        20,
        ASSIGNMENTS + ILS + '[algorithms.tabu]\nkind = "tabu"\n[budget]\nrestarts = 1_000_000\nevaluations = { per = "n*n*n", times = 300 }\n',
    ),
    "assignments, 24 configurations": (
        1,
        ASSIGNMENTS + '[algorithms.ga]\nkind = "genetic"\ncrossover = "cycle"\nselection = "tournament"\nmutation = "swap-random"\n'
        "grid.population = [20, 50, 100, 200]\ngrid.mutation_rate = [0.1, 0.5, 0.9]\ngrid.crossover_rate = [0.5, 0.9]\n"
        '[budget]\nevaluations = { per = "n*n", times = 300 }\n',
    ),
}


def seconds(text):
    """`12 s` or `1.5 h` in seconds."""
    number, unit = text.split(" ")
    return float(number.replace(",", "")) * UNITS[unit]


def sweep(runner, folder, text):
    """The forecasts of one experiment: the share of finished runs, the forecast, and the real time from then to the end in seconds."""
    (folder / "sweep.toml").write_text(text)
    results = folder / "results"
    run = subprocess.Popen([runner, "run", "sweep.toml", "--jobs", "2", "--quiet", "--out", results], cwd=folder, stdout=subprocess.DEVNULL)
    while not (results / "manifest.json").exists():
        if run.poll() is not None:
            sys.exit("a sweep ended before it began")
        time.sleep(0.02)
    live = subprocess.Popen([runner, "live", results, "--every", "1"], cwd=folder, stdout=subprocess.PIPE, text=True)
    said, open_shares, ended = [], list(SHARES), []
    watcher = threading.Thread(target=lambda: (run.wait(), ended.append(time.monotonic())))
    watcher.start()
    for line in live.stdout:
        found = re.match(r"\S+ running: .* \((\d+) %\).*; time left: ([^;]*)", line)
        while found and open_shares and int(found[1]) >= open_shares[0]:
            said.append((open_shares.pop(0), found[2].strip(), time.monotonic()))
        if ended:
            break
    watcher.join()
    live.kill()
    return [(share, text, ended[0] - then) for share, text, then in said]


def judged(text, real):
    """The forecast, whether its range contained the end, the ends of the range, and its middle divided by the real time."""
    amount = r"([\d.,]+ (?:s|min|h|days))"
    if found := re.match(f"{amount}, likely {amount} to {amount}$", text):
        middle, low, high = map(seconds, found.groups())
        # To the digits that were printed.
        return "range", low <= round(real, 1 if real < 9.95 else 0) <= high, (low, high), middle / real
    if found := re.match(f"likely at least {amount}$", text):
        return "at least", seconds(found[1]) <= real, None, None
    return "unknown", None, None, None


def table(rows):
    """The rows of the table: one for each kind, and one for each share of the runs."""
    lines = ["| experiments | forecasts | range contained the end | median range | median middle / real |", "|---|---:|---:|---:|---:|"]
    groups = [(kind, [row for row in rows if row[0] == kind]) for kind in KINDS]
    groups += [(f"all, at {share} %", [row for row in rows if row[1] == share]) for share in SHARES]
    for name, group in groups + [("all", rows)]:
        ranges = [row for row in group if row[2] == "range"]
        held = sum(row[3] for row in ranges)
        wide = statistics.median(row[4][1] / max(row[4][0], 0.1) for row in ranges) if ranges else float("nan")
        middle = statistics.median(row[5] for row in ranges) if ranges else float("nan")
        lines.append(f"| {name} | {len(group)} | {held} of {len(ranges)} | x {wide:.1f} | {middle:.2f} |")
    return lines


def wilson(n_held, n):
    """The 95 % interval of a share, in per cent."""
    z, share = 1.959964, n_held / n
    middle, half = share + z * z / (2 * n), z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    return [100 * (middle + sign * half) / (1 + z * z / n) for sign in (-1, 1)]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--print"]
    runner = pathlib.Path(arguments[0] if arguments else ROOT / "target/release/runner").resolve()
    rows, taken = [], []
    for seed in range(1, N_SEEDS + 1):
        for kind, (repetitions, rest) in KINDS.items():
            head = f'[experiment]\nname = "sweep"\nseed = {seed}\nrepetitions = {repetitions}\n'
            with tempfile.TemporaryDirectory() as folder:
                begun = time.monotonic()
                said = sweep(runner, pathlib.Path(folder), head + rest)
                taken.append(time.monotonic() - begun)
            for share, text, real in said:
                rows.append((kind, share, *judged(text, real)))
                print(f"{kind}, {share} %: {text}; really {real:.1f} s, {rows[-1][3]}", file=sys.stderr, flush=True)
    ranges = [row[3] for row in rows if row[2] == "range"]
    others = [row for row in rows if row[2] != "range"]
    low, high = wilson(sum(ranges), len(ranges))
    print_or_write = [
        f"In {sum(ranges)} of {len(ranges)} forecasts with a range, the range contained the real end:",
        f"{100 * sum(ranges) / len(ranges):.0f} % ({low:.0f} to {high:.0f}).",
        f"Forecasts without a range: {len(others)}. Each of the {len(taken)}",
        f"experiments took {min(taken):.0f} to {max(taken):.0f} s on two threads.",
        f"The machine ({platform.machine()}, {os.cpu_count()} cores) also did other work (load average {os.getloadavg()[2]:.0f}).",
        "",
        *table(rows),
    ]
    text = "\n".join(print_or_write) + "\n"
    print(text)
    if "--print" not in sys.argv:
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.split(END, 1)[1])


if __name__ == "__main__":
    main()

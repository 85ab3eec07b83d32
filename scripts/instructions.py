#!/usr/bin/env python3
"""Counts the instructions of the hot loops (instructions/benches/loops.rs) and compares them with instructions/counts.csv.

The exit status is 1 if a loop exceeds its limit, and 77 if callgrind or gungraun-runner is missing. `--update` writes the counts, and limits that
are 3 per cent and 50,000 instructions above the counts. Counts of another compiler or another kind of processor are shown, but not judged.
"""

import csv
import json
import pathlib
import platform
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "instructions"
COUNTS = FOLDER / "counts.csv"
COLUMNS = ["loop", "instructions", "ceiling", "compiler", "processor"]


def count():
    """The instructions of each loop."""
    bench = ["cargo", "bench", "--locked", "--quiet", "--", "--output-format=json"]
    printed = subprocess.run(bench, cwd=FOLDER, check=True, stdout=subprocess.PIPE, text=True).stdout
    runs = map(json.loads, printed.splitlines())
    return {run["id"]: run["profiles"][0]["data"]["total"]["metrics"]["Ir"]["values"]["new"] for run in runs}


def processor():
    """The kind of processor; for x86-64 also whether it has AVX2, which some loops use."""
    try:
        flags = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        flags = ""
    return platform.machine() + (" avx2" if " avx2 " in flags else "")


def main():
    if not shutil.which("valgrind") or not shutil.which("gungraun-runner"):
        print("skipped: counting instructions needs valgrind and gungraun-runner (cargo install gungraun-runner --version 0.20.0)")
        return 77
    rustc = subprocess.run(["rustc", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    here = (" ".join(rustc.split()[:2]), processor())
    counts = count()
    if "--update" in sys.argv[1:]:
        with COUNTS.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows([loop, found, -(-found * 103 // 100) + 50_000, *here] for loop, found in counts.items())
    with COUNTS.open(newline="") as file:
        rows = list(csv.DictReader(file))
    is_judged = all((row["compiler"], row["processor"]) == here for row in rows)
    print(f"{'loop':28} {'now':>13} {'committed':>13} {'change':>8} {'ceiling':>13}")
    too_many = []
    for row in rows:
        now, committed, ceiling = counts.pop(row["loop"], None), int(row["instructions"]), int(row["ceiling"])
        if now is None:
            too_many.append(f"{row['loop']} is gone")
            continue
        change = f"{100 * (now / committed - 1):+.2f} %"
        print(f"{row['loop']:28} {now:13,} {committed:13,} {change:>8} {ceiling:13,}")
        if now > ceiling:
            too_many.append(f"{row['loop']} is above its ceiling")
    too_many += [f"{loop} has no ceiling" for loop in counts]
    if not is_judged:
        print("not judged: the counts are of", ", ".join(sorted({f"{row['compiler']}, {row['processor']}" for row in rows})))
        return 0
    for fault in too_many:
        print(f"{fault}: make it faster, or say why in the commit that runs `scripts/instructions.py --update`", file=sys.stderr)
    return 1 if too_many else 0


if __name__ == "__main__":
    sys.exit(main())

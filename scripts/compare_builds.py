#!/usr/bin/env python3
"""Checks that two builds of the runner do the same: each build runs every experiment, and all outputs are compared.

    python3 scripts/compare_builds.py OLD NEW [--results DIR [--page PAGE.md]] [--set PATH=VALUE]... [--only NAME]...

OLD and NEW are binaries. Each of them runs every experiment of experiments/. `--set experiment.repetitions=1` makes this short. With `--results`
the script uses existing results folders of OLD instead of running OLD again. The script compares runs.csv and summary.csv without times, and
compares numbers by value (`0` and `0.0` are equal). Then each build makes tables, comparisons, claims, charts, exports and the report from OLD's
results, and these outputs are compared byte by byte. The exit status is 1 if anything differs.
"""

import argparse
import csv
import difflib
import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
# Parts that differ from run to run.
TIMES = {"wall_ms", "cpu_ms", "mean_ms_solved", "mean_ms_unsolved", "mean_cpu_ms", "par10_ms", "par2_ms"}
METRICS = ["solved", "evaluations", "best_fitness", "generations"]


def call(*command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def by_value(text):
    try:
        return float(text)
    except ValueError:
        return text


def rows(path):
    opened = gzip.open(path, "rt", newline="") if path.suffix == ".gz" else path.open(newline="")
    with opened as file:
        reader = csv.DictReader(file)
        yield [name for name in reader.fieldnames if name not in TIMES]
        for row in reader:
            yield [by_value(value) for name, value in row.items() if name not in TIMES]


def content(path):
    """The content of a file; for a page only its data, because its scripts belong to the build."""
    text = path.read_bytes()
    data = re.search(rb'<script[^>]*type="application/json"[^>]*>(.*?)</script>', text, re.S)
    if not data:
        return text
    # Until 0.2.0 the page's script estimated figures by instance, and listed the columns of its table.
    made_anew = ("counts", "figures", "figure_texts", "summary", "summary_figures")
    shown = {name: value for name, value in json.loads(data.group(1)).items() if name not in made_anew}
    return json.dumps(shown, indent=0).encode()


class Comparison:
    def __init__(self):
        self.n_same = 0
        self.differing = []

    def add(self, name, old, new):
        if old == new:
            self.n_same += 1
            return
        self.differing.append(name)
        print(f"differs: {name}")
        lines = [side.decode(errors="replace").splitlines() if isinstance(side, bytes) else [str(side)] for side in (old, new)]
        for line in list(difflib.unified_diff(*lines, "old", "new", lineterm="", n=0))[:12]:
            print(f"    {line[:200]}")


def compare_runs(comparison, name, old, new):
    for file in ["runs.csv", "summary.csv", "trace.csv.gz"]:
        sides = [folder / file for folder in (old, new)]
        there = [side.is_file() for side in sides]
        comparison.add(f"{name}: {file} is there", *there)
        if all(there):
            differing = next(((one, other) for one, other in zip(*map(rows, sides)) if one != other), (0, 0))
            comparison.add(f"{name}: {file}", *differing)
            comparison.add(f"{name}: rows of {file}", *(sum(1 for _ in rows(side)) for side in sides))


def compare_uses(comparison, name, builds, results, scratch):
    commands = [["table", results, "--format", form] for form in ("text", "csv", "markdown", "latex")]
    commands += [["table", results, "--layout", "long", "--format", form] for form in ("text", "csv")]
    commands += [["compare", results, "--metric", metric] for metric in METRICS]
    commands += [["compare", results, "--by", "algorithm", "--format", "csv"], ["verify", results, "--sample", "5", "--seed", "1"]]
    for command in commands:
        comparison.add(f"{name}: {command[0]} {' '.join(command[2:])}", *(call(build, *command) for build in builds))
    made = []
    for number, build in enumerate(builds):
        folder = scratch / f"{name}-{number}"
        folder.mkdir()
        call(build, "report", results, "--out", folder / "report.html")
        call(build, "plot", results, "--format", "vega", "--out", folder / "charts")
        call(build, "export", results, "--format", "ioh", "--out", folder / "ioh")
        made.append({path.relative_to(folder): content(path) for path in sorted(folder.rglob("*")) if path.is_file()})
    comparison.add(f"{name}: files of report, plot and export", *(sorted(map(str, files)) for files in made))
    for path in made[0].keys() & made[1].keys():
        comparison.add(f"{name}: {path}", made[0][path], made[1][path])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--page", type=Path, help="the page of claims that OLD made from --results, with its own files of claims")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--only", action="append", default=[], help="names of experiments")
    args = parser.parse_args()
    builds = [args.old.resolve(), args.new.resolve()]
    comparison = Comparison()
    scratch = Path(tempfile.mkdtemp())
    sets = [word for value in args.set for word in ("--set", value)]
    for experiment in sorted((ROOT / "experiments").glob("*.toml")):
        name = experiment.stem
        if args.only and name not in args.only:
            continue
        folders = [scratch / build / name for build in ("old", "new")]
        if args.results:
            folders[0] = args.results.resolve() / name
        else:
            call(builds[0], "run", experiment, "--quiet", "--out", folders[0], *sets)
        status, _, said = call(builds[1], "run", experiment, "--quiet", "--out", folders[1], *sets)
        if status != 0:
            print(f"{name}: exit status {status}: {said.decode(errors='replace').strip()}")
        compare_runs(comparison, name, *folders)
        compare_uses(comparison, name, builds, folders[0], scratch)
        print(f"{name}: compared", flush=True)
    # The papers' claims, judged by the same runs; no run is done again.
    if args.results and args.page:
        claims = [f"experiments/claims/{paper}.toml" for paper in ("mccaffrey", "arkieva", "huke", "cervigon", "findings")]
        page = scratch / "page.md"
        status, _, said = call(builds[1], "reproduce", *claims, "--results", args.results.resolve(), "--page", page)
        links = lambda text: re.sub(rb"\]\([^)]*/", b"](", text)
        comparison.add("reproduce: the page of claims", links(args.page.read_bytes()), links(page.read_bytes()) if status == 0 else said)
    shutil.rmtree(scratch)
    print(f"{comparison.n_same} comparisons the same, {len(comparison.differing)} differ")
    return 1 if comparison.differing else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compares the winners of several tuners on instances that no tuner used.

    python3 scripts/tuners_compare.py RUNNER OUT [--tunings 10] [--runs 1000] [--repetitions 5] [--targets ...] [--tuners ...]

For each experiment in experiments/tuning, each tuner does `--tunings` tunings of `--runs` runs, one run at a time, and tuning k has seed k.
Then each winner and the default settings do `--repetitions` runs on each test instance, all with the same seeds. Results that are already in OUT
are not repeated. For each pair of tuners, the output has the mean difference with two 95 % intervals (Student). One interval is for other tunings
of the same target, from the means of the tunings. The other interval is for other test instances, from the means of the instances.

irace is Debian's r-cran-irace, or another installation in R_LIBS.
"""

import argparse
import csv
import json
import math
import os
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The experiment and its metric: share of solved runs, or gap in per cent.
TARGETS = {"huke": "solved", "iterated-greedy": "gap", "tabu": "gap"}
# 97.5 % points of Student's t by degrees of freedom; the last for all others.
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 19: 2.093, 29: 2.045, 39: 2.023}
EVALUATION_SEED = 424242


def measured(command, log, folder=None):
    """Runs a command, and returns its wall time and processor time in seconds."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with log.open("w") as output:
        code = subprocess.run(list(map(str, command)), stdout=output, stderr=subprocess.STDOUT, cwd=folder).returncode
    if code != 0:
        sys.exit(f"{shlex.join(map(str, command))} ended with {code}; the end of {log}:\n{log.read_text()[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall_seconds": round(time.monotonic() - began, 2), "cpu_seconds": round(cpu, 2)}


def irace_program():
    """The command line program of irace, and its major version."""
    ask = 'cat(system.file("bin", "irace", package = "irace"), as.character(packageVersion("irace")))'
    path, version = subprocess.run(["Rscript", "-e", ask], capture_output=True, text=True, check=True).stdout.split()
    return shutil.which("irace") or path, int(version.split(".")[0])


def tune_with_irace(options, experiment, folder, seed):
    """The settings of the winner, and the time."""
    program, version = irace_program()
    style = "irace" if version >= 4 else "irace3"
    files = folder / "irace"
    shutil.rmtree(files, ignore_errors=True)
    space = [options.runner, "space", experiment, "--style", style, "--out", files]
    subprocess.run(list(map(str, space)), check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    scenario = ["--scenario", "scenario.txt", "--max-experiments", options.runs, "--seed", seed, "--parallel", 1, "--deterministic", 0]
    spent = measured([program, *scenario], folder / "irace.log", files)
    text = (folder / "irace.log").read_text()
    best = text.split("# Best configurations as commandlines")[1].splitlines()[1]
    settings = [word.removeprefix("--") for word in shlex.split(best)[1:]]
    spent["runs"] = int(re.findall(r"# experimentsUsedSoFar: (\d+)", text)[-1])
    return settings, spent


def values_in_space(experiment, winner):
    """The value of a complete algorithm at each path of the space, in the form of `--set`; an operator is given by its name."""
    (algorithm,) = tomllib.loads(experiment.read_text())["algorithms"].values()
    for path in algorithm["space"]:
        value = winner
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        if value is not None:
            value = value["kind"] if isinstance(value, dict) else value
            yield f"{path}={value if isinstance(value, str) else json.dumps(value)}"


def tune_with_evogrid(options, experiment, folder, seed):
    """The settings of the winner, and the time."""
    out = folder / "tune"
    shutil.rmtree(out, ignore_errors=True)
    sets = [f"experiment.seed={seed}", f"tune.budget={options.runs}"]
    sets = [word for setting in sets for word in ("--set", setting)]
    spent = measured([options.runner, "tune", experiment, *sets, "--jobs", 1, "--quiet", "--out", out], folder / "tune.log", ROOT)
    if not (out / "winner.toml").exists():
        return [], spent
    (winner,) = tomllib.loads((out / "winner.toml").read_text())["algorithms"].values()
    return list(values_in_space(experiment, winner)), spent


TUNERS = {"irace": tune_with_irace, "evogrid": tune_with_evogrid, "default": None}


def evaluate(options, experiment, metric, folder, settings):
    """The values of a configuration on the test set, by instance and repetition."""
    out = folder / "test"
    if not (out / "runs.csv").exists():
        sets = [f"experiment.seed={EVALUATION_SEED}", f"experiment.repetitions={options.repetitions}", "instances.0.limit=1", *settings]
        sets = [word for setting in sets for word in ("--set", setting)]
        measured([options.runner, "run", experiment, *sets, "--jobs", 1, "--quiet", "--out", out], folder / "test.log", ROOT)
    with (out / "runs.csv").open() as file:
        rows = list(csv.DictReader(file))
    # The first instance is the only one of the training set, and is not counted.
    rows = [row for row in rows if row["instance"] != rows[0]["instance"]]
    value = {"true": 1.0, "false": 0.0}.get if metric == "solved" else float
    return {(row["instance"], row["repetition"]): value(row[metric]) for row in rows}


def interval(values):
    """The mean, and half of the width of its 95 % interval."""
    if len(values) < 2:
        return statistics.fmean(values), math.inf
    degrees = len(values) - 1
    student = STUDENT.get(degrees) or STUDENT[max(known for known in STUDENT if known <= degrees)]
    return statistics.fmean(values), student * statistics.stdev(values) / math.sqrt(len(values))


def compare(name, metric, found):
    """Prints the mean of each tuner and the difference of each pair."""
    unit, scale = ("points of success", 100) if metric == "solved" else ("% of gap", 1)
    means = {}
    for tuner, tunings in found.items():
        means[tuner] = [scale * statistics.fmean(values.values()) for values, _ in tunings]
        spent = [spent for _, spent in tunings if spent]
        times = ""
        if spent:
            times = "; a tuning: " + ", ".join(f"{statistics.fmean(one[key] for one in spent):.1f} {key}" for key in spent[0])
        print(f"{name}: {tuner}: {statistics.fmean(means[tuner]):.3f} {unit} ({min(means[tuner]):.3f} to {max(means[tuner]):.3f}){times}")
    tuners = list(found)
    for at, one in enumerate(tuners):
        for other in tuners[at + 1 :]:
            pairs = list(zip(found[one], found[other] * len(found[one]) if other == "default" else found[other]))
            tunings = [scale * statistics.fmean(a[key] - b[key] for key in a) for (a, _), (b, _) in pairs]
            instances = sorted({instance for instance, _ in pairs[0][0][0]})
            by_instance = [
                scale * statistics.fmean(a[key] - b[key] for (a, _), (b, _) in pairs for key in a if key[0] == instance)
                for instance in instances
            ]
            ends = []
            for values in (tunings, by_instance):
                mean, half = interval(values)
                ends.append(f"{mean - half:.3f} to {mean + half:.3f}")
            mean = statistics.fmean(tunings)
            print(f"{name}: {one} - {other}: {mean:+.3f} {unit}, 95 %: {ends[0]} for other tunings, {ends[1]} for other instances")


def main():
    """Tunes, evaluates and compares."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("runner", type=lambda path: Path(path).resolve())
    reader.add_argument("out", type=lambda path: Path(path).resolve())
    reader.add_argument("--tunings", type=int, default=10)
    reader.add_argument("--runs", type=int, default=1000)
    reader.add_argument("--repetitions", type=int, default=5)
    reader.add_argument("--targets", nargs="+", choices=TARGETS, default=list(TARGETS))
    reader.add_argument("--tuners", nargs="+", choices=TUNERS, default=list(TUNERS))
    reader.add_argument("--experiments", type=Path, default=ROOT / "experiments/tuning")
    options = reader.parse_args()
    for name in options.targets:
        experiment, metric = (options.experiments / f"{name}.toml").resolve(), TARGETS[name]
        found = {}
        for tuner in options.tuners:
            for seed in range(1, (1 if tuner == "default" else options.tunings) + 1):
                folder = options.out / name / f"{tuner}-{seed}"
                folder.mkdir(parents=True, exist_ok=True)
                told = folder / "winner.json"
                if tuner == "default":
                    winner = {"settings": [], "spent": None}
                elif told.exists():
                    winner = json.loads(told.read_text())
                else:
                    settings, spent = TUNERS[tuner](options, experiment, folder, seed)
                    winner = {"settings": settings, "spent": spent}
                    told.write_text(json.dumps(winner, indent=2) + "\n")
                values = evaluate(options, experiment, metric, folder, winner["settings"])
                found.setdefault(tuner, []).append((values, winner["spent"]))
        compare(name, metric, found)


if __name__ == "__main__":
    os.nice(5)
    main()

#!/usr/bin/env python3
"""Runs a small tuning with each installed tuner, on the files that `runner space` writes: python3 scripts/tuners.py RUNNER

To install irace: r-cran-irace of Debian, or install.packages("irace"); R_LIBS names other libraries of R.
To install SMAC3, ConfigSpace and Optuna: pip install smac optuna; PYTHONPATH names other folders of packages.

The exit status is 1 if a tuning fails, and 77 if no tuner is installed.
"""

import importlib.util
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Numbers on both scales, operators by name and as tables, conditions, forbidden combinations.
EXPERIMENT = """
[experiment]
name        = "tuners"
seed        = 1
repetitions = 1

[[instances]]
problem  = "sudoku"
generate = { size = 4, box = "2x2", givens = "6", count = 4, seed = 1 }

[algorithms.own]
kind      = "genetic"
selection = { kind = "ranking", pressure = 1.5 }
crossover = "pmx"
mutation  = { kind = "swap-random", gene_rate = 0.2 }
survival  = { kind = "generational", elite = 0.02 }
exclude   = [
    { population = 10, selection = "tournament" },
    { selection = { kind = "ranking", pressure = 1.5 }, crossover = "order" },
]

[algorithms.own.space]
population           = { from = 10, to = 500, scale = "log" }
selection            = ["truncation", "tournament", { kind = "ranking", pressure = 1.5 }]
"selection.size"     = { from = 2, to = 5 }
crossover            = ["pmx", "order"]
crossover_rate       = { from = 0.01, to = 1.0, scale = "log" }
"mutation.gene_rate" = { from = 0.1, to = 0.5 }

[budget]
evaluations = 2000
"""
RUNS = 200


def done(command, folder):
    """The output of a program."""
    output = subprocess.run(list(map(str, command)), cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if output.returncode != 0:
        raise RuntimeError(f"{shlex.join(map(str, command))} ended with {output.returncode}:\n{output.stdout[-3000:]}")
    return output.stdout


def space(style):
    """Writes the files for a tuner."""
    done([runner, "space", "tuners.toml", "--style", style, "--metric", "evaluations", "--out", style], folder)


def cost(settings, name):
    """The mean cost of a configuration, by `runner run`; this also shows that an experiment file accepts the settings."""
    sets = [word for setting in settings for word in ("--set", setting)]
    done([runner, "run", "tuners.toml", "--set", "experiment.repetitions=10", *sets, "--quiet", "--out", f"results-{name}"], folder)
    header, *rows = [line.split(",") for line in (folder / f"results-{name}" / "runs.csv").read_text().splitlines()]
    at, solved = header.index("evaluations"), header.index("solved")
    costs = [int(row[at]) * (1 if row[solved] == "true" else 10) for row in rows]
    return sum(costs) / len(costs)


def irace():
    """Tunes with irace in Debian's version or in CRAN's version."""
    if not shutil.which("Rscript"):
        return "R is not installed: apt install r-cran-irace"
    ask = 'cat(system.file("bin", "irace", package = "irace"), tryCatch(as.character(packageVersion("irace")), error = function(e) ""))'
    found = done(["Rscript", "-e", ask], folder).split()
    if len(found) < 2:
        return 'R has no package irace: apt install r-cran-irace, or install.packages("irace")'
    program, version = found
    style = "irace" if int(version.split(".")[0]) >= 4 else "irace3"
    space(style)
    output = done([program, "--scenario", "scenario.txt", "--max-experiments", RUNS], folder / style)
    best = output.split("# Best configurations as commandlines")[1].splitlines()[1]
    report(f"irace {version}", [word.removeprefix("--") for word in shlex.split(best)[1:]])


def python(name, package, style, program, count):
    """Tunes with a tuner whose program prints the settings of the winner in its last line."""
    if not importlib.util.find_spec(package):
        return f"Python has no package {package}: pip install {package}"
    space(style)
    output = done([sys.executable, program, count], folder / style)
    report(name, [word for word in shlex.split(output.splitlines()[-1]) if word != "--set"])


def report(name, settings):
    """Prints the result of a tuner."""
    found = cost(settings, name.split()[0])
    print(f"{name}: {default:.0f} evaluations to solve a board by default, {found:.0f} with {' '.join(settings)}")


TUNERS = {
    "irace": irace,
    "SMAC3": lambda: python("SMAC3", "smac", "configspace", "tune.py", RUNS),
    "Optuna": lambda: python("Optuna", "optuna", "optuna", "space.py", RUNS // 4),
}

runner = Path(sys.argv[1]).resolve()
with tempfile.TemporaryDirectory() as path:
    folder = Path(path)
    (folder / "tuners.toml").write_text(EXPERIMENT)
    default = cost([], "default")
    n_finished = n_failed = 0
    for tuner, tune in TUNERS.items():
        try:
            if skipped := tune():
                print(f"{tuner}: skipped: {skipped}")
            else:
                n_finished += 1
        except RuntimeError as error:
            print(f"{tuner}: failed: {error}")
            n_failed += 1
sys.exit(1 if n_failed else 0 if n_finished else 77)

"""How the programs are built and run for scripts/bench_peers.py. Every run gives a dictionary: `work`, `seconds` of CPU time, `wall`, and where
they are known `asked`, `counted` and `best`.
"""
import csv
import functools
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "target/peers"
RUNNER = ROOT / "target/release/runner"
TDOKU = os.environ.get("EVOGRID_TDOKU")
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore", "LC_ALL": "C"}

CRATES = ["genetic_algorithm", "sudoku", "splr", "good_lp", "microlp"]

# Why what could not be built could not.
missing = {}


class Skip(Exception):
    """A program cannot be had here, or failed; the text says why."""


def first_line(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]


def versions():
    """Of the peers that registries have."""
    locks = [(HERE / "rust/Cargo.lock").read_text(), (ROOT / "Cargo.lock").read_text()]
    crates = [(name, re.search(f'name = "{name}"\nversion = "(.*)"', "".join(locks)).group(1)) for name in CRATES]
    packages = re.findall("^(.*)==(.*)$", (HERE / "python/requirements.txt").read_text(), re.M)
    return ", ".join(f"{name} {version}" for name, version in crates + packages)


def make(name, *command):
    """Builds something; if that fails, those that need `name` are skipped."""
    print("building", name, flush=True)
    try:
        subprocess.run([str(part) for part in command], cwd=ROOT, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        said = (getattr(error, "stdout", None) or str(error)).strip().splitlines()
        missing[name] = f"cannot be built: {said[-1]}"


def build():
    BUILD.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)
    make("rust", "cargo", "build", "--release", "--locked", "--manifest-path", HERE / "rust/Cargo.toml", "--target-dir", BUILD / "rust")
    for name in ("flowshop_insertion", "tsp_two_opt", "qap_deltas"):
        make(name, "gcc", "-O3", "-o", BUILD / name, HERE / f"{name}.c", "-lm")
    if TDOKU:
        sources = [f"{TDOKU}/src/{name}.cc" for name in ("solver_dpll_triad_simd", "util")]
        make("tdoku", "g++", "-O3", "-march=native", f"-I{TDOKU}/include", "-o", BUILD / "exact_tdoku", HERE / "exact_tdoku.cc", *sources)
    else:
        missing["tdoku"] = "EVOGRID_TDOKU does not name the folder of its sources"
    requirements, installed = HERE / "python/requirements.txt", BUILD / "venv/installed.txt"
    if not installed.exists() or installed.read_text() != requirements.read_text():
        make("python", "python3", "-m", "venv", BUILD / "venv")
        make("python", BUILD / "venv/bin/pip", "install", "-q", "-r", requirements)
        if "python" not in missing:
            shutil.copy(requirements, installed)


def timed(command, work=0, text=None, env=None):
    """Runs a command: its CPU time with that of what it started, the clock's, and what it printed."""
    before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [str(part) for part in command]
    try:
        done = subprocess.run(
            command, cwd=ROOT, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT | (env or {})
        )
    except FileNotFoundError as error:
        raise Skip(f"`{command[0]}` is not installed") from error
    wall, after = time.perf_counter() - wall, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise Skip(f"ended with status {done.returncode}: {(done.stderr.strip().splitlines() or [''])[-1]}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"work": work, "seconds": seconds, "wall": wall, "best": done.stdout.strip(), "printed": done.stdout}


def reports(part, command, text=None):
    """A program that prints its measurement as a line of JSON; skipped if `part` was not built."""
    if part in missing:
        raise Skip(missing[part])
    measured = timed(command, text=text)
    return measured | json.loads(measured["printed"].splitlines()[-1])


def rust(name, *arguments, text=None):
    return reports("rust", [BUILD / "rust/release" / name, *arguments], text)


def python(script, *arguments):
    return reports("python", [BUILD / "venv/bin/python", HERE / "python" / script, *arguments])


def runner(experiment, work, own_clock=False, repetitions=1, **settings):
    """`runner run` on one of `ours/`: `work` is a column of its results, or "runs"; its own clock leaves out all but the runs."""
    with tempfile.TemporaryDirectory(dir=BUILD) as out:
        sets = [f"--set={path.replace('__', '.')}={json.dumps(value)}" for path, value in settings.items()]
        command = [RUNNER, "run", HERE / "ours" / experiment, "--out", out, "--jobs=1", "-q", f"--set=experiment.repetitions={repetitions}", *sets]
        measured = timed(command)
        with open(f"{out}/runs.csv", newline="") as file:
            rows = list(csv.DictReader(file))
    total = lambda column: sum(float(row[column] or 0) for row in rows)
    if own_clock:
        measured["seconds"] = total("cpu_ms") / 1000
    return measured | {
        "work": len(rows) if work == "runs" else total(work),
        "asked": settings.get("budget__evaluations", 0) * len(rows),
        "counted": int(total("evaluations")),
        "best": min(float(row["best_fitness"]) for row in rows),
        "gap": total("gap") / len(rows),
        "seconds_each": total("cpu_ms") / 1000 / len(rows),
        "unsolved": sum(row["solved"] != "true" for row in rows),
    }


@functools.cache
def bench(name):
    """The path of a benchmark of ours, built."""
    command = ["cargo", "bench", "--package", "evogrid-problems", "--bench", name, "--no-run", "--message-format=json"]
    lines = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    messages = [json.loads(line) for line in lines if line.startswith("{")]
    return [m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == name][-1]


def divan(name, benchmark, argument):
    """Items a second of the fastest pass of a divan benchmark: the first figure of the line below that of the argument."""
    lines = timed([bench(name), "--bench", benchmark])["printed"].split(argument, 1)[1].splitlines()
    number, scale = re.search(r"([\d.]+) ([GMK]?)item/s", "\n".join(lines[:2])).groups()
    return {"work": float(number) * {"G": 1e9, "M": 1e6, "K": 1e3, "": 1}[scale], "wall": 1.0}


def optima(command, cities, env=None):
    """Local optima of tours: the line of so many cities."""
    line = next(line for line in timed(command, env=env)["printed"].splitlines() if line.startswith(f"cities {cities} "))
    words = line.split()
    value = dict(zip(words[::2], words[1::2]))
    return {"work": 1, "seconds": float(value["ms"]) / 1000, "best": value["length"]}

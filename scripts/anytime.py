"""Compares the charts `targets`, `fixed-target` and `convergence` with iohinspector and moocore, on an export of the same runs.

usage: anytime.py RUNNER        (pip install iohinspector==0.0.8 moocore==0.3.2)

Two searches run on eight flow shops. `runner export --format ioh` exports the runs, and `runner plot --format vega` draws them. The
best known values in runs.csv turn the raw values of the export into gaps. The script then compares our figures with:

- `get_data_ecdf` at each number of evaluations of our curve, and `get_aocc` on logarithmic evaluations;
- `aggregate_running_time` (ERT) at each of our targets; it assumes that all runs use the same budget, which holds here;
- `moocore.eaf`: the attainment surfaces of 25, 50 and 75 % of the runs, at each of our numbers of evaluations.

With `--fixture` the script prints the figures of these packages for the small data set of crates/analysis/src/charts/tests/courses.rs.
"""

import csv
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import moocore
    import numpy
    import polars
    from iohinspector import DataManager, metrics
except ImportError as error:
    sys.exit(f"{error}: pip install iohinspector==0.0.8 moocore==0.3.2")

# Figures of charts have six significant digits.
TOLERANCE = 5e-6
# The targets of the charts, in per cent.
MOST, LEAST = 100.0, 0.01
TARGETS = [MOST * (LEAST / MOST) ** (k / 20) for k in range(21)]
EXPERIMENT = """
[experiment]
name = "anytime"
seed = 7
repetitions = 8
[[instances]]
problem = "flowshop"
path = "instances/flowshop.csv"
[algorithms.greedy]
kind = "iterated-greedy"
start = "neh"
temperature = 0.4
removed = 2
[algorithms.genetic]
kind = "genetic"
population = 20
initialisation = "random"
selection = { kind = "tournament", size = 2 }
crossover = { kind = "order" }
mutation = { kind = "insertion" }
survival = { kind = "generational", elite = 1 }
[budget]
evaluations = 5000
"""
# Runs by algorithm: evaluations and distance at each improvement, and the evaluations of the run.
FIXTURE = {
    "one": [([(1, 40.0), (8, 9.0), (50, 0.5), (200, 0.0)], 400), ([(1, 25.0), (30, 2.0)], 400), ([(1, 4.0), (90, 1.0)], 400)],
    "two": [([(1, 120.0), (100, 30.0), (300, 3.0)], 400), ([(1, 60.0), (40, 12.0), (350, 0.02)], 400)],
}


def improvements(courses):
    """The rows of courses without repeated values, because iohinspector may take any of several rows with the same value."""
    return courses.sort("data_id", "evaluations").unique(["data_id", "raw_y"], keep="first", maintain_order=True)


def fixture():
    """The courses of the small data set."""
    rows, number = [], 0
    for algorithm, runs in FIXTURE.items():
        for course, _ in runs:
            rows += [(number, algorithm, at, float(distance)) for at, distance in course]
            number += 1
    return polars.DataFrame(rows, schema=["data_id", "algorithm_name", "evaluations", "raw_y"], orient="row")


def ecdf(courses, evaluations):
    """The shares of targets by algorithm and evaluations."""
    found = metrics.get_data_ecdf(
        courses, f_min=LEAST, f_max=MOST, eval_values=evaluations, return_as_pandas=False
    )
    return {(row["algorithm_name"], row["evaluations"]): row["eaf"] for row in found.to_dicts()}


def areas(courses, longest):
    """The area under each curve over logarithmic evaluations."""
    shares = metrics.utils.transform_fval(courses, lb=LEAST, ub=MOST)
    found = metrics.get_aocc(
        shares, eval_max=longest, free_vars=["algorithm_name"], scale_eval_log=True, return_as_pandas=False
    )
    return {row["algorithm_name"]: row["AOCC"] for row in found.to_dicts()}


def ert(courses, target, longest):
    """The expected running time and the number of successes by algorithm."""
    found = metrics.aggregate_running_time(
        courses, f_min=target, f_max=target, scale_f_log=False, eval_max=longest, return_as_pandas=False
    )
    return {row["algorithm_name"]: (row["ERT"], row["success_count"]) for row in found.to_dicts()}


def attainment(courses, algorithm, share, evaluations):
    """The distance on the surface of this share of runs at each number of evaluations; it is infinite before the surface begins."""
    own = courses.filter(polars.col("algorithm_name") == algorithm)
    surface = moocore.eaf(own.select("evaluations", "raw_y").to_numpy(), own["data_id"].to_numpy(), percentiles=[share])
    return [min((point[1] for point in surface if point[0] <= at), default=math.inf) for at in evaluations]


def print_fixture():
    courses = improvements(fixture())
    points = [1, 8, 40, 100, 300, 400]
    print("ecdf", {key: round(share, 7) for key, share in sorted(ecdf(courses, points).items())})
    print("areas", {key: round(area, 6) for key, area in sorted(areas(courses, 400).items())})
    for target in TARGETS[::5]:
        print("ert", round(target, 6), sorted(ert(courses, target, 400).items()))
    for algorithm in FIXTURE:
        print("eaf", algorithm, {share: attainment(courses, algorithm, share, points) for share in (25, 50, 75)})


def check(what, ours, theirs, worst):
    """Counts a figure and its relative difference, and ends the program if it differs."""
    difference = abs(ours - theirs)
    if math.isnan(theirs) or difference > TOLERANCE * abs(theirs):
        sys.exit(f"{what}: {ours} here, {theirs} there")
    worst[0], worst[1] = worst[0] + 1, max(worst[1], difference / abs(theirs) if theirs else 0.0)


def values(charts, name):
    """The rows of a chart with one panel."""
    spec = json.loads((charts / f"{name}.vl.json").read_text())
    return spec["data"]["values"]


def compare(runner, folder):
    def call(*arguments):
        done = subprocess.run([runner, *arguments], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"runner {' '.join(arguments)}: {done.stderr}")
        return done.stderr

    call("init", "other", "--problem", "flowshop")
    (folder / "anytime.toml").write_text(EXPERIMENT)
    call("run", "anytime.toml", "--out", "o", "--quiet")
    call("export", "o", "--format", "ioh", "--out", "ioh")
    charts = ["--chart", "targets", "--chart", "fixed-target", "--chart", "convergence", "--by", "algorithm"]
    notes = call("plot", "o", *charts, "--format", "vega", "--out", "charts")
    with open(folder / "o/runs.csv", newline="") as file:
        best_known = {row["instance"]: float(row["best_known"]) for row in csv.DictReader(file)}
    manager = DataManager()
    manager.add_folders([str(folder / "ioh")])
    # With `monotonic=True` a run is lost if its first value is equal to the last value of the previous run.
    courses = manager.load(monotonic=False, include_meta_data=True)
    names = {name: next(value for known, value in best_known.items() if name.endswith(known)) for name in
             courses["function_name"].unique()}
    best = polars.col("function_name").replace_strict(names, return_dtype=polars.Float64)
    courses = improvements(courses.with_columns(raw_y=100.0 * (polars.col("raw_y") - best) / best))
    courses = courses.select("data_id", "algorithm_name", polars.col("evaluations").cast(polars.Int64), "raw_y")
    longest = int(manager.overview["evals"].max())
    report = []

    rows, worst = values(folder / "charts", "targets"), [0, 0.0]
    theirs = ecdf(courses, sorted({row["x"] for row in rows}))
    for row in rows:
        check(f"ECDF {row}", row["share"], theirs[row["series"], row["x"]], worst)
    report.append(("ECDF", worst))
    worst = [0, 0.0]
    for algorithm, area in areas(courses, longest).items():
        ours = float(re.search(rf"{algorithm} (0\.\d+)", notes)[1])
        check(f"area of {algorithm}", round(ours, 3), round(area, 3), worst)
    report.append(("area", worst))
    rows, worst = values(folder / "charts", "fixed-target"), [0, 0.0]
    for row in rows:
        # The chart rounds its targets.
        target = min(TARGETS, key=lambda target: abs(target - row["x"]))
        expected, reached = ert(courses, target, longest)[row["series"]]
        check(f"ERT {row}", row["ert"], expected, worst)
        check(f"reached {row}", float(row["reached"].split()[0]), float(reached), worst)
    report.append(("ERT", worst))
    rows, worst = values(folder / "charts", "convergence"), [0, 0.0]
    for algorithm in sorted({row["series"] for row in rows}):
        own = [row for row in rows if row["series"] == algorithm]
        for share, field in ((25, "quarter"), (50, "half"), (75, "most")):
            surface = attainment(courses, algorithm, share, [row["x"] for row in own])
            for row, theirs in zip(own, surface):
                check(f"attainment of {share} % {row}", row[field], theirs, worst)
    report.append(("attainment", worst))
    for what, (n, difference) in report:
        print(f"{what}: {n} figures agree, the largest relative difference is {difference:.1e}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--fixture"]:
        print_fixture()
    elif len(sys.argv) == 2:
        with tempfile.TemporaryDirectory() as name:
            compare(str(Path(sys.argv[1]).resolve()), Path(name))
    else:
        sys.exit(__doc__)

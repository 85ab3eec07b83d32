"""The (1+1) evolutionary algorithm on the 25 functions of PBO, which the package `ioh` computes (pip install ioh).

A server for `problem = "external"` (docs/external.md).
"""

import json
import sys

import ioh
import numpy


def solve(instance, seed, limits, settings, report):
    n = instance["n"]
    function = ioh.get_problem(instance["function"], instance["instance"], n, ioh.ProblemClass.PBO)
    draws = numpy.random.default_rng(seed)
    best = draws.integers(2, size=n)
    value = function(best)
    report(1, value)
    for evaluations in range(2, limits["evaluations"] + 1):
        flips = draws.random(n) < settings["rate"] / n
        candidate = best ^ flips
        found = function(candidate)
        if found > value:
            report(evaluations, found)
        if found >= value:
            best, value = candidate, found
    return {
        "solution": json.dumps(best.tolist()),
        "objective": value,
        # The count of the package.
        "evaluations": function.state.evaluations,
        "stop": "evaluations",
    }


def report(evaluations, objective):
    print(json.dumps({"improvement": True, "evaluations": evaluations, "objective": objective}))


for line in sys.stdin:
    run = json.loads(line)
    answer = solve(json.loads(run["instance"]), run["seed"], run["limits"], run["settings"], report)
    print(json.dumps(answer), flush=True)

"""CMA-ES on BBOB: the package `cma` searches, and the package `ioh` computes the functions (pip install cma ioh).

A server for `problem = "external"` (docs/external.md). The objective is the distance of the best value from the optimum.
"""

import json
import sys
import warnings

import cma
import ioh
import numpy

warnings.simplefilter("ignore")


def solve(instance, seed, limits, settings, report):
    n = instance["n"]
    function = ioh.get_problem(instance["function"], instance["instance"], n, ioh.ProblemClass.BBOB)
    draws = numpy.random.RandomState(seed % 2**32)
    best, error = None, float("inf")
    # If a run has converged above the target, another run follows from a new start.
    while function.state.evaluations < limits["evaluations"] and error > limits["target"]:
        options = {
            "verbose": -9,
            "seed": numpy.nan,
            "randn": draws.randn,
            "maxfevals": limits["evaluations"] - function.state.evaluations,
            "ftarget": function.optimum.y + limits["target"],
            "popsize": settings["population"],
        }
        search = cma.CMAEvolutionStrategy(draws.uniform(-4, 4, n), settings["step"], options)
        while not search.stop() and function.state.evaluations < limits["evaluations"]:
            asked = search.ask()[: limits["evaluations"] - function.state.evaluations]
            values = [function(point) for point in asked]
            least = int(numpy.argmin(values))
            if values[least] - function.optimum.y < error:
                best, error = asked[least], values[least] - function.optimum.y
                report(function.state.evaluations, error)
            if len(asked) < search.popsize:
                break
            search.tell(asked, values)
    return {
        "solution": json.dumps([float(number) for number in best]),
        "objective": error,
        "evaluations": function.state.evaluations,
        "stop": "evaluations",
    }


def report(evaluations, objective):
    print(json.dumps({"improvement": True, "evaluations": evaluations, "objective": objective}))


for line in sys.stdin:
    run = json.loads(line)
    answer = solve(json.loads(run["instance"]), run["seed"], run["limits"], run["settings"], report)
    print(json.dumps(answer), flush=True)

"""The (1+1) evolutionary algorithm with standard bit mutation on OneMax and LeadingOnes, without any package.

A server for `problem = "external"` (docs/external.md): it reads one line of JSON for each run, and answers with one line.
"""

import json
import math
import random
import sys


def one_max(bits, n):
    return bits.bit_count()


def leading_ones(bits, n):
    # The first bit is the lowest.
    zeros = ~bits & ((1 << n) - 1)
    return (zeros & -zeros).bit_length() - 1 if zeros else n


FUNCTIONS = {"OneMax": one_max, "LeadingOnes": leading_ones}


def mutation(n, rate, draws):
    """A mask of n bits. Each bit is set with this probability: the gaps between set bits have a geometric distribution."""
    mask, at, scale = 0, -1, math.log1p(-rate)
    while True:
        at += 1 + int(math.log(1.0 - draws.random()) / scale)
        if at >= n:
            return mask
        mask |= 1 << at


def solve(instance, seed, limits, settings, report):
    n, function = instance["n"], FUNCTIONS[instance["function"]]
    draws = random.Random(seed)
    best = draws.getrandbits(n)
    value, evaluations = function(best, n), 1
    report(evaluations, value)
    while value < n and evaluations < limits.get("evaluations", math.inf):
        candidate = best ^ mutation(n, settings["rate"] / n, draws)
        found = function(candidate, n)
        evaluations += 1
        if found > value:
            report(evaluations, found)
        if found >= value:
            best, value = candidate, found
    solution = f"{best:0{n}b}"[::-1]
    return {"solution": solution, "objective": value, "evaluations": evaluations, "stop": "evaluations"}


def report(evaluations, objective):
    print(json.dumps({"improvement": True, "evaluations": evaluations, "objective": objective}))


for line in sys.stdin:
    run = json.loads(line)
    answer = solve(json.loads(run["instance"]), run["seed"], run["limits"], run["settings"], report)
    print(json.dumps(answer), flush=True)

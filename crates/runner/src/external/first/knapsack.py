"""Two searches for the knapsack problem: a (1+1) evolutionary algorithm and random search.

A server: it reads one line of JSON for each run, and answers with one.
"""

import json
import random
import sys


def solve(instance, seed, limits, settings, report):
    weights = [int(word) for word in instance["weights"].split()]
    profits = [int(word) for word in instance["profits"].split()]
    draws = random.Random(seed)

    def profit(chosen):
        if sum(weight for weight, bit in zip(weights, chosen) if bit) > instance["capacity"]:
            return -1
        return sum(profit for profit, bit in zip(profits, chosen) if bit)

    best, best_profit = [0] * len(weights), 0
    evaluations = 0
    while evaluations < limits["evaluations"] and best_profit < limits.get("target", float("inf")):
        if settings["method"] == "evolution":
            rate = settings["rate"] / len(weights)
            candidate = [bit ^ (draws.random() < rate) for bit in best]
        else:
            candidate = [draws.randrange(2) for _ in weights]
        evaluations += 1
        found = profit(candidate)
        if found > best_profit:
            report(evaluations, found)
        if found >= best_profit:
            best, best_profit = candidate, found
    return {
        "solution": "".join(str(int(bit)) for bit in best),
        "objective": best_profit,
        "evaluations": evaluations,
        "stop": "evaluations",
    }


def report(evaluations, objective):
    print(json.dumps({"improvement": True, "evaluations": evaluations, "objective": objective}))


for line in sys.stdin:
    run = json.loads(line)
    answer = solve(json.loads(run["instance"]), run["seed"], run["limits"], run["settings"], report)
    print(json.dumps(answer), flush=True)

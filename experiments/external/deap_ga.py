"""A generational genetic algorithm by the package DEAP on OneMax and LeadingOnes (pip install deap).

A server for `problem = "external"` (docs/external.md).
"""

import json
import random
import sys

from deap import base, creator, tools

creator.create("Fitness", base.Fitness, weights=(1.0,))
creator.create("Individual", list, fitness=creator.Fitness)


def leading_ones(bits):
    return next((at for at, bit in enumerate(bits) if not bit), len(bits))


def solve(instance, seed, limits, settings, report):
    # DEAP draws from the generator of the module `random`.
    random.seed(seed)
    n, function = instance["n"], sum if instance["function"] == "OneMax" else leading_ones
    population = [creator.Individual(random.choices((0, 1), k=n)) for _ in range(settings["population"])]
    best, value, evaluations, generations = None, -1, 0, 0
    while True:
        for individual in population:
            if individual.fitness.valid or evaluations == limits["evaluations"]:
                continue
            individual.fitness.values = (function(individual),)
            evaluations += 1
            if individual.fitness.values[0] > value:
                best, value = list(individual), individual.fitness.values[0]
                report(evaluations, value)
            if value == n:
                break
        if value == n or evaluations == limits["evaluations"]:
            break
        generations += 1
        parents = [creator.Individual(one) for one in tools.selTournament(population, len(population), 2)]
        for one, other in zip(parents[::2], parents[1::2]):
            tools.cxUniform(one, other, 0.5)
        elite = tools.selBest(population, 1)
        population = elite + [tools.mutFlipBit(one, 1.0 / n)[0] for one in parents[1:]]
    return {
        "solution": "".join(map(str, best)),
        "objective": value,
        "evaluations": evaluations,
        "generations": generations,
        "stop": "evaluations",
    }


def report(evaluations, objective):
    print(json.dumps({"improvement": True, "evaluations": evaluations, "objective": objective}))


for line in sys.stdin:
    run = json.loads(line)
    answer = solve(json.loads(run["instance"]), run["seed"], run["limits"], run["settings"], report)
    print(json.dumps(answer), flush=True)

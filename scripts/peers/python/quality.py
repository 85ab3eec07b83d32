"""How near a library comes in so many seconds of its own CPU time: `quality.py elkai|ortools|pyvrp|jmetalpy|scipy
SECONDS SEED`. elkai has no limit of time and stops by itself. Three tours of the DIMACS challenge, or three of Taillard's assignment problems; prints the mean gap in per cent.
"""
import json
import math
import sys
import time

import numpy

TOURS = [(1000, 23_360_648), (10_001, 22_985_695), (10_002, 23_023_351)]
ASSIGNMENTS = [
    (50, 123_456_789, 148_469_109, 4_938_796),
    (60, 563_836_558, 123_456_789, 7_205_962),
    (80, 1_768_973_698, 123_456_789, 13_499_184),
]


def dimacs(seed, n=1000):
    """The distances that `portgen` of the 8th DIMACS challenge makes."""
    numbers, last, following = [seed] + [0] * 54, seed, 1
    for i in range(1, 55):
        place = 21 * i % 55
        numbers[place] = following
        following, last = (last - following) % 10**9, following
    a, b = 0, 24

    def draw():
        nonlocal a, b
        a, b = (a - 1) % 55, (b - 1) % 55
        numbers[a] = (numbers[a] - numbers[b]) % 10**9
        return numbers[a]

    for _ in range(165):
        draw()
    cities = [(draw() // 1000, draw() // 1000) for _ in range(n)]
    return [[int(math.dist(one, other) + 0.5) for other in cities] for one in cities]


def taillard(n, seed):
    """A symmetric matrix by Taillard's generator."""
    matrix = numpy.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(i + 1, n):
            seed = 16807 * seed % 2147483647
            matrix[i, j] = matrix[j, i] = seed * 100 // 2147483647
    return matrix


def elkai(distances, seconds, seed):
    import elkai

    tour = elkai.DistanceMatrix(distances).solve_tsp(runs=1)
    return sum(distances[one][other] for one, other in zip(tour, tour[1:]))


def ortools(distances, seconds, seed):
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    start = time.process_time()
    manager = pywrapcp.RoutingIndexManager(len(distances), 1, 0)
    routing = pywrapcp.RoutingModel(manager)
    routing.SetArcCostEvaluatorOfAllVehicles(routing.RegisterTransitMatrix(distances))
    solver = routing.solver()
    routing.AddSearchMonitor(solver.CustomLimit(lambda: time.process_time() - start > seconds))
    parameters = pywrapcp.DefaultRoutingSearchParameters()
    parameters.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    parameters.time_limit.FromSeconds(100 * math.ceil(seconds))
    return routing.SolveWithParameters(parameters).ObjectiveValue()


def pyvrp(distances, seconds, seed):
    from pyvrp import Client, Depot, ProblemData, VehicleType, solve

    start = time.process_time()
    matrix = numpy.array(distances)
    clients = [Client(0, 0) for _ in distances[1:]]
    data = ProblemData(clients, [Depot(0, 0)], [VehicleType(1)], [matrix], [numpy.zeros_like(matrix)])
    is_over = lambda _: time.process_time() - start > seconds
    return solve(data, stop=is_over, seed=seed, collect_stats=False, display=False).best.distance()


def jmetalpy(distances, seconds, seed):
    import random

    from jmetal.algorithm.singleobjective.genetic_algorithm import GeneticAlgorithm
    from jmetal.operator.crossover import PMXCrossover
    from jmetal.operator.mutation import PermutationSwapMutation
    from jmetal.problem.singleobjective.tsp import TSP
    from jmetal.util.termination_criterion import TerminationCriterion

    class ProcessorTime(TerminationCriterion):
        start = time.process_time()
        is_met = property(lambda self: time.process_time() - self.start > seconds)

        def update(self, *args, **kwargs):
            pass

    class Tours(TSP):
        def _TSP__read_from_file(self, _):
            return distances, len(distances)

    random.seed(seed)
    operators = PermutationSwapMutation(1.0 / len(distances)), PMXCrossover(0.8)
    search = GeneticAlgorithm(Tours(), 100, 100, *operators, termination_criterion=ProcessorTime())
    search.run()
    return search.result().objectives[0]


def scipy(a, b, seconds, seed):
    from scipy.optimize import quadratic_assignment

    random, start, best = numpy.random.default_rng(seed), time.process_time(), math.inf
    while time.process_time() - start < seconds:
        relaxed = quadratic_assignment(a, b, method="faq", options={"rng": random, "P0": "randomized"}).col_ind
        guess = numpy.column_stack([numpy.arange(len(a)), relaxed])
        best = min(best, int(quadratic_assignment(a, b, method="2opt", options={"rng": random, "partial_guess": guess}).fun))
    return best


def main():
    name, seconds, seed = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    if name == "scipy":
        instances = [((taillard(n, one), taillard(n, other)), best) for n, one, other, best in ASSIGNMENTS]
    else:
        instances = [((dimacs(city_seed),), best) for city_seed, best in TOURS]
    start = time.process_time()
    gaps = [100 * (globals()[name](*data, seconds, seed) / best - 1) for data, best in instances]
    spent = time.process_time() - start
    print(json.dumps({"work": 3, "seconds": spent, "seconds_each": spent / 3, "gap": sum(gaps) / len(gaps)}))


main()

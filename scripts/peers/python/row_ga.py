"""The row GA in DEAP, PyGAD, pymoo or MEALPY: `row_ga.py FRAMEWORK GENERATIONS EVALUATIONS SEED`. Where EVALUATIONS is not 0 the framework
is given that limit, if it has one, and else the generations that fit in it. Parents, crossover and the elite are as in `ours/row_ga.toml`;
what no framework has (one-point crossover between rows, a swap within a row) is written in each one's own way.
"""
import json
import random
import sys
import time

POPULATION, ELITE, OFFSPRING = 200, 10, 190
CROSSOVER, MUTATION, TOURNAMENT = 0.8, 0.2, 3
BOARD = [int(digit) for digit in "006200080008970000004810500000060002070000030600050000002047100003028400050001200"]
FREE = [[row * 9 + column for column in range(9) if BOARD[row * 9 + column] == 0] for row in range(9)]
ROWS = [row for row in range(9) if len(FREE[row]) > 1]
BOXES = [slice(first, first + 3) for first in (0, 3, 6)]

counted = 0


def random_cells():
    cells = list(BOARD)
    for row, free in enumerate(FREE):
        missing = [digit for digit in range(1, 10) if digit not in BOARD[row * 9 : row * 9 + 9]]
        random.shuffle(missing)
        for cell, digit in zip(free, missing):
            cells[cell] = digit
    return cells


def missing_digits(cells):
    """Digits missing in columns and boxes."""
    global counted
    counted += 1
    present = sum(len(set(cells[column::9])) for column in range(9))
    for band in (0, 27, 54):
        for first in (band, band + 3, band + 6):
            present += len({*cells[first : first + 3], *cells[first + 9 : first + 12], *cells[first + 18 : first + 21]})
    return 162 - present


def swap_in_row(cells):
    first, second = random.sample(FREE[random.choice(ROWS)], 2)
    cells[first], cells[second] = cells[second], cells[first]


def deap(generations, evaluations):
    from deap import algorithms, base, creator, tools

    creator.create("Fitness", base.Fitness, weights=(-1.0,))
    creator.create("Individual", list, fitness=creator.Fitness)

    def clone(individual):
        copy = creator.Individual(individual)
        copy.fitness.values = individual.fitness.values
        return copy

    def cross(first, second):
        cut = 9 * random.randint(1, 8)
        first[cut:], second[cut:] = second[cut:], first[cut:]
        return first, second

    def mutate(individual):
        swap_in_row(individual)
        return (individual,)

    toolbox = base.Toolbox()
    toolbox.register("clone", clone)
    toolbox.register("mate", cross)
    toolbox.register("mutate", mutate)
    toolbox.register("select", tools.selTournament, k=OFFSPRING, tournsize=TOURNAMENT)
    population = [creator.Individual(random_cells()) for _ in range(POPULATION)]
    for individual in population:
        individual.fitness.values = (missing_digits(individual),)
    for _ in range(generations):
        offspring = algorithms.varAnd(toolbox.select(population), toolbox, CROSSOVER, MUTATION)
        for individual in offspring:
            if not individual.fitness.valid:
                individual.fitness.values = (missing_digits(individual),)
        population = tools.selBest(population, ELITE) + offspring
    return min(individual.fitness.values[0] for individual in population)


def pygad(generations, evaluations):
    import numpy
    import pygad

    def cross(parents, size, ga):
        offspring = numpy.empty(size, dtype=parents.dtype)
        for k in range(size[0]):
            first, second = parents[k % len(parents)], parents[(k + 1) % len(parents)]
            cut = 9 * random.randint(1, 8) if random.random() < CROSSOVER else 81
            offspring[k, :cut], offspring[k, cut:] = first[:cut], second[cut:]
        return offspring

    def mutate(offspring, ga):
        for cells in offspring:
            if random.random() < MUTATION:
                swap_in_row(cells)
        return offspring

    ga = pygad.GA(
        num_generations=generations,
        num_parents_mating=OFFSPRING,
        initial_population=[random_cells() for _ in range(POPULATION)],
        gene_type=int,
        fitness_func=lambda ga, cells, place: -missing_digits(cells.tolist()),
        parent_selection_type="tournament",
        K_tournament=TOURNAMENT,
        keep_elitism=ELITE,
        crossover_type=cross,
        mutation_type=mutate,
        suppress_warnings=True,
    )
    ga.run()
    return -ga.best_solution(ga.last_generation_fitness)[1]


def pymoo(generations, evaluations):
    import numpy
    from pymoo.algorithms.base.genetic import GeneticAlgorithm
    from pymoo.core.crossover import Crossover
    from pymoo.core.mutation import Mutation
    from pymoo.core.population import Population
    from pymoo.core.problem import Problem
    from pymoo.core.survival import Survival
    from pymoo.operators.selection.tournament import TournamentSelection
    from pymoo.optimize import minimize

    bits = numpy.array([bin(mask).count("1") for mask in range(1 << 10)])

    class Sudoku(Problem):
        def __init__(self):
            super().__init__(n_var=81, n_obj=1, xl=1, xu=9, vtype=int)

        def _evaluate(self, x, out, *args, **kwargs):
            """The whole population at once, as pymoo would have it."""
            global counted
            counted += len(x)
            digits = (1 << x.astype(int)).reshape(-1, 9, 9)
            columns = numpy.bitwise_or.reduce(digits, axis=1)
            boxes = numpy.bitwise_or.reduce(digits.reshape(-1, 3, 3, 3, 3), axis=(2, 4))
            out["F"] = 162.0 - bits[columns].sum(axis=1) - bits[boxes].sum(axis=(1, 2))

    class BetweenRows(Crossover):
        def __init__(self):
            super().__init__(2, 2, prob=CROSSOVER)

        def _do(self, problem, x, *args, random_state=None, **kwargs):
            cuts = 9 * random_state.integers(1, 9, size=x.shape[1])
            return numpy.where(numpy.arange(81)[None, None, :] < cuts[None, :, None], x, x[::-1])

    class SwapInRow(Mutation):
        def __init__(self):
            super().__init__(prob=MUTATION)

        def _do(self, problem, x, *args, **kwargs):
            mutated = x.copy()
            for cells in mutated:
                swap_in_row(cells)
            return mutated

    class Generational(Survival):
        def _do(self, problem, pop, *args, n_survive=None, **kwargs):
            if len(pop) <= POPULATION:
                return pop
            old, offspring = pop[:POPULATION], pop[POPULATION:]
            best = numpy.argsort(old.get("F")[:, 0], kind="stable")[:ELITE]
            return Population.merge(old[best], offspring)

    def fittest(pop, tournaments, **kwargs):
        fitness = pop.get("F")[:, 0]
        return tournaments[numpy.arange(len(tournaments)), fitness[tournaments].argmin(axis=1)][:, None]

    algorithm = GeneticAlgorithm(
        pop_size=POPULATION,
        n_offsprings=OFFSPRING,
        sampling=numpy.array([random_cells() for _ in range(POPULATION)]),
        selection=TournamentSelection(func_comp=fittest, pressure=TOURNAMENT),
        crossover=BetweenRows(),
        mutation=SwapInRow(),
        survival=Generational(),
        eliminate_duplicates=False,
    )
    limit = ("n_eval", evaluations) if evaluations else ("n_gen", generations + 1)
    return minimize(Sudoku(), algorithm, limit, seed=random.randrange(2**31)).F[0]


def mealpy(generations, evaluations):
    import numpy
    from mealpy import IntegerVar
    from mealpy.evolutionary_based.GA import BaseGA

    class RowGa(BaseGA):
        """The framework's loop and its tournament; the operators and the survival of this work in its places for them."""

        def crossover_process__(self, dad, mom):
            cut = 9 * random.randint(1, 8)
            return numpy.concatenate([dad[:cut], mom[cut:]]), numpy.concatenate([mom[:cut], dad[cut:]])

        def mutation_process__(self, child):
            child = child.copy()
            if random.random() < MUTATION:
                swap_in_row(child)
            return child

        def survivor_process__(self, pop, pop_child):
            return sorted(pop, key=lambda agent: agent.target.fitness)[:ELITE] + pop_child[:OFFSPRING]

    problem = {
        "bounds": IntegerVar(lb=[1] * 81, ub=[9] * 81),
        "obj_func": lambda cells: missing_digits([round(digit) for digit in cells.tolist()]),
        "minmax": "min",
        "log_to": None,
    }
    ga = RowGa(max(generations, 2), POPULATION, CROSSOVER, MUTATION, selection="tournament", k_way=TOURNAMENT / POPULATION)
    start = numpy.array([random_cells() for _ in range(POPULATION)], dtype=float)
    limit = {"max_fe": evaluations} if evaluations else None
    return ga.solve(problem, starting_solutions=start, termination=limit, seed=random.randrange(2**31)).target.fitness


def main():
    framework, generations, evaluations, seed = sys.argv[1], *map(int, sys.argv[2:])
    random.seed(seed)
    if evaluations:
        generations = (evaluations - POPULATION) // OFFSPRING
    offspring = POPULATION if framework == "mealpy" else OFFSPRING  # which makes pairs of parents into as many
    asked = evaluations if evaluations and framework in ("pymoo", "mealpy") else POPULATION + generations * offspring
    __import__(framework)
    start = time.process_time()
    best = globals()[framework](generations, evaluations)
    seconds = time.process_time() - start
    print(json.dumps({"work": generations, "seconds": seconds, "asked": asked, "counted": counted, "best": float(best)}))


main()

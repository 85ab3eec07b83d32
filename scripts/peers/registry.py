"""What is compared with what. A program has a name, a way to be run (given the number of the round, which is its seed where it takes one),
what differs from our work, and, where ours is slower, why.
"""
import csv
import dataclasses
import typing

from programs import BUILD, ROOT, Skip, bench, divan, optima, python, reports, runner, rust, timed

TDOKU_COMMIT = "af426180dc53aef89b82868e7b3fdfcf42165654"
HOW_TO_GET = [
    "These programs are in public repositories, but in no package registry. The script builds the programs from a folder with their sources. The script does not download sources:",
    "",
    f"- tdoku (BSD-2-Clause), github.com/t-dillon/tdoku at {TDOKU_COMMIT}: `EVOGRID_TDOKU=FOLDER make bench-peers`. tdoku's benchmark tables"
    f" call the crate `sudoku` by the name `rust_sudoku`. We build the crate from the registry.",
    "- The ant colony of Lloyd and Amos (no licence): github.com/huwlloyd-mmu/sudoku_acs at 5181658dd674731029e7703241cfd22c3d3c936d."
    " We did not build this program. `experiments/claims/lloyd-amos.toml` judges the published times of this ant colony.",
    "- The crate `radiate` is not compared, because it lacks operators that the genetic algorithm of \"Row GA on Sudoku\" needs."
    " pygmo has no operators for permutations. The crate `mahf` is not built and not compared.",
    "- `datasets/elsewhere/README.md` describes the boards with 17 givens and the hardest boards. GNU parallel is installed"
    " by `apt-get install parallel`.",
]


@dataclasses.dataclass
class Program:
    name: str
    run: typing.Callable[[int], dict]
    differs: str = ""
    below: str = ""


@dataclasses.dataclass
class Benchmark:
    title: str
    unit: str
    work: str
    ours: Program
    peers: list[Program]
    clocks: tuple[str, ...] = ("seconds",)
    # `rates`, or `counts` of evaluations, or `gaps` to the best known.
    kind: str = "rates"
    is_same_best: bool = False


def benchmarks(divisor):
    """All of them, with so small a part of the work."""
    size = lambda n: max(n // divisor, 1)
    sources = [row_ga, asked_and_counted, evolution, *exact, *inner_loops, *quality, *harness]
    return [source(size) for source in sources]


def row_ga(size):
    framework = lambda name, generations: lambda seed: python("row_ga.py", name, size(generations), 0, seed)
    return Benchmark(
        "Row GA on Sudoku",
        "generations",
        "The work is a genetic algorithm on McCaffrey's demo board. Each row of the board is a gene. The algorithm has 200 individuals, 190"
        " offspring, an elite of 10, and tournaments of 3. One-point crossover between rows has rate 0.8. Swaps within a row have rate 0.2. The"
        " fitness is the number of missing digits in columns and boxes. Our program is `runner run`. For each"
        " program, the objective function is written in the language and the usual style of this program.",
        Program("ours, `genetic`", lambda seed: runner("row_ga.toml", "generations", experiment__seed=seed, budget__generations=size(50_000))),
        [
            Program(
                "ours, with the user's own objective",
                lambda seed: rust("own_objective", size(20_000), 0, seed),
                "our library with an objective that uses only the genome, like the objectives of the other libraries; the program measures its own time",
            ),
            Program(
                "crate `genetic_algorithm`",
                lambda seed: rust("row_ga", size(20_000), seed),
                "200 offspring; weaker selection: tournaments without replacement choose the survivors",
            ),
            Program("DEAP", framework("deap", 150), "copies individuals by our own function, which is faster than DEAP's `deepcopy`"),
            Program("PyGAD", framework("pygad", 250), "our own operators; parents are paired in order; equal solutions are evaluated once"),
            Program("pymoo", framework("pymoo", 150), "our own operators; NumPy evaluates all offspring together"),
            Program("MEALPY", framework("mealpy", 150), "our own operators and survivor selection; one tournament chooses both parents; 190 of 200 offspring survive"),
        ],
    )


def asked_and_counted(size):
    asked = 10_000
    by_generations = "the largest number of generations with at most 10,000 evaluations"
    return Benchmark(
        "Asked and counted",
        "evaluations",
        f"Each framework ran the same genetic algorithm. We set a limit of {asked:,} evaluations."
        " If a framework can limit the evaluations itself, we use its limit."
        " The objective function counts its own calls. The column \"calls of the objective\" shows this count."
        " Some frameworks store the fitness of a solution, and use this fitness again for an unchanged or an equal solution."
        " These frameworks call the objective function less often than requested."
        " A framework that checks the limit once per generation calls the objective function more often than requested.",
        Program(
            "ours, `genetic`",
            lambda seed: runner("row_ga.toml", "evaluations", experiment__seed=seed, budget__generations=10**9, budget__evaluations=asked),
            "`budget.evaluations`; the run records its evaluations",
        ),
        [
            Program("ours, with the user's own objective", lambda seed: rust("own_objective", 0, asked, seed), "`Budget::evaluations`"),
            Program("crate `genetic_algorithm`", lambda seed: rust("row_ga", asked // 200 - 1, seed), by_generations),
            Program("DEAP", lambda seed: python("row_ga.py", "deap", 0, asked, seed), by_generations),
            Program("PyGAD", lambda seed: python("row_ga.py", "pygad", 0, asked, seed), by_generations),
            Program("pymoo", lambda seed: python("row_ga.py", "pymoo", 0, asked, seed), "`n_eval`"),
            Program("MEALPY", lambda seed: python("row_ga.py", "mealpy", 0, asked, seed), "`max_fe`"),
        ],
        kind="counts",
    )


def evolution(size):
    experiment = "combinatorial_evolution.toml"
    return Benchmark(
        "Combinatorial evolution",
        "organisms evaluated",
        "The benchmark solves McCaffrey's demo board. McCaffrey's setting has 200 organisms, of which a tenth are explorers."
        " After 5,000 epochs without a solution, the search restarts with new organisms.",
        Program("ours, `mccaffrey`", lambda seed: runner(experiment, "evaluations", experiment__seed=seed, repetitions=size(50))),
        [
            Program(
                "plain port",
                lambda seed: rust("combinatorial_evolution", size(10_000), seed),
                "the article's program, written by us in Rust; nested vectors; complete evaluation of each organism",
            )
        ],
    )


def boards(path, n):
    """The first boards of a data set, as the file that `ours/exact.toml` names and as lines."""
    path = ROOT / "datasets" / path
    if not path.exists():
        raise Skip(f"{path.relative_to(ROOT)} is not here (datasets/elsewhere/README.md)")
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))[:n]
    with open(BUILD / "boards.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([["id", "bucket", "puzzle"], *([row["id"], row["bucket"], row["puzzle"]] for row in rows)])
    return "".join(row["puzzle"] + "\n" for row in rows)


# Ours, the first of which the others are compared with.
EXACT = ["exact", "backtracking", "sat", "milp"]
EXACT_NOTES = {
    "backtracking": (
        "the article's search, with the same checks and the same order as in the article",
        "after every guess, our search `exact` fills the cells whose digits are certain. Filling these cells takes far longer than a step"
        " of `backtracking`. So `backtracking` is faster on boards where filling these cells saves few guesses",
    ),
    "sat": ("the crate `splr` with our clauses and candidates", ""),
    "milp": ("the crates `good_lp` and `microlp` with our model and candidates", ""),
}


def exact_on(title, path, n_boards, repeats):
    def benchmark(size):
        def ours(kind):
            def run(_):
                boards(path, size(n_boards))
                measured = runner("exact.toml", "runs", own_clock=True, algorithms__exact__kind=kind)
                if measured["unsolved"]:
                    raise Skip(f"{measured['unsolved']} boards were not solved")
                return measured

            return Program(f"ours, `{kind}`", run, *EXACT_NOTES.get(kind, ()))

        first, *others = map(ours, EXACT)
        return Benchmark(
            f"Exact Sudoku: {title}",
            "boards",
            f"Each program solves the first {size(n_boards)} boards of `datasets/{path}`. The programs do not prove that a solution is unique."
            f" The CPU time excludes the start of the program, the reading of the boards and the writing of the journal. Our CPU time is the sum over the runs.",
            first,
            [
                *others,
                Program(
                    "crate `sudoku` (`rust_sudoku`)",
                    lambda _: rust("sudoku_crate", size(repeats), text=boards(path, size(n_boards))),
                    "AGPL-3.0, a separate program",
                    "the crate handles only 9x9 boards, and stores sets of cells in machine words. Our program handles any structure",
                ),
                Program(
                    "tdoku",
                    lambda _: reports("tdoku", [BUILD / "exact_tdoku", size(repeats)], boards(path, size(n_boards))),
                    "built with `-march=native`, as its authors do",
                    "tdoku handles only 9x9 boards, and its vector instructions are not in our default target",
                ),
            ],
        )

    return benchmark


exact = [
    exact_on("from 20 givens", "sudoku/givens-20-45.csv", 200, 500),
    exact_on("17 givens", "elsewhere/17-clue-9x9.csv", 200, 500),
    exact_on("hardest", "elsewhere/forum-hardest-9x9.csv", 50, 100),
]


def flow_shop(jobs, machines, seed, instance):
    return lambda size: Benchmark(
        f"Flow shop insertion, {jobs} jobs on {machines} machines",
        "positions",
        f"Each job of {instance} is removed from the sequence, one after the other. Taillard's acceleration evaluates all positions for"
        " the removed job. We take the wall time of the fastest of many passes, because other processes disturb the fastest pass least.",
        Program("ours, `insertion`", lambda _: divan("flowshop", "insertions_makespan", instance)),
        [
            Program(
                "plain C",
                lambda _: reports("flowshop_insertion", [BUILD / "flowshop_insertion", jobs, machines, seed, 1 if size(50) > 1 else 0.1]),
                "`gcc -O3`",
            )
        ],
        clocks=("wall",),
    )


def assignment(n, iterations):
    def program(size, name, *command, **notes):
        return Program(name, lambda _: timed([part() if callable(part) else part for part in command] + [n, size(iterations)], size(iterations)), **notes)

    return lambda size: Benchmark(
        f"Assignment deltas, n = {n}",
        "iterations",
        "The benchmark measures the main loop of robust tabu search on a random instance. The search evaluates every exchange by the delta"
        " matrix. The best exchange is made, and the matrix is updated. The CPU time covers the whole process.",
        program(size, "ours, `tabu`", lambda: bench("qap"), "--loop"),
        [
            program(size, "C, textbook", BUILD / "qap_deltas", "textbook", differs="the formulas as printed"),
            program(size, "a C program that updates rows", BUILD / "qap_deltas", "rows", differs="like our program, it uses short integers and updates complete rows", below=LAZY_ROWS),
        ],
        is_same_best=True,
    )


def tours(cities, rounds):
    return lambda size: Benchmark(
        f"2-opt and Or-opt, {cities:,} cities",
        "local optima",
        "The work is a local search on a DIMACS E instance. The search starts from the nearest-neighbour tour. The search uses"
        " ten neighbours of each city, and a queue of cities. The figure is"
        f" the median of {rounds} measurements.",
        Program("ours, `or-2opt`", lambda _: optima([bench("tsp")], cities, {"TSP_ROUNDS": str(size(200))})),
        [Program("plain C", lambda _: optima([BUILD / "tsp_two_opt", cities, cities, size(rounds)], cities), "`gcc -O3`, the same search", SAME_LOADS)],
        is_same_best=True,
    )


LAZY_ROWS = (
    "the C program finds the lowest delta while it updates the matrix. Our program updates a row only when a search asks for this"
    " row, so descents update only the rows that they use. But our program spends a third of its time on the search for lower deltas"
)
SAME_LOADS = (
    "we do not know the cause. The two programs do the same work, with the same distances and comparisons. In our program, the evaluation of"
    " moves takes 78 per cent of the time, and the reversal of segments takes 12 per cent"
)

inner_loops = [
    flow_shop(20, 5, 873654221, "ta001"),
    flow_shop(100, 20, 450926852, "ta081"),
    assignment(50, 100_000),
    assignment(100, 25_000),
    tours(1000, 200),
    tours(10_000, 20),
]


def nearness(title, work, experiment, *libraries):
    def benchmark(size):
        # Of each instance; less where the rest is less.
        seconds = size(100) / 20
        return Benchmark(
            title,
            "",
            f"{work} The figure is the mean gap to the best known value. Each of the three instances gets {seconds:g} s of CPU time.",
            Program("ours", lambda seed: runner(experiment, "runs", True, experiment__seed=seed, budget__cpu_seconds=seconds)),
            [
                Program(name, lambda seed, library=library: python("quality.py", library, seconds, seed), *notes)
                for name, library, *notes in libraries
            ],
            kind="gaps",
        )

    return benchmark


quality = [
    nearness(
        "Tours at equal CPU time",
        "The instances are E1k.0, E1k.1 and E1k.2 of the DIMACS challenge. Our search is `iterated-2opt`.",
        "tsp.toml",
        ("elkai (LKH)", "elkai", "one run that ends by itself", "Lin-Kernighan moves of five exchanges find more improvements than 2-opt and Or-opt"),
        ("OR-tools routing", "ortools", "guided local search"),
        ("PyVRP", "pyvrp", "the tour is the route of one vehicle; PyVRP's hybrid genetic search is made for many small routes"),
        ("jMetalPy", "jmetalpy", "the genetic algorithm of jMetalPy's example: 100 tours, PMX with probability 0.8, swap mutation"),
    ),
    nearness(
        "Assignments at equal CPU time",
        "The instances are tai50a, tai60a and tai80a. Our search is `wide-tenure-tabu`.",
        "qap.toml",
        ("SciPy", "scipy", "`quadratic_assignment`: repeated FAQ from random points, each followed by 2-opt"),
    ),
]


def tasks(n, slow):
    def benchmark(size):
        shell = lambda n, tool: lambda _: timed(["sh", "-c", f"seq {n} | {tool}"], n)
        peers = [
            Program(
                "joblib",
                lambda _: python("noop.py", "joblib", size(n)),
                "two worker processes, including their start; batches of short tasks",
                "joblib sends many tasks together, and stores nothing",
            )
        ]
        if slow:
            few = f"processes; {size(200)} of them"
            peers += [
                Program("xargs", shell(size(1000), "xargs -n1 -P1 true"), "one process for each task"),
                Program("GNU parallel", shell(size(200), "parallel --will-cite -j1 true {}"), few),
                Program("Dask", lambda _: python("noop.py", "dask", size(n)), "a scheduler and one worker in one process, including its start"),
                Program("Ray", lambda _: python("noop.py", "ray", size(n)), "one worker, including its start"),
                Program("Hydra", lambda _: python("noop.py", "hydra", size(20)), f"its own launcher, multirun; {size(20)} tasks"),
            ]
        return Benchmark(
            f"Harness: {n:,} tasks that do nothing",
            "tasks",
            f"Our program does {size(n):,} runs of random search, and each run makes one evaluation. Each run has a seed, a journal line and a row in the CSV"
            f" file. The time covers the whole process, with one thread. The other programs record nothing.",
            Program("ours, `runner run`", lambda _: runner("noop.toml", "runs", repetitions=size(n))),
            peers,
            clocks=("seconds", "wall"),
        )

    return benchmark


harness = [tasks(1000, True), tasks(100_000, False)]

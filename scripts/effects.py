"""Recomputes every figure of `runner effects` from runs.csv with pandas, SciPy and statsmodels, and compares its order with optuna's fANOVA.

usage: effects.py RUNNER        (pip install numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 statsmodels==0.15.0 optuna==5.0.0 scikit-learn==1.9.1)

Two grids are run: 72 genetic algorithms on 40 boards, and 48 iterated greedy searches on 30 flow shops. Each case below is a file of their
runs with a metric. The script uses only the columns of the file, and none of our code. It checks that

- exact figures (means, differences, intervals, shares, holdout values, pairs of runs) agree to a relative 1e-9. Costs are fractions, so
  rounding cannot make equal configurations differ;
- p-values agree within four standard errors of the two Monte Carlo samples, times the factor of Holm's correction;
- the confidence set agrees. Configurations whose p-value is too near to 0.05 for a decision are printed.

Then a fifth of the configurations is removed at random, ten times. The runner uses the complete part of the remaining grid; optuna's fANOVA
uses all remaining configurations by a random forest. The script prints the order of the settings by these two methods and by all
configurations. The orders may differ; this is not a fault.
"""

import itertools
import math
import re
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

try:
    import numpy
    import optuna
    import pandas
    from optuna.importance import FanovaImportanceEvaluator
    from scipy import stats
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm
    from statsmodels.stats.multitest import multipletests

    import sklearn  # noqa: F401 (the forest of optuna)
except ImportError as error:
    sys.exit(
        f"{error}: pip install numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 statsmodels==0.15.0 optuna==5.0.0 scikit-learn==1.9.1"
    )

TOLERANCE = 1e-9
# The runner computes Student's quantiles to an absolute 1e-6. They are about 2, which gives this share of half an interval.
QUANTILES = 5e-7
LEVEL = 0.05
# With fewer instances than this, each repetition on each instance is a block.
FEW_INSTANCES = 6
PARTS = 10
# The numbers of random signs of the runner and of this script.
THEIR_FLIPS, FLIPS = 1999, 20_000
ERRORS = 4
LOST, LOSSES = 0.2, 10
BOARDS = """
[experiment]
name = "boards"
repetitions = 2
seed = 9
[[instances]]
problem = "sudoku"
path = "{boards}"
[algorithms.huke]
preset = "huke"
[algorithms.huke.grid]
population = [20, 50, 100, 200, 400, 800]
mutation_rate = [0.1, 0.3, 0.6, 1.0]
selection = [{{ kind = "tournament", size = 2 }}, {{ kind = "tournament", size = 4 }}, {{ kind = "roulette" }}]
[budget]
generations = 60
"""
SHOPS = """
[experiment]
name = "shops"
repetitions = 3
seed = 7
[[instances]]
problem = "flowshop"
generate = {{ set = "taillard", ids = [{ids}] }}
[algorithms.ig]
kind = "iterated-greedy"
start = "neh"
[algorithms.ig.grid]
removed = [1, 2, 4, 6, 8, 10]
temperature = [0, 0.2, 0.4, 1]
descent = ["neighbourhood", "reinsertion"]
[budget]
evaluations = 10000
"""


def number(text):
    """A number in the form of the runner, `1` for `1.0`; other text unchanged."""
    try:
        return f"{float(text):.17g}" if float(text) != float(f"{float(text):.15g}") else f"{float(text):.15g}"
    except ValueError:
        return text


def costs(runs, metric):
    """The cost of each run as a fraction (lower is better), and the factor for printed costs."""
    if metric == "solved":
        return [Fraction(-100 * (value == "true")) for value in runs["solved"]], -1
    if metric == "evaluations":
        # An unsolved run needs infinitely many evaluations.
        work = [float(n) if solved == "true" else math.inf for n, solved in zip(runs["evaluations"], runs["solved"])]
        ranks = pandas.Series(work, index=runs.index).groupby(runs["instance"]).rank(method="average")
        sizes = runs.groupby("instance")["run"].transform("size")
        return [Fraction(100) * (Fraction(rank) - 1) / (int(size) - 1) for rank, size in zip(ranks, sizes)], 1
    objectives = runs["objective"].map(Fraction)
    best = runs["best_known"].map(Fraction) if metric == "gap" else objectives.groupby(runs["instance"]).transform("min")
    return [100 * (own - least) / least for own, least in zip(objectives, best)], 1


def block_costs(runs, keys):
    """The mean cost of each configuration (rows) in each block (columns), and the part of each block for holdout values."""
    instances = list(dict.fromkeys(runs["instance"]))

    def mean(of):
        return sum(of) / len(of)

    if len(instances) >= FEW_INSTANCES:
        found = runs.groupby([*keys, "instance"], sort=False)["cost"].agg(mean).unstack("instance")[instances]
        return found, [place % PARTS for place in range(len(instances))]
    found = runs.groupby([*keys, "instance", "repetition"], sort=False)["cost"].agg(mean).unstack(["instance", "repetition"])
    repetitions = list(dict.fromkeys(runs["repetition"]))
    blocks = list(itertools.product(instances, repetitions))
    places = [instances.index(one) if len(instances) > 1 else repetitions.index(other) for one, other in blocks]
    return found[blocks], [place % PARTS for place in places]


def holdout_values(blocks, places, ranks):
    """The cost, on the other half of the parts, of the configuration at each rank of one half; equal configurations share their ranks."""
    parts = sorted(set(places))
    sums = {part: [sum(row[at] for at, own in enumerate(places) if own == part) for row in blocks] for part in parts}
    size = {part: places.count(part) for part in parts}
    halves = [set(half) for half in itertools.combinations(parts, len(parts) // 2)]
    if len(parts) % 2 == 0:
        halves = [half for half in halves if parts[0] in half]
    shown = [[Fraction(0), Fraction(0)] for _ in range(ranks)]
    for half, swapped in itertools.product(halves, (False, True)):
        chooses = set(parts) - half if swapped else half
        judges = set(parts) - chooses
        chosen, other = ([sum(column) for column in zip(*(sums[part] for part in side))] for side in (chooses, judges))
        weight = sum(size[part] for part in judges)
        order = sorted(range(len(blocks)), key=lambda at: chosen[at])
        for _, group in itertools.groupby(enumerate(order), key=lambda one: chosen[one[1]]):
            group = list(group)
            for rank, _ in group:
                if rank < ranks:
                    shown[rank][0] += sum(other[at] for _, at in group) / Fraction(len(group))
                    shown[rank][1] += weight
    return [total / n for total, n in shown]


def signs(blocks):
    """Random signs of the blocks."""
    return numpy.random.default_rng(20).choice([-1.0, 1.0], size=(FLIPS, blocks))


def p_value(statistics, observed):
    """The share of statistics that are at least as large as the observed statistic, which is included."""
    return (1 + numpy.sum(statistics >= observed - 1e-12)) / (1 + len(statistics))


def contrast_p(contrasts):
    """The p-value of several contrasts (rows) over blocks (columns): the largest studentised mean by random signs."""
    contrasts = numpy.where(abs(contrasts) < 1e-9, 0.0, contrasts)
    contrasts = contrasts[numpy.any(contrasts != 0.0, axis=1)]
    if not len(contrasts):
        return 1.0
    lengths = numpy.linalg.norm(contrasts, axis=1)
    flipped = abs(signs(contrasts.shape[1]) @ contrasts.T / lengths).max(axis=1)
    return p_value(flipped, (abs(contrasts.sum(axis=1)) / lengths).max())


def standard_error(p):
    """The standard error of the difference between two Monte Carlo estimates of this p-value."""
    return math.sqrt(p * (1 - p) * (1 / THEIR_FLIPS + 1 / FLIPS)) + 1 / THEIR_FLIPS / ERRORS


def corrected(raw):
    """Holm's correction by test, and the allowed difference of the runner's value."""
    values = numpy.array(list(raw.values()))
    if not len(values):
        return {}
    order = numpy.argsort(values)
    reach, reaches = 0.0, numpy.empty(len(values))
    for rank, at in enumerate(order):
        reach = max(reach, (len(values) - rank) * ERRORS * standard_error(values[at]))
        reaches[at] = reach
    return dict(zip(raw, zip(multipletests(values, method="holm")[1], reaches)))


def best_set(blocks):
    """For each configuration (row), the p-value of the hypothesis that no other configuration has a lower mean."""
    flips, n = signs(blocks.shape[1]), len(blocks)
    found, flipped = numpy.ones(n), flips @ blocks.T
    for own in range(n):
        differences = blocks[own] - blocks
        lengths = numpy.linalg.norm(numpy.where(abs(differences) < 1e-9, 0.0, differences), axis=1)
        others = lengths > 0
        if others.any():
            observed = (differences[others].sum(axis=1) / lengths[others]).max()
            statistics = ((flipped[:, [own]] - flipped[:, others]) / lengths[others]).max(axis=1)
            found[own] = p_value(statistics, observed) if observed > 0 else 1.0
    return found


def complete_part(configurations):
    """The complete grid that remains after repeatedly removing the level with the largest share of missing configurations."""
    left = configurations
    values = {}
    for key in left:
        values[key] = list(dict.fromkeys(left[key]))
        if all(re.fullmatch(r"-?[0-9.]+", value) for value in values[key]):
            values[key].sort(key=float)
    while True:
        levels = {key: [value for value in values[key] if (left[key] == value).any()] for key in left}
        size = math.prod(map(len, levels.values()))
        if len(left) == size:
            return left
        candidates = [(key, value) for key in left if len(levels[key]) > 1 for value in levels[key]]

        def lacks(at):
            key, value = candidates[at]
            n = int((left[key] == value).sum())
            # Among equal levels, take the level with the fewest configurations, then the last level.
            return 1 - Fraction(n * len(levels[key]), size), -n, at

        key, value = candidates[max(range(len(candidates)), key=lacks)]
        left = left[left[key] != value]


def shares(grid, keys, noise):
    """The variance of each set of settings by `anova_lm` on the cells' means, with the noise subtracted as in docs/STATISTICS.md."""
    cells = grid.mean(axis=1).rename("mean").reset_index()
    cells.columns = [*(f"x{at}" for at in range(len(keys))), "mean"]
    formula = "mean ~ " + " * ".join(f"C(x{at})" for at in range(len(keys)))
    with numpy.errstate(all="ignore"):
        found = anova_lm(ols(formula, cells).fit())
    terms = {}
    for name, row in found.drop(index="Residual").iterrows():
        of = frozenset(keys[int(at)] for at in re.findall(r"x(\d+)", name))
        terms[of] = max(0.0, (row["sum_sq"] - noise * row["df"]) / len(cells))
    return terms


def noise_of(grid):
    """The variance of a cell's mean over blocks: the residual mean square of cells and blocks over the number of blocks."""
    rows = pandas.DataFrame(grid.to_numpy()).stack().rename_axis(["cell", "block"]).rename("cost").reset_index()
    found = anova_lm(ols("cost ~ C(cell) + C(block)", rows).fit())
    return found.loc["Residual", "sum_sq"] / found.loc["Residual", "df"] / grid.shape[1]


class Case:
    """One output of `runner effects`, and how many of its figures agree."""

    def __init__(self, name, runner, path, metric, settings, options=()):
        self.name, self.counts, self.faults = name, {}, []

        def call(*arguments):
            done = subprocess.run([runner, "effects", str(path), *arguments, *options], capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"runner effects {path}: {done.stderr}")
            return done.stdout

        arguments = ["--metric", metric]
        text = call("--format", "csv", *arguments)
        if call("--format", "csv", *arguments) != text:
            sys.exit(f"{name}: two calls print different bytes")
        (path.parent / "effects.csv").write_text(text)
        self.rows = pandas.read_csv(path.parent / "effects.csv", keep_default_na=False)
        said = " ".join(call(*arguments).split())
        runs = pandas.read_csv(path, dtype=str, keep_default_na=False)
        chosen = [option.removeprefix("instance=").split(",") for option in options if option.startswith("instance=")]
        runs = runs[runs["instance"].isin(chosen[0])] if chosen else runs
        runs[settings] = runs[settings].map(number)
        runs["cost"], self.sign = costs(runs, metric)
        self.keys = [key for key in settings if runs[key].nunique() > 1]
        self.exact, places = block_costs(runs, self.keys)
        self.blocks = self.exact.astype(float)
        self.compared = set()
        self.check_best(places, said)
        self.check_unchanged(runs)
        self.check_settings()
        left = set(self.rows.index) - self.compared
        if left:
            sys.exit(f"{name}: nothing was compared with {self.rows.loc[sorted(left)]}")

    def agree(self, kind, what, theirs, ours, tolerance=None):
        """Counts a figure, and notes it if it differs."""
        tolerance = TOLERANCE * max(abs(ours), 1e-3) if tolerance is None else tolerance
        difference = abs(float(theirs) - ours)
        agrees = difference <= tolerance
        if not agrees:
            self.faults.append(f"{self.name}: {kind}, {what}: {theirs} there, {ours} here, tolerance {tolerance:.2g}")
        n, agreed, worst = self.counts.get(kind, (0, 0, 0.0))
        self.counts[kind] = n + 1, agreed + agrees, max(worst, difference / tolerance if agrees else 0.0)

    def take(self, figure, setting, value=None):
        """The row of a figure."""
        rows = self.rows[(self.rows["figure"] == figure) & (self.rows["setting"] == setting)]
        rows = rows if value is None else rows[rows["value"].map(number) == value]
        if len(rows) != 1:
            sys.exit(f"{self.name}: {len(rows)} rows of {figure} {setting} {value}")
        self.compared.add(rows.index[0])
        return rows.iloc[0]

    def check_best(self, places, said):
        means = [sum(row) / len(row) for row in self.exact.to_numpy()]
        labels = [self.label(index) for index in self.exact.index]
        order = sorted(range(len(means)), key=lambda at: means[at])
        p_values = best_set(self.blocks.to_numpy())
        near = [at for at, p in enumerate(p_values) if abs(p - LEVEL) <= ERRORS * standard_error(p)]
        best = self.rows[self.rows["figure"] == "best"]
        splits = holdout_values(self.exact.to_numpy().tolist(), places, len(best))
        for rank, (row, at) in enumerate(zip(best.itertuples(), order), 1):
            # Configurations with equal means may have any order.
            own = labels.index(row.value)
            rows = [self.take(figure, "", row.value) for figure in ("best", "split", "may be best")]
            has_rank = means[own] == means[at] and all(float(one["rank"]) == rank for one in rows)
            self.agree("rank", row.value, rank if has_rank else math.nan, rank)
            self.agree("mean of a best configuration", row.value, row.estimate, self.sign * float(means[own]))
            self.agree("holdout value", row.value, rows[1].estimate, self.sign * float(splits[rank - 1]))
            if own not in near:
                self.agree("in the confidence set", row.value, rows[2].estimate, float(p_values[own] > LEVEL))
        found = re.search(r"is one of (\d+) configurations|Any of the (\d+) configurations", said)
        theirs = int(found[1] or found[2]) if found else 1
        self.set = f"{theirs} of {len(means)}"
        certain = [at for at, p in enumerate(p_values) if p > LEVEL and at not in near]
        nearest = min(max(theirs, len(certain)), len(certain) + len(near))
        self.agree("size of the confidence set", f"{len(near)} borderline", theirs, nearest)
        self.borderline = [f"{labels[at]} (p = {p_values[at]:.4f})" for at in near]

    def label(self, index):
        values = index if isinstance(index, tuple) else (index,)
        return ", ".join(f"{key} = {value}" for key, value in zip(self.keys, values))

    def check_unchanged(self, runs):
        outcome = [name for name in runs if name not in {"run", "run_id", "wall_ms", "cpu_ms", *self.keys}]
        for key in self.keys:
            rest = [name for name in self.keys if name != key]
            groups = runs.groupby([*rest, "instance", "repetition", "seed"], sort=False)
            alike = groups[outcome].nunique().max().max() == 1
            pairs = len(runs) - groups.ngroups
            if alike and pairs:
                self.agree("pairs of runs that end alike", key, self.take("changed nothing", key)["estimate"], pairs)

    def check_settings(self):
        grid = complete_part(self.blocks.index.to_frame(index=False))
        self.cells = len(grid)
        keys = [key for key in self.keys if grid[key].nunique() > 1]
        grid = self.blocks.loc[[tuple(row) for row in grid[self.keys].to_numpy()]]
        grid = grid.droplevel([key for key in self.keys if key not in keys])
        terms = shares(grid, keys, noise_of(grid))
        total = sum(terms.values())
        grand = grid.mean(axis=0)
        margins = {frozenset(of): grid.groupby(level=list(of)).mean() for n in (1, 2) for of in itertools.combinations(keys, n)}
        singles = corrected({key: contrast_p((margins[frozenset([key])] - grand).to_numpy()) for key in keys})
        interaction = {}
        for one, other in itertools.combinations(keys, 2):
            both = margins[frozenset([one, other])]
            contrast = both + grand
            for key in (one, other):
                own = margins[frozenset([key])].loc[both.index.get_level_values(key)]
                contrast = contrast - own.to_numpy()
            interaction[one, other] = contrast_p(contrast.to_numpy())
        for (one, other), (p, reach) in corrected(interaction).items():
            row = self.take("share", f"{one} x {other}")
            self.agree("share of an interaction", row.setting, row.estimate, terms[frozenset([one, other])] / total)
            self.agree("p of an interaction", row.setting, row.p, p, reach)
        self.share = {}
        for key in keys:
            margin = self.sign * margins[frozenset([key])]
            rows = self.rows[(self.rows["figure"] == "mean") & (self.rows["setting"] == key)]
            first = margin.loc[number(rows["value"].iloc[0])]
            if len(rows) != len(margin):
                sys.exit(f"{self.name}: {key} has {len(rows)} values there, {len(margin)} here")
            for at, (value, values) in enumerate((number(value), margin.loc[number(value)]) for value in rows["value"]):
                self.agree("mean of a value", f"{key} = {value}", self.take("mean", key, value)["estimate"], values.mean())
                if at == 0:
                    continue
                row, differences = self.take("difference", key, value), values - first
                self.agree("difference to the first", f"{key} = {value}", row.estimate, differences.mean())
                if numpy.ptp(differences) < 1e-9:
                    self.agree("no interval of equal differences", key, float(row.low == row.high == ""), 1.0)
                    continue
                ends = stats.t.interval(0.95, len(differences) - 1, differences.mean(), stats.sem(differences))
                for end, ours in zip((row.low, row.high), ends):
                    self.agree("end of an interval", f"{key} = {value}", end, ours, QUANTILES * numpy.ptp(ends) / 2)
            row, (p, reach) = self.take("share", key), singles[key]
            self.share[key] = terms[frozenset([key])] / total
            self.agree("share of a setting", key, row.estimate, self.share[key])
            self.agree("p of a setting", key, row.p, p, reach)
            shapley = sum(variance / len(of) for of, variance in terms.items() if key in of) / total
            self.agree("share with interactions", key, self.take("share with interactions", key)["estimate"], shapley)


def forest_order(blocks, keys, sign, seed):
    """The settings by optuna's fANOVA of all configurations, the most important first."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    levels = blocks.index.to_frame(index=False)
    space = {key: optuna.distributions.CategoricalDistribution(list(dict.fromkeys(levels[key]))) for key in keys}
    study = optuna.create_study()
    for (_, values), mean in zip(levels.iterrows(), blocks.mean(axis=1)):
        study.add_trial(optuna.create_trial(params=dict(values[keys]), distributions=space, value=float(mean)))
    found = FanovaImportanceEvaluator(seed=seed).evaluate(study)
    return sorted(keys, key=lambda key: -found[key])


def lose(runs, settings, seed):
    """The runs without a fifth of the configurations."""
    configurations = runs[settings].drop_duplicates()
    kept = configurations.sample(frac=1 - LOST, random_state=seed)
    return runs.merge(kept, on=settings)


def compare(runner, folder):
    root = Path(__file__).resolve().parent.parent
    ids = ", ".join(f'"ta{number:03}"' for number in range(1, 31))
    experiments = {
        "boards": (BOARDS.format(boards=root / "datasets/sudoku/huke-40.csv"), ["population", "mutation_rate", "selection"]),
        "shops": (SHOPS.format(ids=ids), ["removed", "temperature", "descent"]),
    }
    cases, files = [], {}
    for name, (text, settings) in experiments.items():
        (folder / f"{name}.toml").write_text(text)
        done = subprocess.run([runner, "run", f"{name}.toml", "--out", name, "--quiet"], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"runner run {name}.toml: {done.stderr}")
        files[name] = folder / name / "runs.csv", settings
    boards, of_boards = files["boards"]
    shops, of_shops = files["shops"]
    cases.append(Case("boards by success", runner, boards, "solved", of_boards))
    cases.append(Case("boards by evaluations (ranks)", runner, boards, "evaluations", of_boards))
    cases.append(Case("shops by gap", runner, shops, "gap", of_shops))
    cases.append(Case("shops by objective", runner, shops, "objective", of_shops))
    four = ("--where", "instance=ta001,ta011,ta021,ta022")
    cases.append(Case("four shops (these instances)", runner, shops, "gap", of_shops, four))
    cases.append(Case("one shop (its repetitions)", runner, shops, "gap", of_shops, ("--where", "instance=ta021")))
    runs = pandas.read_csv(shops, dtype=str, keep_default_na=False)
    # The ids are removed, because they would make the two rows the same run.
    colours = pandas.concat([runs.assign(colour=colour) for colour in ("red", "blue")]).drop(columns="run_id")
    (folder / "colours").mkdir()
    colours.to_csv(folder / "colours/runs.csv", index=False)
    cases.append(Case("shops, a setting without effect", runner, folder / "colours/runs.csv", "gap", [*of_shops, "colour"]))
    orders = []
    for whole, (path, settings), metric in ((cases[0], files["boards"], "solved"), (cases[2], files["shops"], "gap")):
        runs = pandas.read_csv(path, dtype=str, keep_default_na=False)
        truth = sorted(whole.keys, key=lambda key: -whole.share[key])
        equal, cells, moved = [0, 0, 0], [], []
        for seed in range(LOSSES):
            kept = folder / f"lost-{whole.name}-{seed}"
            kept.mkdir()
            lose(runs, settings, seed).to_csv(kept / "runs.csv", index=False)
            case = Case(f"{whole.name}, incomplete {seed + 1}", runner, kept / "runs.csv", metric, settings)
            ours = sorted(case.share, key=lambda key: -case.share[key])
            forest = forest_order(case.blocks, case.keys, case.sign, seed)
            kept_keys = [[key for key in order if key in case.share] for order in (forest, truth)]
            results = [ours == kept_keys[0], ours == kept_keys[1], forest == truth]
            equal = [n + result for n, result in zip(equal, results)]
            moved += [whole.share[one] for one, other in zip(ours, kept_keys[1]) if one != other]
            cells.append(case.cells)
            cases.append(case)
        orders.append(
            f"{whole.name}: {' > '.join(truth)} by all {len(whole.blocks)} configurations. Of {LOSSES} samples of {len(case.blocks)}, "
            f"complete parts of {', '.join(map(str, cells))}: runner and fANOVA agree in {equal[0]}, runner and all in {equal[1]}, "
            f"fANOVA and all in {equal[2]}"
            + (f"; settings in another place explain at most {100 * max(moved):.1f} % of the variance by all" if moved else "")
        )
    for case in cases:
        if case.borderline:
            print(f"{case.name}: borderline: {'; '.join(case.borderline)}")
    print("\n| figure | compared | agree | largest difference of these, in tolerances |\n|---|---:|---:|---:|")
    for kind in dict.fromkeys(kind for case in cases for kind in case.counts):
        n, agreed, worst = zip(*(case.counts[kind] for case in cases if kind in case.counts))
        print(f"| {kind} | {sum(n)} | {sum(agreed)} | {max(worst):.1e} |")
    print("\n| case | compared | agree | in the set | cells of the grid |\n|---|---:|---:|---:|---:|")
    for case in cases:
        n, agreed, _ = zip(*case.counts.values())
        print(f"| {case.name} | {sum(n)} | {sum(agreed)} | {case.set} | {case.cells} |")
    print("\nOrder of the settings by their share alone:", *orders, sep="\n\n")
    print(f"\nTwo calls print the same bytes in each of {len(cases)} cases.")
    faults = [fault for case in cases for fault in case.faults]
    if faults:
        sys.exit("\n".join([f"\n{len(faults)} figures differ:", *faults]))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        compare(str(Path(sys.argv[1]).resolve()), Path(name))

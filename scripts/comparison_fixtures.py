#!/usr/bin/env python3
"""Makes the figures with which crates/statistics/tests/suite/comparisons.rs checks the two answers of comparisons.

    pip install numpy==2.4.6 scipy==1.17.1
    python3 scripts/comparison_fixtures.py

The script takes one data set of each design of crates/statistics/examples/coverage/tables.rs (its first two configurations). It computes the figures
from the formulas of docs/STATISTICS.md, by other methods than our code: the permutation distribution counts how many members of each group of ties
fall into the first sample, in whole numbers of any size. It writes crates/statistics/tests/suite/fixtures/comparisons.json, with the same bytes every
time. Each line is one design; `null` means an unsolved run.
"""

import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
from scipy import optimize, special, stats

OUT = Path(__file__).parent.parent / "crates/statistics/tests/suite/fixtures/comparisons.json"
NULL = [(1, 10), (1, 50), (2, 10), (3, 5), (3, 50), (4, 1), (4, 10), (6, 5), (8, 1), (10, 5), (10, 10), (20, 1), (20, 5), (40, 1), (40, 5)]
POWER = [(1, 20), (3, 5), (4, 10), (6, 5), (6, 5), (8, 1), (10, 5), (10, 5), (20, 5), (40, 1)]
SKEWED = [(5, 10), (10, 10), (20, 10), (20, 50), (40, 10)]
METRICS = ["success", "gap", "evaluations", "cpu_time"]
LIMIT = 2100
MOST_SUMS = 40000
Z = stats.norm.ppf(0.975)
INF = float("inf")
RANDOM = np.random.default_rng(27)


def qualities(kind, metric, instances):
    """The latent quality of the two configurations on each instance; lower is better."""
    if kind == "skewed":
        rare = RANDOM.random(instances) < 0.1
        if metric == "success":
            return np.where(rare, special.logit(0.1), 0.0), np.where(rare, special.logit(0.9), -special.logit(0.5 + 0.8 / 9))
        return np.where(rare, -1.812388, 0.158066), np.zeros(instances)
    difficulty = RANDOM.normal(size=instances)
    spread, shift = (0.0, 0.0) if kind == "null" else (math.sqrt(0.5), 1.0)
    return (difficulty + spread * RANDOM.normal(size=instances) - shift, difficulty + spread * RANDOM.normal(size=instances))


def outcomes(metric, quality, runs):
    """The costs of the runs on an instance, and the length of each run (in whole numbers, except for gaps)."""
    if metric == "success":
        solved = RANDOM.random(runs) < 1 / (1 + math.exp(quality))
        return [-1.0 if one else 0.0 for one in solved], None
    drawn = np.exp(quality + RANDOM.normal(size=runs))
    if metric == "gap":
        return [round(float(one), 4) for one in drawn], None
    if metric == "cpu_time":
        return [float(math.floor(3 * one)) for one in drawn], None
    times = [math.ceil(1000 * one) for one in drawn]
    return [float(time) if time < LIMIT else INF for time in times], [(min(time, LIMIT), time < LIMIT) for time in times]


def exchanges(first, second, slot):
    """The number of exchanges for each doubled rank sum of the first sample, as one number with this many bytes for each sum."""
    ways = {0: 1}
    doubled = np.rint(2 * stats.rankdata(first + second)).astype(int)
    for rank, size in sorted(Counter(doubled.tolist()).items()):
        grown = Counter()
        for drawn, sums in ways.items():
            for more in range(min(size, len(first) - drawn) + 1):
                grown[drawn + more] += sums * math.comb(size, more) << (8 * slot * more * rank)
        ways = grown
    return ways[len(first)]


def packed(numbers, slot):
    return int.from_bytes(b"".join(number.to_bytes(slot, "little") for number in numbers), "little")


def unpacked(number, slot):
    text = number.to_bytes((number.bit_length() + 7) // 8 + slot, "little")
    return [int.from_bytes(text[at : at + slot], "little") for at in range(0, len(text), slot)]


def permutation(strata):
    """The exact p-value of the mean A12 (`None` for very many runs), the p-value of the normal distribution, and the variance of A12.

    All samples have the same size."""
    m = len(strata[0][0])
    centre, all_ways = m * (2 * m + 1), math.comb(2 * m, m)
    slot, rows, observed, variance = all_ways.bit_length() // 8 + 1, [], 0, Fraction(0)
    for first, second in strata:
        ways = unpacked(exchanges(second, first, slot), slot)
        rows.append({total: count for total, count in enumerate(ways) if count > 0})
        observed += round(2 * float(stats.rankdata(second + first)[:m].sum())) - centre
        variance += Fraction(sum(count * (total - centre) ** 2 for total, count in rows[-1].items()), all_ways)
    # All sums lie on a lattice, which is coarse for rates. Products of polynomials are products of numbers whose slots never overflow.
    step = math.gcd(*(total - min(row) for row in rows for total in row)) or 1
    wide, exact = (all_ways ** len(strata)).bit_length() // 8 + 1, None
    if sum((max(row) - min(row)) // step for row in rows) <= MOST_SUMS:
        product = math.prod(packed([row.get(total, 0) for total in range(min(row), max(row) + 1, step)], wide) for row in rows)
        middle, lowest = len(strata) * centre, sum(min(row) for row in rows)
        sums = ((lowest + at * step - middle, count) for at, count in enumerate(unpacked(product, wide)))
        exact = float(Fraction(sum(count for distance, count in sums if abs(distance) >= abs(observed)), all_ways ** len(strata)))
    normal = 1.0 if variance == 0 else 2 * stats.norm.sf(abs(observed) / math.sqrt(variance))
    # A doubled rank sum is twice U, and U is A12 times the number of pairs.
    return exact, min(1.0, normal), float(variance / len(strata)) / (2 * m * m) ** 2


def wilson(rate, n):
    middle, half = rate + Z**2 / (2 * n), Z * math.sqrt(rate * (1 - rate) / n + Z**2 / (4 * n**2))
    low, high = ((middle + sign * half) / (1 + Z**2 / n) for sign in (-1, 1))
    return (0.0 if rate == 0 else max(low, 0.0)), (1.0 if rate == 1 else min(high, 1.0))


def bonett_and_price(wins, losses, n):
    p, q = (wins + 1) / (n + 2), (losses + 1) / (n + 2)
    half = Z * math.sqrt((p + q - (p - q) ** 2) / (n + 2))
    return max(p - q - half, -1.0), min(p - q + half, 1.0)


def rates(strata):
    """The mean difference of rates, its interval, the instances' differences, their least variance, and no half step."""
    k, m = len(strata), len(strata[0][0])
    solved = -np.array([[sum(side) for side in sides] for sides in strata])
    differences = (solved[:, 0] - solved[:, 1]) / m
    sides = []
    for side in (0, 1):
        own, succession = solved[:, side] / m, (solved[:, side] + 1) / (m + 2)
        unbiased = (own * (1 - own)).sum() / (m - 1) if m > 1 else 0.0
        variance = max(unbiased, (succession * (1 - succession)).sum() / m) / k**2
        rate = own.mean()
        sides.append((rate, variance, max(k * m, rate * (1 - rate) / variance)))
    if m == 1 and k > 1:
        low, high = bonett_and_price((differences > 0).sum(), (differences < 0).sum(), k)
    else:
        (p, low_p, high_p), (q, low_q, high_q) = ((rate, *wilson(rate, m if k == 1 else n)) for rate, _, n in sides)
        low = max(p - q - math.hypot(p - low_p, high_q - q), -1.0)
        high = min(p - q + math.hypot(high_p - p, q - low_q), 1.0)
    return differences.mean(), low, high, differences, k * (sides[0][1] + sides[1][1]) / 8, 0.0


def method_5(p, m):
    more = m - 1
    return p * (1 - p) * (1 + more * (1 - p) / (2 - p) + more * p / (1 + p)) / m**2


def placement_variance(first, second):
    found = 0.0
    for one, other in ((first, second), (second, first)):
        x, y = np.array(one)[:, None], np.array(other)[None, :]
        placements = ((x > y) + 0.5 * (x == y)).mean(axis=1)
        n = len(one)
        unbiased = np.var(placements, ddof=1) if n > 1 else 0.0
        found += max(unbiased, (n + 1) / (n + 2) ** 2 / 4) / n
    return found


def shares(strata, variance):
    """The mean A12 of lower costs, its interval, the instances' differences, their least variance and half step."""
    k, m = len(strata), len(strata[0][0])
    a12 = np.array([stats.mannwhitneyu(second, first).statistic / m**2 for first, second in strata])
    mean = a12.mean()
    if k == 1:
        def distance(p, sign):
            return sign * (mean - p) - Z * math.sqrt(max(method_5(p, m), 0.0))
        low = 0.0 if mean == 0 else optimize.brentq(distance, 0, min(mean, 1 - 1e-12), args=(1,), xtol=1e-15, rtol=1e-14)
        high = 1.0 if mean == 1 else optimize.brentq(distance, max(mean, 1e-12), 1, args=(-1,), xtol=1e-15, rtol=1e-14)
    elif m == 1:
        low, high = ((end + 1) / 2 for end in bonett_and_price((a12 == 1).sum(), (a12 == 0).sum(), k))
    else:
        least = min(np.mean([placement_variance(*sides) for sides in strata]), method_5(mean, m))
        low, high = wilson(mean, k * mean * (1 - mean) / least if least > 0 else k * m)
    steps = []
    for first, second in strata:
        n = 2 * m
        tied = sum(size * (size - 1) for size in Counter(first + second).values())
        steps.append((1 - tied / (n * (n - 1))) / m**2)
    return mean, low, high, 2 * a12 - 1, 4 * variance / 2, float(np.mean(steps)) / k


def paired_t(differences, least, half_step):
    k = len(differences)
    if k < 2:
        return [None] * 4
    variance = max(np.var(differences, ddof=1), least)
    error, mean = math.sqrt(variance / k), differences.mean()
    reach = stats.t.ppf(0.975, k - 1) * error + half_step
    distance = abs(mean) - half_step
    p = 1.0 if distance < 1e-12 else 2 * stats.t.sf(distance / error, k - 1)
    return [max(mean - reach, -1.0), min(mean + reach, 1.0), p, variance]


def log_rank(strata):
    """The stratified test of Mantel; for a single stratum, the test of SciPy."""
    excess, variance = 0.0, 0.0
    for sides in strata:
        for time in sorted({time for side in sides for time, is_solved in side if is_solved}):
            at_risk = [sum(other >= time for other, _ in side) for side in sides]
            solved = [sum(other == time and is_solved for other, is_solved in side) for side in sides]
            n, d = sum(at_risk), sum(solved)
            excess += solved[0] - d * at_risk[0] / n
            variance += float(stats.hypergeom.stats(n, at_risk[0], d, moments="v")) if n > 1 else 0.0
    p = 1.0 if variance == 0 else float(stats.chi2.sf(excess**2 / variance, 1))
    if len(strata) == 1:
        censored = [stats.CensoredData.right_censored([time for time, _ in side], [not done for _, done in side]) for side in strata[0]]
        assert abs(stats.logrank(*censored).pvalue - p) < 1e-9
    return p


def data_set(kind, instances, runs, metric):
    first, second = qualities(kind, metric, instances)
    drawn = [[outcomes(metric, quality, runs) for quality in pair] for pair in zip(first, second)]
    strata = [[costs for costs, _ in sides] for sides in drawn]
    exact, normal, variance = permutation(strata)
    mean, low, high, differences, least, step = rates(strata) if metric == "success" else shares(strata, variance)
    p_log_rank = log_rank([[times for _, times in sides] for sides in drawn]) if metric == "evaluations" else None
    return [f"{kind} {instances} x {runs} {metric}", strata, [mean, low, high], [exact, normal], paired_t(differences, least, step), p_log_rank]


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, str):
        return value
    value = float(value)
    assert not math.isnan(value)
    if math.isinf(value):
        return None
    return int(value) if value == int(value) and abs(value) < 1e15 else float(f"{value:.13g}")


def main():
    designs = [("null", NULL, METRICS), ("power", POWER, METRICS), ("skewed", SKEWED, METRICS[:2])]
    rows = [data_set(kind, *shape, metric) for kind, shapes, metrics in designs for shape in shapes for metric in metrics]
    OUT.write_text("[\n" + ",\n".join(json.dumps(plain(row), separators=(",", ":")) for row in rows) + "\n]\n")
    print(f"{OUT.name}: {len(rows)} rows")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes the figures with which crates/statistics/tests/suite/statistics.rs compares our statistics.

    pip install scipy==1.17.1 statsmodels==0.15.0 mpmath==1.4.1
    python3 scripts/statistics_fixtures.py

The script writes crates/statistics/tests/suite/fixtures/*.json, with the same bytes every time. Each line is one row, numbers have 13 digits,
and `null` is an infinite number (an unsolved run). If no package has a method, this script computes it from its formula, independently of our
code.
"""

import json
import math
from pathlib import Path

import mpmath
import numpy as np
from scipy import optimize, stats
from statsmodels.stats import multitest, proportion

OUT = Path(__file__).parent.parent / "crates/statistics/tests/suite/fixtures"
Z = stats.norm.ppf(0.975)
RANDOM = np.random.default_rng(2016)
INF = float("inf")


def plain(value):
    """The value in a form that JSON can represent."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(item) for item in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    value = float(value)
    assert not math.isnan(value)
    if math.isinf(value):
        return None
    return int(value) if value == int(value) and abs(value) < 1e15 else float(f"{value:.13g}")


def write(name, rows):
    lines = ",\n".join(json.dumps(plain(row), separators=(",", ":")) for row in rows)
    (OUT / f"{name}.json").write_text(f"[\n{lines}\n]\n")
    print(f"{name}: {len(rows)} rows")


def size(largest=30):
    """A sample size, mostly small and sometimes large."""
    return int(RANDOM.integers(1, largest)) if RANDOM.random() > 0.03 else int(RANDOM.integers(60, 300))


def count():
    """A number of runs of any order of magnitude up to a million; small numbers are frequent."""
    return int(10 ** RANDOM.uniform(0, 6)) if RANDOM.random() < 0.4 else int(RANDOM.integers(1, 120))


def solved_among(n):
    """The number of solved runs among n runs; 0 and n are frequent."""
    kind = RANDOM.random()
    return 0 if kind < 0.1 else n if kind < 0.2 else int(RANDOM.binomial(n, RANDOM.random()))


def numbers(n, kind):
    """A sample: distinct, with ties, with unsolved runs, or all equal."""
    if kind == "distinct":
        return RANDOM.choice(10 * n + 10, n, replace=False).astype(float)
    if kind == "equal":
        return np.full(n, 7.0)
    sample = RANDOM.integers(0, max(3, n // 2), n).astype(float)
    if kind == "unsolved":
        sample[RANDOM.random(n) < 0.4] = INF
    return sample


KINDS = ["distinct", "distinct", "ties", "unsolved"]


def kinds(n):
    return [str(RANDOM.choice(KINDS)) for _ in range(n)] + ["equal"] * 5


def rates():
    """Solved, runs, then the Wilson interval."""
    for _ in range(300):
        n = count()
        solved = solved_among(n)
        yield [solved, n, *proportion.proportion_confint(solved, n, method="wilson")]


def differences():
    """The solved runs and runs of each configuration, and Newcombe's interval."""
    for _ in range(200):
        n, m = count(), count()
        s, t = solved_among(n), solved_among(m)
        ends = proportion.confint_proportions_2indep(s, n, t, m, method="newcomb", compare="diff")
        yield [s, n, t, m, max(ends[0], -1), min(ends[1], 1)]


def pairs():
    """Wins, losses, ties, and the interval of Bonett and Price."""
    for _ in range(200):
        n, ties = count(), count() if RANDOM.random() < 0.7 else 0
        wins = solved_among(n) if RANDOM.random() < 0.5 else int(RANDOM.binomial(n, 0.5))
        losses = n - wins
        all_pairs = n + ties + 2
        p, q = (wins + 1) / all_pairs, (losses + 1) / all_pairs
        half = Z * math.sqrt((p + q - (p - q) ** 2) / all_pairs)
        yield [wins, losses, ties, max(p - q - half, -1), min(p - q + half, 1)]


def predictions():
    """Solved, runs, further, seen, the two-sided p-value, and the central range of counts."""
    for _ in range(200):
        n, m = count(), int(RANDOM.integers(1, 120)) if RANDOM.random() < 0.8 else int(RANDOM.integers(120, 2000))
        solved, seen = solved_among(n), solved_among(m)
        # scipy 1.17.1 computes these probabilities to only ten digits if there are very many runs.
        weights = [mpmath.binomial(m, k) * mpmath.beta(k + solved + 0.5, m - k + n - solved + 0.5) for k in range(m + 1)]
        lower, upper = sum(weights[: seen + 1]) / sum(weights), sum(weights[seen:]) / sum(weights)
        law = stats.betabinom(m, solved + 0.5, n - solved + 0.5)
        yield [solved, n, m, seen, min(1, 2 * min(lower, upper)), law.ppf(0.025), law.ppf(0.975)]


def holm():
    """P-values, and the corrected ones."""
    for _ in range(200):
        p_values = RANDOM.random(size()) ** RANDOM.choice([1, 3, 8])
        if RANDOM.random() < 0.3:
            p_values = np.round(p_values, 1)
        p_values = [float(f"{p:.13g}") for p in p_values]
        yield [p_values, multitest.multipletests(p_values, method="holm")[1]]


def effect_interval(share, m, n):
    """The interval of A12: Newcombe 2006, part 2, method 5."""
    more = (m + n) / 2 - 1

    def distance(p, sign):
        variance = p * (1 - p) * (1 + more * (1 - p) / (2 - p) + more * p / (1 + p)) / (m * n)
        return sign * (share - p) - Z * math.sqrt(max(variance, 0))

    low = 0 if share == 0 else optimize.brentq(distance, 0, min(share, 1 - 1e-12), args=(1,), xtol=1e-15, rtol=1e-14)
    high = 1 if share == 1 else optimize.brentq(distance, max(share, 1e-12), 1, args=(-1,), xtol=1e-15, rtol=1e-14)
    return low, high


def mann_whitney():
    """Two samples, u, p, whether it is exact, A12 and the ends of its interval."""
    for kind in kinds(220):
        m, n = size(), size()
        both = numbers(m + n, kind)
        if RANDOM.random() < 0.3:
            both.sort()
        first, second = both[:m], both[m:]
        is_exact = len(set(both)) == m + n and max(m, n) < 50
        found = stats.mannwhitneyu(first, second, method="exact" if is_exact else "asymptotic")
        p = 1 if len(set(both)) == 1 else found.pvalue
        share = found.statistic / (m * n)
        low, high = effect_interval(share, m, n)
        yield [first, second, found.statistic, p, is_exact, share, low, high]


def friedman():
    """Blocks, mean ranks, the statistic and p."""
    for kind in kinds(200):
        n, k = int(RANDOM.integers(2, 25)), int(RANDOM.integers(3, 9))
        blocks = np.array([numbers(k, kind) for _ in range(n)])
        if RANDOM.random() < 0.3:
            blocks.sort(axis=1)
        ranks = np.array([stats.rankdata(block) for block in blocks])
        if (ranks == ranks[0, 0]).all():
            statistic, p = 0.0, 1.0
        else:
            statistic, p = stats.friedmanchisquare(*blocks.T)
        yield [blocks, ranks.mean(axis=0), statistic, p]


def critical_differences():
    """Treatments, blocks, and Nemenyi's critical difference."""
    for k in list(range(2, 51)) + [100]:
        n = int(RANDOM.integers(1, 100))
        yield [k, n, stats.studentized_range.ppf(0.95, k, np.inf) / math.sqrt(2) * math.sqrt(k * (k + 1) / (6 * n))]


def medians():
    """Numbers, their median, the ends of its interval, a share and the quantile there."""
    for kind in kinds(200):
        values = np.sort(numbers(size(), kind))
        n, share = len(values), round(float(RANDOM.random()), 3)
        place = share * (n - 1)
        low, high = values[math.floor(place)], values[math.ceil(place)]
        quantile = np.quantile(values, share) if math.isfinite(high) else low if place == int(place) else INF
        middle = values[n // 2] if n % 2 else (values[n // 2 - 1] + values[n // 2]) / 2
        order = stats.quantile_test(np.arange(n), q=0, p=0.5).confidence_interval(0.95)
        ends = [-INF, INF] if n < 6 else [values[int(order.low)], values[int(order.high)]]
        yield [values, middle, *ends, share, quantile]


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    makers = [rates, differences, pairs, predictions, holm, mann_whitney,
              friedman, critical_differences, medians]
    for make in makers:
        write(make.__name__, list(make()))


if __name__ == "__main__":
    main()

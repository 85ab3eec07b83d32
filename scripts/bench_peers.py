#!/usr/bin/env python3
"""Compares our programs with other programs on the same work on this machine, and writes docs/BENCHMARKS.md (`make bench-peers`).

    scripts/bench_peers.py [--rounds 6] [--quick] [--only PART_OF_A_TITLE]

scripts/peers/registry.py lists the comparisons. In each round every program runs once, and the ratio of a round is computed from the figures of
this round. `--only` measures a part again, and the page keeps the last figures of the other parts. `--quick` does a fiftieth of the work and does
not change the page. If another program is missing or fails, it is skipped, and the output and the page say so. The exit status is 1 if one of our
programs fails.
"""
import argparse
import datetime
import math
import os
import pathlib
import platform
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts/peers"))
from programs import BUILD, Skip, build, first_line, versions  # noqa: E402
from registry import HOW_TO_GET, benchmarks  # noqa: E402

COVERAGE = 0.95


def interval(ratios):
    """The order statistics around the median, and the probability that the median is between them: at least 95 %, or the highest possible."""
    n, ordered = len(ratios), sorted(ratios)
    coverage = lambda k: 1 - 2 * sum(math.comb(n, i) for i in range(k)) / 2**n
    k = max((k for k in range(1, n // 2 + 1) if coverage(k) >= COVERAGE), default=1)
    return ordered[k - 1], ordered[n - k], max(coverage(k), 0)


def figure(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def measure(benchmark, n_rounds):
    """The measurements of each program, as one list for each program, and the reasons for skipped programs."""
    programs = {program.name: program for program in [benchmark.ours, *benchmark.peers]}
    found, skipped = {name: [] for name in programs}, {}
    for number in range(n_rounds):
        names = list(found)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            if name in skipped:
                continue
            try:
                found[name].append(programs[name].run(number + 1))
            except Skip as reason:
                skipped[name] = str(reason)
                print(f"  SKIPPED {name}: {reason}", flush=True)
        print(f"  round {number + 1} of {n_rounds}", flush=True)
    for name in skipped:
        del found[name]
    return found, skipped


def table(benchmark, found, clock):
    """Rates and ratios by one clock."""
    rates = {name: [m["work"] / m[clock] for m in measured if m.get(clock)] for name, measured in found.items()}
    ours = rates[benchmark.ours.name]
    per = {"seconds": "CPU second", "wall": "second of wall time"}[clock]
    lines = [f"| program | {benchmark.unit} per {per} | ours / theirs | interval | differences |", "|---|---:|---:|---:|---|"]
    reasons = []
    for program in [benchmark.ours, *benchmark.peers]:
        if not rates.get(program.name):
            continue
        ratio, between = "", ""
        if program is not benchmark.ours:
            ratios = [our / their for our, their in zip(ours, rates[program.name])]
            low, high, _ = interval(ratios)
            median = statistics.median(ratios)
            ratio, between = f"**{figure(median)}**", f"{figure(low)} to {figure(high)}"
            if median < 1:
                reasons.append(f"Our program is slower than {program.name.removeprefix('ours, ')}: {program.below or 'we do not know the reason yet'}.")
        lines.append(f"| {program.name} | {figure(statistics.median(rates[program.name]))} | {ratio} | {between} | {program.differs} |")
    return lines + ["", *reasons, ""]


def counts(benchmark, found):
    """The requested and the observed numbers of evaluations in the last round."""
    lines = ["| program | requested evaluations | calls of the objective | CPU s | way of the request |", "|---|---:|---:|---:|---|"]
    for program in [benchmark.ours, *benchmark.peers]:
        if program.name in found:
            last = found[program.name][-1]
            lines.append(f"| {program.name} | {last['asked']:,} | {last['counted']:,} | {last['seconds']:.3g} | {program.differs} |")
    return lines + [""]


def gaps(benchmark, found):
    """Gaps, and their differences from our gaps."""
    lines = ["| program | mean gap, % | CPU s per instance | our gap is lower by | interval | differences |", "|---|---:|---:|---:|---:|---|"]
    reasons = []
    for program in [benchmark.ours, *benchmark.peers]:
        measured = found.get(program.name)
        if not measured:
            continue
        nearer = [theirs["gap"] - ours["gap"] for ours, theirs in zip(found[benchmark.ours.name], measured)]
        (low, high, _), median = interval(nearer), statistics.median(nearer)
        gap, seconds = (statistics.median(m[name] for m in measured) for name in ("gap", "seconds_each"))
        difference = " | " if program is benchmark.ours else f"**{median:+.3f}** | {low:+.3f} to {high:+.3f}"
        lines.append(f"| {program.name} | {gap:.3f} | {seconds:.3g} | {difference} | {program.differs} |")
        if median < 0:
            reasons.append(f"Our search has a larger gap than {program.name}: {program.below or 'we do not know the reason yet'}.")
    return lines + ["", *reasons, ""]


def section(benchmark, n_rounds):
    print(benchmark.title, flush=True)
    load = os.getloadavg()[0]
    commit = first_line("git", "-C", str(ROOT), "describe", "--always", "--exclude=*")
    found, skipped = measure(benchmark, n_rounds)
    if benchmark.ours.name in skipped:
        print(f"skipped: {skipped[benchmark.ours.name]}")
        return [f"## {benchmark.title}", "", f"Skipped here: {skipped[benchmark.ours.name]}", ""]
    when = f"{n_rounds} rounds, {datetime.date.today()}, commit {commit}; load average {load:.1f} before, {os.getloadavg()[0]:.1f} after."
    lines = [f"## {benchmark.title}", "", f"{benchmark.work} ({when})", ""]
    if benchmark.kind == "rates":
        for clock in benchmark.clocks:
            lines += table(benchmark, found, clock)
    else:
        lines += {"counts": counts, "gaps": gaps}[benchmark.kind](benchmark, found)
    if benchmark.is_same_best:
        bests = {measured["best"] for all_measured in found.values() for measured in all_measured}
        assert len(bests) == 1, f"the programs found different bests: {bests}"
        lines += [f"All programs find the same best value: {bests.pop()}.", ""]
    return lines + [line for name, reason in skipped.items() for line in (f"Skipped here: {name}: {reason}", "")]


def header(n_rounds):
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    coverage = " or ".join(f"{100 * interval(range(n))[2]:.1f} % ({n} rounds)" for n in sorted({5, 6, n_rounds}))
    return [
        "# Comparison with other programs",
        "",
        "<!-- Written by `make bench-peers`; do not edit. -->",
        "",
        "Our programs and other programs do the same work on one machine. The programs take turns. Each program uses one thread; exceptions are"
        " noted. Figures are medians over the rounds. A ratio compares our program with another program. The ratio is above 1 if our"
        " program does more in the same time. The table has the median of the ratios of all rounds."
        " In each row, the column \"interval\" contains two ratios."
        f" The true median lies between the two ratios with a probability of {coverage}. This probability comes from order statistics."
        " CPU time is user and system time. For `runner run`, the CPU time includes the start and the journal. The other programs (peers)"
        " measure their own CPU time. The CPU time of a peer excludes its start and its imports; exceptions are noted. If the"
        " load is above the number of cores, the machine did other work at the same time, and only the ratios are meaningful.",
        "",
        f"{model}, {os.cpu_count()} cores; {platform.system()} {platform.release()}; {first_line('rustc', '--version')};"
        f" {first_line('gcc', '--version')}; Python {platform.python_version()}. Peers: {versions()}.",
        "",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    build()
    everything = benchmarks(50 if options.quick else 1)
    target = BUILD / "BENCHMARKS.md" if options.quick else ROOT / "docs/BENCHMARKS.md"
    earlier = re.split(r"^(?=## )", target.read_text(), flags=re.MULTILINE) if target.exists() else []
    sections = {text.split("\n", 1)[0].removeprefix("## "): text for text in earlier}
    for benchmark in everything:
        if options.only.lower() not in benchmark.title.lower():
            continue
        sections[benchmark.title] = "\n".join(section(benchmark, options.rounds)) + "\n"
        # Written immediately, so an interruption keeps the measured figures.
        there = [sections[benchmark.title] for benchmark in everything if benchmark.title in sections]
        page = "\n".join([*header(options.rounds), *there, "## Programs without a registry, and programs that are not compared", "", *HOW_TO_GET, ""])
        target.write_text(re.sub(r"\n{3,}", "\n\n", page))
    print(f"written: {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

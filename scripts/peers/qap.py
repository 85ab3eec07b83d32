#!/usr/bin/env python3
"""How fast the loop of robust tabu search is beside a plain C program of the same loop: `qap_deltas.c` in its two forms.

The programs take turns; figures are iterations a second of CPU time, the ratio is that of the medians. All must find the same cost.
Run it from anywhere: python3 scripts/peers/qap.py [ROUNDS]
"""
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ITERATIONS = {50: 200_000, 100: 50_000}


def bench_binary():
    """Builds the benchmark and returns its path."""
    command = ["cargo", "bench", "--package", "evogrid-problems", "--bench", "qap", "--no-run", "--message-format=json"]
    lines = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    messages = [json.loads(line) for line in lines if line.startswith("{")]
    return [m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == "qap"][-1]


def run(command):
    """The CPU seconds of a command, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, printed


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        peer = os.path.join(folder, "qap_deltas")
        subprocess.run(["gcc", "-O3", "-o", peer, str(ROOT / "scripts/peers/qap_deltas.c")], check=True)
        bench = bench_binary()
        for n, iterations in ITERATIONS.items():
            arguments = [str(n), str(iterations)]
            commands = {
                "ours": [bench, "--loop", *arguments],
                "C, rows": [peer, "rows", *arguments],
                "C, textbook": [peer, "textbook", *arguments],
            }
            speeds, found = {name: [] for name in commands}, set()
            for _ in range(rounds):
                for name, command in commands.items():
                    seconds, printed = run(command)
                    speeds[name].append(iterations / seconds)
                    found.add(printed)
            assert len(found) == 1, f"the programs differ: {found}"
            ours = statistics.median(speeds["ours"])
            for name, values in speeds.items():
                speed = statistics.median(values)
                print(f"n = {n:3}  {name:12} {speed:10.0f} iterations/s  ours is {ours / speed:.2f} of it")


if __name__ == "__main__":
    main()

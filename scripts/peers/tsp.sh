#!/usr/bin/env bash
# Local optima of 2-opt and Or-opt, ours beside a plain C program that finds the same: rounds in alternation. Each line is the length of
# the optimum, the milliseconds of processor time that one takes (the median) and the moves judged.
#
#   scripts/peers/tsp.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/../.."
rounds=${1:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -O3 -o "$work/peer" scripts/peers/tsp_two_opt.c -lm
for round in $(seq "$rounds"); do
    echo "round $round, ours:"
    TSP_ROUNDS=200 cargo bench --quiet -p evogrid-problems --bench tsp
    echo "round $round, C:"
    "$work/peer" 1000 1000 2000
    "$work/peer" 10000 10000 200
done

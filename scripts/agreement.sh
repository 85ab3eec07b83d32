#!/usr/bin/env bash
# Tests whether the exact methods agree. Serial and parallel backtracking must agree to the node on 1,000 boards of a CSV file (columns
# id,bucket,puzzle). The two must agree with the bitmask solver, MILP and SAT on 50 of these boards.
#
#     scripts/agreement.sh BOARDS.csv [BOARDS] [WITH_MILP]
set -euo pipefail
boards=$(realpath "${1:?usage: scripts/agreement.sh BOARDS.csv [BOARDS] [WITH_MILP]}")
cd "$(dirname "$0")/.."
exec cargo run --release --locked --quiet -p evogrid-solvers --example agreement -- "$boards" "${@:2}"

#!/usr/bin/env bash
# Do the exact methods agree? Serial and parallel backtracking on 1,000 boards of a CSV (columns id,bucket,puzzle), to the node;
# and both with the bitmask solver, MILP and SAT on 50 of them.
#
#     scripts/agreement.sh BOARDS.csv [BOARDS] [WITH_MILP]
set -euo pipefail
boards=$(realpath "${1:?usage: scripts/agreement.sh BOARDS.csv [BOARDS] [WITH_MILP]}")
cd "$(dirname "$0")/.."
exec cargo run --release --locked --quiet -p evogrid-solvers --example agreement -- "$boards" "${@:2}"

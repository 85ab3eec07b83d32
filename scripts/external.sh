#!/bin/sh
# Runs the examples of experiments/external, verifies their results and tests their programs. If a package is not installed, its example is
# skipped with a message. `pip install ioh cma deap` in a virtual environment installs all packages. RUNNER=path uses this binary.
set -eu
cd "$(dirname "$0")/.."
runner=${RUNNER:-target/release/runner}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

mkdir -p target/external
cc -O2 -Wall -Wextra -Werror -o target/external/bits experiments/external/bits.c

example() {
    name=$1
    shift
    for package in "$@"; do
        if ! python3 -c "import $package" 2> /dev/null; then
            echo "skipped: $name needs the Python package $package, which is not installed"
            return
        fi
    done
    echo "== $name"
    "$runner" external test "experiments/external/$name.toml"
    "$runner" run "experiments/external/$name.toml" --out "$out/$name" --quiet
    "$runner" verify --run-programs --sample 10 "$out/$name"
}

example c
example theory
example pbo ioh numpy
example bbob cma ioh numpy
example deap deap

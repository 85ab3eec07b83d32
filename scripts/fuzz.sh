#!/usr/bin/env bash
# Fuzzes what reads files: `scripts/fuzz.sh [SECONDS] [TARGET...]`, every target for 600 seconds unless something else is said. Each
# begins with its corpus; new inputs go to fuzz/found, which git ignores, and are taken up again the next time. SEED=N makes a run
# of one and the same corpus begin alike. fuzz/README.md says more.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
seconds=${1:-600}
shift $(($# > 0))
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || mapfile -t targets < <(basename --suffix=.rs --multiple targets/*.rs)

command -v "${CXX:-c++}" > /dev/null || { echo "skipped: libFuzzer is C++, and there is no compiler for it: install g++, say" >&2; exit 77; }

# What cargo-fuzz passes, but for the address sanitizer: that needs a nightly compiler, and nothing in the workspace is unsafe. With
# a target named, build scripts and macros stay as they are.
flags="--cfg fuzzing -Cpasses=sancov-module"
for option in level=4 inline-8bit-counters pc-table trace-compares; do
    flags+=" -Cllvm-args=-sanitizer-coverage-$option"
done
host=$(rustc --version --verbose | sed -n 's/^host: //p')
RUSTFLAGS=$flags cargo build --release --locked --quiet --target "$host" "${targets[@]/#/--bin=}"
built=${CARGO_TARGET_DIR:-target}/$host/release

scratch=$(mktemp --directory --tmpdir=/dev/shm 2> /dev/null || mktemp --directory)
trap 'rm -rf "$scratch"' EXIT
# One thread, so that an input does the same every time.
export TMPDIR=$scratch RAYON_NUM_THREADS=1 RUST_BACKTRACE=1
for target in "${targets[@]}"; do
    mkdir -p "found/$target"
    limits=(-max_total_time="$seconds" -timeout=60 -rss_limit_mb=512 -max_len=4096 ${SEED:+-seed="$SEED"})
    [[ ! -f dictionaries/$target.txt ]] || limits+=(-dict="dictionaries/$target.txt")
    # No input starts a program: none is found.
    if ! PATH=/dev/null "$built/$target" "${limits[@]}" -print_final_stats=1 -artifact_prefix="found/$target-" "found/$target" "corpus/$target" \
        > "$scratch/log" 2>&1; then
        # What a panic says holds the input.
        tail --lines=60 "$scratch/log" | cat --show-nonprinting
        input=$(sed -n 's/.*Test unit written to //p' "$scratch/log" | tail --lines=1)
        echo "error: $target: a finding, which stands above; repeat it in fuzz/ with" >&2
        echo "  $built/$target ${input:-FILE}" >&2
        exit 1
    fi
    awk -v target="$target" '/^Done/ { runs = $2; seconds = $5 } /^stat::peak_rss_mb/ { memory = $2 }
        / cov: / { for (at = 1; at < NF; at++) { if ($at == "cov:") edges = $(at + 1); if ($at == "corp:") inputs = $(at + 1) } }
        END { printf "%-10s  %9d executions  %4d s  %5d edges  %5d inputs  %3d MB, nothing found\n",
            target, runs, seconds, edges, inputs, memory }' "$scratch/log"
done

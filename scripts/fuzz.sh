#!/usr/bin/env bash
# Fuzzes the readers of files: `scripts/fuzz.sh [SECONDS] [TARGET...]`. The default is every target for 600 seconds. Each target begins with its
# corpus. New inputs go to fuzz/found, which git ignores, and the next call uses them again. With SEED=N, runs with the same corpus begin in the
# same way. fuzz/README.md has more.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
seconds=${1:-600}
shift $(($# > 0))
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || mapfile -t targets < <(basename --suffix=.rs --multiple targets/*.rs)

command -v "${CXX:-c++}" > /dev/null || { echo "skipped: libFuzzer is C++, and there is no compiler for it: install g++, say" >&2; exit 77; }

# The flags of cargo-fuzz, without the address sanitizer: it needs a nightly compiler, and the workspace has no unsafe code. The target is
# named, so the flags do not apply to build scripts and macros.
flags="--cfg fuzzing -Cpasses=sancov-module"
for option in level=4 inline-8bit-counters pc-table trace-compares; do
    flags+=" -Cllvm-args=-sanitizer-coverage-$option"
done
host=$(rustc --version --verbose | sed -n 's/^host: //p')
RUSTFLAGS=$flags cargo build --release --locked --quiet --target "$host" "${targets[@]/#/--bin=}"
built=${CARGO_TARGET_DIR:-target}/$host/release

scratch=$(mktemp --directory --tmpdir=/dev/shm 2> /dev/null || mktemp --directory)
trap 'rm -rf "$scratch"' EXIT
# One thread, so an input has the same effect every time.
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

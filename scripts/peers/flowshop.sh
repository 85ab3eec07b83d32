#!/usr/bin/env bash
# Insertion positions per second, ours against a plain C program of the same loop: alternating rounds, then the median of the ratios.
# Both figures are those of the fastest pass over all jobs, which other processes disturb least.
#
#   scripts/peers/flowshop.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/../.."
rounds=${1:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -O3 -o "$work/peer" scripts/peers/flowshop_insertion.c
bench=(cargo bench --quiet -p evogrid-problems --bench flowshop -- insertions_makespan)
"${bench[@]}" >/dev/null 2>&1

# Million items a second, the first figure of a line such as `178.5 Mitem/s │ 40.65 Mitem/s │ 177 Mitem/s │ ...`.
ours() {
    awk '/item\/s/ {
        match($0, /[0-9.]+ [GMK]item/)
        split(substr($0, RSTART, RLENGTH), figure, " ")
        scale = figure[2] ~ /^G/ ? 1000 : figure[2] ~ /^M/ ? 1 : 0.001
        print figure[1] * scale
    }' "$1"
}

for round in $(seq "$rounds"); do
    "${bench[@]}" >"$work/ours" 2>/dev/null
    "$work/peer" 1 >"$work/theirs"
    paste -d' ' <(ours "$work/ours") <(awk '{ print $1, $5 / 1e6 }' "$work/theirs") |
        awk -v round="$round" '{ printf "round %d, %s: ours %.1f, C %.1f million positions/s, ratio %.2f\n", round, $2, $1, $3, $1 / $3 }' |
        tee -a "$work/rounds"
done
for size in 20x5 100x20; do
    median=$(awk -v size="$size:" '$3 == size { print $NF }' "$work/rounds" | sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }')
    echo "$size: median ratio $median"
done

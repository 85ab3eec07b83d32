#!/usr/bin/env bash
# Stops the cluster that start.sh started, and removes its folder. Does not change another Slurm.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/environment.sh"
[[ -e $SLURM_CONF ]] || exit 0

no_jobs_are_left() { [[ -z $(timeout 5 squeue --noheader 2> /dev/null) ]]; }

if daemon_process slurmctld > /dev/null; then
    timeout 10 scancel --user="$(id -un)" 2> /dev/null || true
    until_true 15 no_jobs_are_left || echo "jobs were still there when the cluster was stopped" >&2
fi
processes=()
for file in "$CLUSTER"/run/*.pid; do
    process=$(daemon_process "$(basename "$file" .pid)") && processes+=("$process")
done
kill "${processes[@]}" 2> /dev/null || true
for process in "${processes[@]}"; do
    until_true 10 test ! -d "/proc/$process" || kill -KILL "$process"
done
rm -rf "$CLUSTER"

#!/usr/bin/env bash
# Stops what start.sh started, and removes its folder. Touches no other Slurm.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/environment.sh"
[[ -e $SLURM_CONF ]] || exit 0

no_jobs_are_left() { [[ -z $(timeout 5 squeue --noheader 2> /dev/null) ]]; }

end() {
    local process
    process=$(daemon_process "$1") || return 0
    kill "$process"
    until_true 10 test ! -d "/proc/$process" || kill -KILL "$process"
}

if daemon_process slurmctld > /dev/null; then
    timeout 10 scancel --user="$(id -un)" 2> /dev/null || true
    until_true 15 no_jobs_are_left || echo "jobs were still there when the cluster was stopped" >&2
fi
for file in "$CLUSTER"/run/slurmd-*.pid "$CLUSTER"/run/slurmctld.pid "$CLUSTER"/run/munged.pid; do
    end "$(basename "$file" .pid)"
done
rm -rf "$CLUSTER"

# Where the test cluster lives, and how its commands find it. Sourced by the other scripts, and by whoever wants to look:
#   . scripts/slurm/environment.sh && squeue
# shellcheck shell=bash
CLUSTER=${EVOGRID_SLURM:-${TMPDIR:-/tmp}/evogrid-slurm}
export SLURM_CONF=$CLUSTER/slurm.conf
export PATH=$PATH:/usr/sbin

# The process whose id is in a daemon's file, if it still runs. An id alone proves nothing: it may have been given to another.
daemon_process() {
    local process
    process=$(cat "$CLUSTER/run/$1.pid" 2>/dev/null) || return 1
    [[ $(cat "/proc/$process/comm" 2>/dev/null) == "${1%%-*}" ]] && echo "$process"
}

# Waits until a command succeeds: `until_true SECONDS COMMAND...`. The seconds bound the wait; no result depends on how many it takes.
until_true() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.2
    done
}

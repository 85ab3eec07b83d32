# The place of the test cluster, and the variables by which its commands find it. The other scripts source this file. To look at the cluster:
#   . scripts/slurm/environment.sh && squeue
# shellcheck shell=bash
CLUSTER=${EVOGRID_SLURM:-${TMPDIR:-/tmp}/evogrid-slurm}
export SLURM_CONF=$CLUSTER/slurm.conf
export PATH=$PATH:/usr/sbin

# The process whose id is in a daemon's file, if the process still runs. An id alone is not enough, because another process may have it now.
daemon_process() {
    local process
    process=$(cat "$CLUSTER/run/$1.pid" 2>/dev/null) || return 1
    [[ $(cat "/proc/$process/comm" 2>/dev/null) == "${1%%-*}" ]] && echo "$process"
}

# Waits until a command succeeds: `until_true SECONDS COMMAND...`. The seconds limit the wait; no result depends on the length of the wait.
until_true() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.2
    done
}

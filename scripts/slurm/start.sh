#!/usr/bin/env bash
# Starts a real Slurm on this machine: a controller and two nodes, without systemd and without cgroups. Installs missing Debian packages
# if CI=true. Does not change a cluster that already runs. Exit status 77, with the reason, if Slurm cannot run here.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/environment.sh"

readonly NODES=2 CPUS=2 PORT=${EVOGRID_SLURM_PORT:-27900}
readonly DAEMONS=(munged slurmctld slurmd sbatch)

cannot() {
    echo "skipped: a Slurm of its own cannot be started here: $*" >&2
    exit 77
}

are_installed() { (($(command -v "${DAEMONS[@]}" | wc -l) == ${#DAEMONS[@]})); }

apt() { DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@"; }

install_slurm() {
    [[ ${CI:-} == true ]] || cannot "${DAEMONS[*]} are not all installed (slurmctld, slurmd, slurm-client, munge), and CI=true is not set, which would install them"
    command -v apt-get > /dev/null || cannot "${DAEMONS[*]} are not all installed, and there is no apt-get to install them"
    # Debian's packages would start daemons of their own; a policy that forbids it is theirs to obey.
    local policy=/usr/sbin/policy-rc.d
    if [[ ! -e $policy ]]; then
        printf '#!/bin/sh\nexit 101\n' > "$policy"
        chmod +x "$policy"
        trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    fi
    local packages=(slurmctld slurmd slurm-client munge) log=$CLUSTER/log/install.log
    echo "installing ${packages[*]}"
    if ! { apt update && apt install --yes --no-install-recommends "${packages[@]}"; } > "$log" 2>&1; then
        tail -n 5 "$log" >&2
        cannot "apt-get could not install ${packages[*]}; its last words are above"
    fi
}

write_configuration() {
    cat > "$SLURM_CONF" << CONFIGURATION
ClusterName=evogrid
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$PORT
SlurmUser=root
AuthType=auth/munge
# A requeued job waits until the credentials of its last start have expired; the default is two minutes.
AuthInfo=socket=$CLUSTER/munge/socket,cred_expire=5

StateSaveLocation=$CLUSTER/state
SlurmdSpoolDir=$CLUSTER/spool-%n
SlurmctldPidFile=$CLUSTER/run/slurmctld.pid
SlurmdPidFile=$CLUSTER/run/slurmd-%n.pid
SlurmctldLogFile=$CLUSTER/log/slurmctld.log
SlurmdLogFile=$CLUSTER/log/slurmd-%n.log

# No systemd, no cgroups, no database.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none

# Nodes may claim more cores than the machine has, and tasks share the cores.
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU

# Short waits for tests: look for work immediately, notice a dead node soon, accept a node when it returns.
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=1,bf_interval=2
SlurmdTimeout=10
ReturnToService=2
KillWait=10

PartitionName=main Nodes=node[1-$NODES] Default=YES MaxTime=INFINITE State=UP
CONFIGURATION
    for ((node = 1; node <= NODES; node++)); do
        echo "NodeName=node$node NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((PORT + node)) CPUs=$CPUS RealMemory=1000"
    done >> "$SLURM_CONF"
}

start_munge() {
    local key=$CLUSTER/munge/key
    [[ -s $key ]] || (umask 077 && head -c 128 /dev/urandom > "$key")
    # Forced: it dislikes to be root and to have its files outside /etc.
    munged --force --key-file="$key" --socket="$CLUSTER/munge/socket" --pid-file="$CLUSTER/run/munged.pid" \
        --log-file="$CLUSTER/log/munged.log" --seed-file="$CLUSTER/munge/seed"
}

all_nodes_are_up() {
    (($(sinfo --noheader --Node --states=idle,alloc,mix --format=%N 2> /dev/null | sort -u | wc -l) == NODES))
}

[[ $(id -u) == 0 ]] || cannot "only root can start its daemons"
mkdir -p "$CLUSTER"/{log,munge,run,state}
chmod 755 "$CLUSTER" "$CLUSTER/munge"
are_installed || install_slurm
daemon_process slurmctld > /dev/null || write_configuration
daemon_process munged > /dev/null || start_munge
daemon_process slurmctld > /dev/null || slurmctld
for ((node = 1; node <= NODES; node++)); do
    daemon_process "slurmd-node$node" > /dev/null || slurmd -N "node$node"
done
until_true 30 all_nodes_are_up || {
    tail -n 20 "$CLUSTER"/log/*.log >&2
    cannot "its nodes do not come up; the logs are above"
}
echo "$(slurmctld -V), $NODES nodes of $CPUS CPUs, in $CLUSTER"

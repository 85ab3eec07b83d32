#!/usr/bin/env bash
# Tests `runner slurm` on a real Slurm: arrays without faults, and the faults of a cluster. Each scenario ends with a `runs.csv` that is equal
# to the byte, except for its two timing columns, to the `runs.csv` of one process on one machine. `RUNNER=path` tests this binary; without
# RUNNER the release binary is built. Exit status 77, with the reason, if Slurm cannot run here.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/environment.sh"
cd "$here/../.."

readonly SHARDS=4
# Long enough for a fault during a running task: about three seconds of one core for each shard.
readonly EXPERIMENT=(experiments/popsize.toml --set "experiment.repetitions=${EVOGRID_SLURM_REPETITIONS:-40}")
# A name that a faulty script cannot handle.
scratch=$(mktemp -d)
readonly scratch

clean_up() {
    local status=$?
    if ((status != 0 && status != 77)); then
        echo "FAILED; the last lines of every log:" >&2
        tail -n 8 "$CLUSTER"/log/slurm*.log "$scratch"/*/slurm/logs/*.log >&2 || true
    fi
    # What was frozen, or outlived its node, is no job that Slurm could end.
    pgrep --full -- "--out $scratch/" | xargs --no-run-if-empty kill -KILL 2> /dev/null || true
    "$here/stop.sh"
    rm -rf "$scratch"
}

fail() {
    echo "$*" >&2
    exit 1
}

# --- Output of Slurm -------------------------------------------------------------------------------------------------------------

# `field JOB NAME`: one field of a job, or of a task (`12_3`).
field() { scontrol --oneliner show job "$1" | grep --only-matching --max-count=1 " $2=[^ ]*" | cut -d= -f2; }

is_in_state() { [[ $(field "$1" JobState) =~ ^($2)$ ]]; }

# `wait_for STATES JOB`: waits until a job is in one of the states, which are written as `FAILED|CANCELLED`.
wait_for() {
    until_true 120 is_in_state "$2" "$1" || fail "job $2 was to be $1, and is $(field "$2" JobState)"
}

# --- A scenario ------------------------------------------------------------------------------------------------------------------

# `begin NAME [OPTION...]`: submits the experiment. Sets `out`, and the ids `array` and `merge`.
begin() {
    out=$scratch/$1
    began=$SECONDS
    local told
    told=$("$RUNNER" slurm "${EXPERIMENT[@]}" --shards "$SHARDS" --out "$out" --time 10 --submit "${@:2}")
    array=$(sed -n 's/^submitted: array \([0-9]*\), then merge [0-9]*$/\1/p' <<< "$told")
    merge=$(sed -n 's/^submitted: array [0-9]*, then merge \([0-9]*\)$/\1/p' <<< "$told")
    [[ $array && $merge ]] || fail "no ids in: $told"
}

# `resubmit SHARDS`: checks that these shards are missing, and submits them again, with the merge after them.
resubmit() {
    local missing
    missing=$("$RUNNER" missing "$out" --shards "$SHARDS" 2> /dev/null)
    [[ $missing == "$1" ]] || fail "the shards $1 were to be missing, not \`$missing\`"
    array=$(sbatch --parsable --array="$missing" "$out/slurm/array.sbatch")
    merge=$(sbatch --parsable --dependency="afterany:$array" "$out/slurm/merge.sbatch")
}

# `merged STATUS`: the merge must end with this status.
merged() {
    wait_for 'COMPLETED|FAILED|CANCELLED|NODE_FAIL|TIMEOUT' "$merge"
    [[ $(field "$merge" ExitCode) == "$1:0" ]] || fail "the merge ended with $(field "$merge" ExitCode), not $1:0"
}

merge_says() {
    grep --quiet "$1" "$out/slurm/logs/merge-$merge.log" || fail "the merge did not say \`$1\`"
}

without_times() { sed 's/,[^,]*,[^,]*$//' "$1/runs.csv"; }

# `done_with WHAT`: the rows must be equal to the rows of one machine.
done_with() {
    cmp <(without_times "$out") <(without_times "$scratch/alone") || fail "runs.csv is not that of one machine"
    echo "ok: $1 ($((SECONDS - began)) s)"
}

# --- Processes of a task ----------------------------------------------------------------------------------------------------------

# The processes of a shard: one, or two if Slurm has lost contact with the first. `exec` has replaced the shell by the process.
processes_of() { pgrep --full -- "--out $out --shard $1/$SHARDS\$"; }

has_finished_runs() {
    local process file
    process=$(processes_of "$1") || return 1
    for file in "/proc/$process/fd/"*; do
        file=$(readlink "$file") || continue
        [[ $file == *.jsonl && -s $file ]] && return 0
    done
    return 1
}

# `freeze SHARD`: stops its process during its runs, so a fault finds the process alive. Sets `victim`.
freeze() {
    until_true 60 has_finished_runs "$1" ||
        fail "shard $1 was over before it was met; more EVOGRID_SLURM_REPETITIONS (40) make it last longer"
    victim=$(processes_of "$1")
    kill -STOP "$victim"
}

is_gone() { [[ ! -d /proc/$1 ]]; }

# `kill_daemon_of NODE`: Slurm loses contact with the node, but the tasks of the node continue.
kill_daemon_of() {
    local daemon
    daemon=$(daemon_process "slurmd-$1")
    kill -KILL "$daemon"
    until_true 10 is_gone "$daemon"
}

# `kill_node NODE`: kills the daemon and all tasks of the node.
kill_node() {
    local shard process
    kill_daemon_of "$1"
    for shard in $(squeue --noheader --nodelist="$1" --states=running --format=%K); do
        process=$(processes_of "$shard")
        # The keeper of the task first: it would tell that the task has ended.
        kill -KILL "$(ps -o ppid= --pid "$process" | tr -d ' ')"
        kill -KILL "$process"
    done
}

# --- The scenarios ---------------------------------------------------------------------------------------------------------------

all_goes_well() {
    begin "plain, \"100%\" of it's shards"
    merged 0
    done_with "an array and its merge, in a folder with an awkward name"
}

a_task_fails() {
    begin failed --setup "test \"\${SLURM_ARRAY_TASK_ID:-}\" != 2 || test -e '$scratch/mended'"
    wait_for FAILED "${array}_2"
    merged 1
    merge_says '^error: [0-9,]* of [0-9,]* runs missing'
    touch "$scratch/mended"
    resubmit 2
    merged 0
    done_with "a task that fails: the merge runs, says what is missing, and that is submitted again"
}

a_task_is_killed() {
    begin killed
    freeze 3
    kill -KILL "$victim"
    wait_for FAILED "${array}_3"
    scontrol requeue "${array}_3"
    merged 0
    [[ $(field "${array}_3" Restarts) == 1 ]] || fail "the killed task was to be started again"
    done_with "a task killed by SIGKILL and requeued"
}

tasks_are_told_to_end() {
    begin told
    freeze 1
    local first=$victim
    freeze 2
    scancel --batch --signal=TERM "${array}_1"
    kill -CONT "$first"
    wait_for FAILED "${array}_1"
    [[ $(field "${array}_1" ExitCode) == 143:0 ]] || fail "a task told to end ended with $(field "${array}_1" ExitCode)"
    scancel "${array}_2"
    wait_for CANCELLED "${array}_2"
    grep --quiet '^interrupted: ' "$out/slurm/logs/${array}_2.log" || fail "the cancelled task did not say goodbye"
    merged 1
    local journal
    for journal in "$out"/journal/*.jsonl; do
        [[ -z $(tail -c 1 "$journal") ]] || fail "$journal ends in the middle of a line"
    done
    resubmit 1-2
    merged 0
    done_with "SIGTERM as at a time limit, and scancel: status 143, whole journals, gone on with"
}

a_node_dies() {
    begin node
    freeze 1
    local node
    node=$(field "${array}_1" BatchHost)
    kill_node "$node"
    merged 0
    [[ $(field "${array}_1" Restarts) == 1 && $(field "${array}_1" BatchHost) != "$node" ]] ||
        fail "the task was to be started again on another node"
    done_with "a node that dies with its tasks: they start again on the other"
    "$here/start.sh" > /dev/null
}

the_brain_is_split() {
    begin split
    freeze 1
    local first=$victim node
    node=$(field "${array}_1" BatchHost)
    kill_daemon_of "$node"
    scontrol update nodename="$node" state=down reason="a test"
    until_true 120 has_two_processes 1 || fail "shard 1 was to start again while it lives on"
    kill -CONT "$first"
    merged 0
    until_true 120 is_gone "$first" || fail "the first process of shard 1 does not end"
    "$RUNNER" merge "$out" --quiet || fail "the folder does not merge again"
    local lines
    lines=$(cat "$out"/journal/*.jsonl | wc -l)
    (($(wc -l < "$out/runs.csv") - 1 < lines)) || fail "no run was done twice"
    done_with "a node taken for dead whose task lives on: two processes do one shard"
    "$here/start.sh" > /dev/null
}

has_two_processes() { (($(processes_of "$1" | wc -l) == 2)); }

# ---------------------------------------------------------------------------------------------------------------------------------

trap clean_up EXIT
"$here/stop.sh"
"$here/start.sh"
if [[ -z ${RUNNER:-} ]]; then
    cargo build --release --locked --quiet
    RUNNER=${CARGO_TARGET_DIR:-target}/release/runner
fi
"$RUNNER" run "${EXPERIMENT[@]}" --out "$scratch/alone" --quiet > /dev/null
all_goes_well
a_task_fails
a_task_is_killed
tasks_are_told_to_end
a_node_dies
the_brain_is_split
echo "Slurm: all scenarios passed ($SECONDS s)"

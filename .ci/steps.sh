# How checks are run, timed and summed up; sourced by .ci/run. Nothing is installed unless CI=true.

names=() seconds=() skipped=() n_begun=0
work=$(mktemp -d)

installs() { [ "${CI:-}" = true ]; }
has() { command -v "$1" > /dev/null; }

# `skip NAME WHY`: a check that is left out; the summary says so.
skip() {
    printf '\n== %s: skipped: %s\n' "$1" "$2"
    skipped+=("$1: $2")
}

# `step NAME COMMAND...`: a check. Status 77 says that it cannot be made here; what begins with `skipped:` says why.
step() {
    local name=$1 log=$work/step-$((n_begun++)).log status begun=$SECONDS
    shift
    printf '\n== %s: %s\n' "$name" "$*"
    # A function stops at its first failure only where nothing asks for its status.
    set +e
    (
        set -e
        "$@"
    ) 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    set -e
    settle "$name" "$log" "$status" "$((SECONDS - begun))"
}

settle() {
    local why
    case $3 in
    0) while read -r why; do skipped+=("$1: $why"); done < <(sed -n 's/^skipped: //p' "$2") ;;
    77)
        why=$(sed -n 's/^skipped: //p' "$2" | tail -n 1)
        skip "$1" "${why:-it cannot be made here}"
        return
        ;;
    *)
        printf '\nFAILED: %s (status %s)\n' "$1" "$3"
        exit 1
        ;;
    esac
    names+=("$1") seconds+=("$4")
}

# `aside NAME COMMAND...`: the same beside the next steps, until `join_asides`. For what waits more than it computes, and builds nothing.
aside_names=() aside_processes=() aside_logs=()
aside() {
    local name=$1 log=$work/aside-$((n_begun++)).log
    shift
    (
        begun=$SECONDS
        set +e
        (
            set -e
            "$@"
        ) > "$log" 2>&1
        status=$?
        echo "$((SECONDS - begun))" > "$log.seconds"
        exit "$status"
    ) &
    aside_names+=("$name") aside_processes+=("$!") aside_logs+=("$log")
}

join_asides() {
    local at status
    for at in "${!aside_names[@]}"; do
        status=0
        wait "${aside_processes[at]}" || status=$?
        printf '\n== %s (ran beside others)\n' "${aside_names[at]}"
        cat "${aside_logs[at]}"
        settle "${aside_names[at]}" "${aside_logs[at]}" "$status" "$(cat "${aside_logs[at]}.seconds")"
    done
    aside_names=() aside_processes=() aside_logs=()
}

# Ends a process and all that it started.
end() {
    local child
    for child in $(pgrep --parent "$1"); do end "$child"; done
    kill "$1" 2> /dev/null || true
}

# Ends what still runs, and says what was done, how long it took and what was left out.
finish() {
    local status=$? at
    for at in "${aside_processes[@]}"; do end "$at"; done
    printf '\n== Summary (%d min)\n' "$((SECONDS / 60))"
    for at in "${!names[@]}"; do
        printf '%5d s  %s\n' "${seconds[at]}" "${names[at]}"
    done
    for at in "${!skipped[@]}"; do
        printf 'skipped  %s\n' "${skipped[at]}"
    done
    rm -rf "$work"
    if [ "${is_complete:-}" = true ]; then echo "all checks passed but for what was skipped"; else echo "a check failed, or not all were made"; fi
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

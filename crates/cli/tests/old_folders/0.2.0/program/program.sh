# Fails on a board that begins with a free cell.
case "$1" in
    "3x3 ."*) echo "no idea after $2 looks" >&2; exit 3 ;;
    *) echo '{"stop": "exhausted", "evaluations": '"$2"', "best_fitness": 40}' ;;
esac

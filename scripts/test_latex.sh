#!/usr/bin/env bash
# Sets the tables of a small experiment, and of runs with hostile names, by LaTeX in one column and in two columns of text. No error may occur,
# and no table may be wider than its line or longer than its page. Exit status 77 if pdflatex is missing. RUNNER=path tests this binary.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v pdflatex > /dev/null || { echo "skipped: there is no pdflatex: on Debian, texlive-latex-base and texlive-latex-recommended"; exit 77; }
runner=$(realpath "${RUNNER:-target/release/runner}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$runner" run experiments/popsize.toml --set experiment.repetitions=1 --set budget.evaluations=2000 --quiet --out "$work/popsize"
# 16 settings with long names, and 3 instances. Names contain all signs with a meaning in LaTeX, and 90 letters without a space.
mkdir "$work/hostile"
awk 'BEGIN {
    long = "a_name"; while (length(long) < 90) long = long "OfLettersWithoutAnEnd"
    print "algorithm,a_b%c&d#e^f~g\\h{i}$j,second.setting--with/a:long;name,third,fourth,instance,bucket,repetition,solved,evaluations"
    for (run = 0; run < 192; run++)
        printf "%s,%s,%s,%d,%d,i%d,%s,%d,%d,%d\n", run % 2 ? long : "\"[opt]*\"\"q\"\"<naïve>\"", int(run / 2) % 2 ? "\\x_%&#^~" : "|`--|",
            int(run / 4) % 2 ? "combined(rate=0.123456789;elite=3)" : "b", int(run / 8) % 2, 1, int(run / 16) % 3,
            int(run / 16) % 3 ? "50%_<b>" : "é-" long, int(run / 48), run * run % 7 < 3, 10 ^ (run % 8)
}' > "$work/hostile/runs.csv"

cd "$work"
failed=0
for results in popsize hostile; do
    "$runner" table $results --format latex > $results-table.tex 2> /dev/null
    "$runner" table $results --format latex --layout long > $results-long.tex 2> /dev/null
    "$runner" compare $results --format latex > $results-compare.tex 2> /dev/null
    "$runner" compare $results --metric evaluations --format latex > $results-evaluations.tex 2> /dev/null
    for table in $results-*.tex; do
        for columns in onecolumn twocolumn; do
            name=${table%.tex}.$columns
            printf '\\documentclass[%s]{article}\n\\usepackage{array,booktabs}\n\\begin{document}\nText.\n\\input{%s}\n\\end{document}\n' \
                $columns "$table" > "$name.tex"
            if ! pdflatex -interaction=nonstopmode -halt-on-error "$name.tex" > /dev/null || grep -qE 'Overfull|Float too large' "$name.log"; then
                failed=1
                echo "$name:"
                grep -E -A 3 '^!|Overfull|Float too large' "$name.log" | head -n 12
            fi
            rm "$name.tex"
        done
    done
done
n=$(ls ./*.log | wc -l)
[ $failed = 0 ] && echo "$n documents: no error, nothing over a line or a page"
exit $failed

#!/bin/sh
# Makes a PDF from study.toml: does the missing runs of the experiment, draws its charts, prints its tables and numbers, and sets paper.tex. All files
# are made in one folder, by default results/study. Exit status 77 if pdflatex is missing. RUNNER=path uses this binary.
set -eu
cd "$(dirname "$0")/../.."
out=${1:-results/study}
runner=${RUNNER:-target/release/runner}

"$runner" run experiments/study/study.toml --quiet --out "$out/results"
mkdir -p "$out/paper"
cp experiments/study/paper.tex "$out/paper/"
"$runner" answer "$out/results" --format latex > "$out/paper/numbers.tex"
"$runner" table "$out/results" --rows bucket --columns removed --format latex > "$out/paper/classes.tex"
"$runner" effects "$out/results" --format latex > "$out/paper/effects.tex"
"$runner" plot "$out/results" --chart main-effects --chart gap --chart convergence --format pdf --width 150 --no-notes --out "$out/paper" 2> "$out/paper/plot.notes"

command -v pdflatex > /dev/null || { echo "skipped: there is no pdflatex: on Debian, texlive-latex-base and texlive-latex-recommended"; exit 77; }
cd "$out/paper"
for pass in 1 2; do
    pdflatex -interaction=nonstopmode -halt-on-error paper.tex > paper.out || { tail -n 20 paper.out; exit 1; }
done
# A reference or a number that is missing would be printed as nothing.
if grep -E "undefined|Overfull .hbox \([2-9][0-9]" paper.log; then exit 1; fi
echo "$out/paper/paper.pdf"

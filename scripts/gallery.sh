#!/bin/sh
# Draws the pictures of docs/gallery.md: every chart, the report and the live view, from five experiments and a tuning that take seconds.
# usage: sh scripts/gallery.sh [RUNNER]. Charts are the same on every machine, except figures of time. The pages need Chromium.
set -eu
cd "$(dirname "$0")/.."
runner=$(realpath "${1:-target/release/runner}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
images=docs/images/gallery
mkdir -p $images

run() { "$runner" run --quiet "$@" > /dev/null; }
run experiments/popsize.toml --set 'record.trace={every=5}' --out "$work/popsize"
run experiments/study/study.toml --out "$work/study"
run experiments/gallery.toml --out "$work/gallery"
run experiments/flowshop.toml --out "$work/flowshop"
run experiments/phase-transition.toml --set experiment.repetitions=1 --set budget.evaluations=20_000 --out "$work/phases"

(cd "$work" && "$runner" init shops --problem flowshop --tune > /dev/null && "$runner" tune shops.toml --quiet --out shops-tune > /dev/null)

draw() {
    results=$1
    shift
    for chart in "$@"; do
        "$runner" plot "$work/$results" --chart "$chart" --width 130 --out "$work/charts" > /dev/null 2> "$work/said" || { cat "$work/said"; exit 1; }
        cp "$work/charts/$chart.svg" "$images/"
    done
}
draw popsize success published ecdf cost profile ranks scatter diversity
draw study gap heatmap main-effects interactions importance
draw flowshop gap-distribution gap-ecdf bucket-heatmap front pairs convergence targets fixed-target
"$runner" plot "$work/phases" --chart phase --where algorithm=huke,mccaffrey,mantere-koljonen --width 130 --no-notes --out "$images" > /dev/null 2>&1
rm -f "$images"/*.caption.txt
draw gallery time-to-target scaling
draw shops-tune race

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$browser" ] || { echo "the pages are not drawn: there is no Chromium"; exit 0; }
"$runner" report "$work/study" --out "$work/report.html" > /dev/null
"$runner" live "$work/study" --once --html "$work/live.html" > /dev/null
page() { "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=5000 --window-size="$3" --screenshot="$images/$2" "file://$1" 2> /dev/null; }
page "$work/report.html" report.png 1200,1000
page "$work/live.html" live.png 1000,700

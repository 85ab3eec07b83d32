# The recipes of the project. `make check` is what CI runs.

.PHONY: all check external forecast study instructions test test-highs torture starts random-searches scale test-slurm test-latex fuzz lint python book bench boards package test-package popsize plot reproduce reproduce-quick reproduce-searches tuners tuners-compare state-of-the-art optima bench-peers build-costs anytime effects-check clean

all:
	cargo build --release

check:
	bash .ci/run

test:
	cargo test --workspace

# MILP by HiGHS as well. It is C++ and builds for minutes; on Debian it needs cmake, g++, clang and libclang-dev.
test-highs:
	cargo test -p evogrid-solvers --features highs

# `runner slurm` on a real Slurm on this machine, with all that goes wrong on a cluster; needs root, and installs what is missing where CI=true.
# RUNNER=path tests that binary.
test-slurm:
	bash scripts/slurm/test.sh

# The LaTeX tables, set by pdflatex in one column and in two: nothing may be over a line. RUNNER=path tests that binary.
test-latex: all
	bash scripts/test_latex.sh

# The Python module: style, types, a wheel, its tests by the installed wheel, docs/python.md and the notebook.
python: all
	bash scripts/python.sh

lint:
	cargo fmt --all -- --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# The release binary by both its names with manual, completions and licences, into target/packages; then unpacked and tried where there is
# nothing else.
package: all
	python3 scripts/package.py --binary target/release/runner

test-package: package
	bash scripts/test_package.sh "$$(ls -t target/packages/*.tar.gz | head -n 1)"

# A hundred faults of each kind, and the table of docs/RELIABILITY.md. Full disks take root's rights.
torture:
	EVOGRID_TORTURE=100 EVOGRID_TORTURE_PAGE=$(CURDIR)/docs/RELIABILITY.md \
		cargo test -p evogrid-cli --test suite torture -- --nocapture --test-threads=1

# Ten thousand shards that begin at once, twelve in each empty folder: none may be refused. `make starts STARTS=500` begins fewer.
STARTS ?= 10000
starts:
	EVOGRID_STARTS=$(STARTS) cargo test -p evogrid-cli --test suite starts::of_many_shards -- --nocapture

# Every search on every family with random settings, each solution recomputed by code that shares nothing with the search: an hour. Plain
# `cargo test` does it for ten seconds, always with the same seeds.
random-searches:
	EVOGRID_RANDOM_SEARCHES=3600 cargo test -p evogrid --test suite search_laws::random -- --nocapture

# How time and memory grow with the number of runs, to five million: ten minutes, and 10 GB of disk.
scale: all
	python3 scripts/scale.py target/release/runner

# The examples of programs in other languages, experiments/external; those whose Python packages are not installed are skipped.
external: all
	sh scripts/external.sh

# A small tuning with irace, SMAC3 and Optuna on the files of `runner space`; the script says how those that are missing are installed.
tuners: all
	python3 scripts/tuners.py target/release/runner

# Our winners beside those of irace on unseen instances, ten tunings of a thousand runs for each of three experiments: an hour and a half.
tuners-compare: all
	python3 scripts/tuners_compare.py target/release/runner results/tuners

# What each crate costs to build, into CONTRIBUTING.md.
build-costs:
	python3 scripts/build_costs.py

# How often the forecast of the time left holds, for docs/live.md; a quarter of an hour.
forecast: all
	python3 scripts/forecast.py

# Instructions of the hot loops against their ceilings; needs valgrind and gungraun-runner (instructions/README.md).
instructions:
	python3 scripts/instructions.py

# The tables of docs/STATISTICS.md, by simulation.
statistics:
	cargo run --release -p evogrid-statistics --example coverage -- docs/STATISTICS.md

# Ten minutes for each thing that reads files: 80 minutes in all. Needs a C++ compiler.
fuzz:
	scripts/fuzz.sh 600

# Published optimal tours and assignments, recomputed; their files are fetched, and none is kept.
optima:
	python3 scripts/check_tsplib.py
	sh scripts/peers/qaplib.sh

# Other programs on the same work, taking turns with ours: docs/BENCHMARKS.md. Half an hour; needs a C compiler and Python, and what more
# peers there may be it says itself. `python3 scripts/bench_peers.py --rounds 1 --quick` only tries whether it works.
bench-peers:
	python3 scripts/bench_peers.py

# The book, to target/book/html, with its links checked. pip install -r docs/requirements.txt
book:
	sh scripts/book.sh

# Figures of docs/speed.md.
bench:
	cargo bench --workspace --benches

# The data sets that are generated; the same bytes every time.
boards:
	cargo run --release -- generate --size 9 --bucket easy --bucket medium --bucket hard --bucket expert \
		--count 10 --seed 2016 > datasets/sudoku/huke-40.csv
	cargo run --release -- generate --givens 20-45 --each --count 10 --seed 2016 > datasets/sudoku/givens-20-45.csv
	cargo run --release -- generate --size 6 --box 2x3 --bucket easy --bucket medium --bucket hard \
		--count 10 --seed 2016 > datasets/sudoku/6x6.csv

popsize:
	cargo run --release -- run experiments/popsize.toml

# What the papers claim, tried: docs/REPRODUCTION.md. The quick form has the same claims from fewer runs, and leaves the page
# of the full form alone. Both go on where they stopped.
claims = $(foreach paper,$(1),experiments/claims/$(paper).toml)
CLAIMS = $(call claims,mccaffrey arkieva huke cervigon findings)
# Of other searches, whose limits are of processor time: hours in full (flow shops 1.8, annealing up to 2, ants up to 3.5).
SEARCHES = $(call claims,flowshop lewis lloyd-amos)

reproduce:
	cargo run --release -- reproduce $(CLAIMS) --page docs/REPRODUCTION.md

# ECDF, ERT and attainment against iohinspector and moocore on an export of the same runs: pip install iohinspector==0.0.8 moocore==0.3.2
anytime: all
	python3 scripts/anytime.py target/release/runner

# Every figure of `runner effects` by SciPy and statsmodels, and its order beside optuna's fANOVA, in some two minutes; the script names the
# packages.
effects-check: all
	python3 scripts/effects.py target/release/runner

reproduce-searches:
	cargo run --release -- reproduce $(SEARCHES) --page docs/SEARCHES.md

reproduce-quick:
	cargo run --release -- reproduce $(CLAIMS) --quick --page results/quick/REPRODUCTION.md
	cargo run --release -- reproduce $(SEARCHES) --quick --page results/quick/SEARCHES.md

# A study from its TOML file to the PDF of its text, in some ten seconds: results/study/paper/paper.pdf. Needs pdflatex.
study: all
	sh experiments/study/build.sh

# Our best beside the best published; boards that are not shipped are skipped aloud (datasets/elsewhere). Some two and a half hours of processor time, most of it on flow shops.
state-of-the-art:
	cargo run --release -- reproduce $(call claims,$(foreach family,sudoku flowshop qap tsp,state-of-the-art-$(family))) \
		--page docs/STATE_OF_THE_ART.md

# Needs Python with matplotlib; scripts/plot.R does the same.
plot: popsize
	python3 scripts/plot.py results/popsize/summary.csv population results/popsize/success.svg

clean:
	cargo clean

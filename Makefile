# The targets of the project. `make check` runs the same checks as CI.

.PHONY: all check external forecast study instructions test test-highs torture starts random-searches scale test-slurm test-latex fuzz lint python book bench boards package test-package popsize plot reproduce reproduce-quick reproduce-searches tuners tuners-compare state-of-the-art optima bench-peers build-costs anytime effects-check clean

all:
	cargo build --release

check:
	bash .ci/run

test:
	cargo test --workspace

# Tests `milp` with HiGHS. HiGHS is C++ and takes minutes to build; on Debian it needs cmake, g++, clang and libclang-dev.
test-highs:
	cargo test -p evogrid-solvers --features highs

# Tests `runner slurm` on a real Slurm on this machine, with the faults of a cluster. Needs root, and installs missing packages if CI=true.
# RUNNER=path tests this binary.
test-slurm:
	bash scripts/slurm/test.sh

# Sets the LaTeX tables by pdflatex in one column and in two columns: no table may be too wide. RUNNER=path tests this binary.
test-latex: all
	bash scripts/test_latex.sh

# Checks the Python module: style, types, a wheel, tests with the installed wheel, docs/python.md and the notebook.
python: all
	bash scripts/python.sh

lint:
	cargo fmt --all -- --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Packs the release binary under its two names, with manual, completions and licences, into target/packages. `test-package` tests the package in
# an empty root.
package: all
	python3 scripts/package.py --binary target/release/runner

test-package: package
	bash scripts/test_package.sh "$$(ls -t target/packages/*.tar.gz | head -n 1)"

# Causes a hundred faults of each kind, and writes the table of docs/RELIABILITY.md. Full disks need root.
torture:
	EVOGRID_TORTURE=100 EVOGRID_TORTURE_PAGE=$(CURDIR)/docs/RELIABILITY.md \
		cargo test -p evogrid-cli --test suite torture -- --nocapture --test-threads=1

# Starts ten thousand shards, twelve at the same time in each empty folder: none may be refused. `make starts STARTS=500` starts fewer shards.
STARTS ?= 10000
starts:
	EVOGRID_STARTS=$(STARTS) cargo test -p evogrid-cli --test suite starts::of_many_shards -- --nocapture

# Runs every search on every family with random settings for one hour, and recomputes each solution by independent code. `cargo test` does the same
# for ten seconds, always with the same seeds.
random-searches:
	EVOGRID_RANDOM_SEARCHES=3600 cargo test -p evogrid --test suite search_laws::random -- --nocapture

# Measures time and memory for up to five million runs: ten minutes, and 10 GB of disk.
scale: all
	python3 scripts/scale.py target/release/runner

# Runs the examples of programs in other languages, experiments/external; examples with missing Python packages are skipped.
external: all
	sh scripts/external.sh

# Runs a small tuning with irace, SMAC3 and Optuna on the files of `runner space`; the script says how to install missing tuners.
tuners: all
	python3 scripts/tuners.py target/release/runner

# Compares the winners of `runner tune` and irace on unseen instances, with ten tunings of a thousand runs for each of three experiments: an hour and
# a half.
tuners-compare: all
	python3 scripts/tuners_compare.py target/release/runner results/tuners

# Measures the build time of each crate, and writes it into CONTRIBUTING.md.
build-costs:
	python3 scripts/build_costs.py

# Measures how often the forecast of the time left is right, for docs/live.md: a quarter of an hour.
forecast: all
	python3 scripts/forecast.py

# Counts the instructions of the hot loops and compares them with their limits; needs valgrind and gungraun-runner (instructions/README.md).
instructions:
	python3 scripts/instructions.py

# Computes the tables of docs/STATISTICS.md by simulation.
statistics:
	cargo run --release -p evogrid-statistics --example coverage -- docs/STATISTICS.md

# Fuzzes each reader of files for ten minutes. Needs a C++ compiler.
fuzz:
	scripts/fuzz.sh 600

# Recomputes published optimal tours and assignments; their files are fetched and not kept.
optima:
	python3 scripts/check_tsplib.py
	sh scripts/peers/qaplib.sh

# Compares our programs with other programs on the same work, and writes docs/BENCHMARKS.md: half an hour. Needs a C compiler and Python, and names
# missing programs. `python3 scripts/bench_peers.py --rounds 1 --quick` only tests whether the comparison works.
bench-peers:
	python3 scripts/bench_peers.py

# Builds the book in target/book/html, and checks its links. Needs `pip install -r docs/requirements.txt`.
book:
	sh scripts/book.sh

# Measures the figures of docs/speed.md.
bench:
	cargo bench --workspace --benches

# Generates data sets, with the same bytes every time.
boards:
	cargo run --release -- generate --size 9 --bucket easy --bucket medium --bucket hard --bucket expert \
		--count 10 --seed 2016 > datasets/sudoku/huke-40.csv
	cargo run --release -- generate --givens 20-45 --each --count 10 --seed 2016 > datasets/sudoku/givens-20-45.csv
	cargo run --release -- generate --size 6 --box 2x3 --bucket easy --bucket medium --bucket hard \
		--count 10 --seed 2016 > datasets/sudoku/6x6.csv

popsize:
	cargo run --release -- run experiments/popsize.toml

# Tests the claims of the papers, and writes docs/REPRODUCTION.md. The quick form judges the same claims with fewer runs, and does not change this
# page. Each form continues where it stopped.
claims = $(foreach paper,$(1),experiments/claims/$(paper).toml)
CLAIMS = $(call claims,mccaffrey arkieva huke cervigon findings)
# Claims about other searches, with limits of processor time. The full form takes hours (flow shops 1.8, annealing up to 2, ant colony up to 3.5).
SEARCHES = $(call claims,flowshop lewis lloyd-amos)

reproduce:
	cargo run --release -- reproduce $(CLAIMS) --page docs/REPRODUCTION.md

# Compares ECDF, ERT and attainment with iohinspector and moocore on the same runs. Needs `pip install iohinspector==0.0.8 moocore==0.3.2`.
anytime: all
	python3 scripts/anytime.py target/release/runner

# Recomputes every figure of `runner effects` by SciPy and statsmodels, and compares its order with optuna's fANOVA: two minutes. The script names
# the packages.
effects-check: all
	python3 scripts/effects.py target/release/runner

reproduce-searches:
	cargo run --release -- reproduce $(SEARCHES) --page docs/SEARCHES.md

reproduce-quick:
	cargo run --release -- reproduce $(CLAIMS) --quick --page results/quick/REPRODUCTION.md
	cargo run --release -- reproduce $(SEARCHES) --quick --page results/quick/SEARCHES.md

# Makes a study, from its TOML file to its PDF: ten seconds, results/study/paper/paper.pdf. Needs pdflatex.
study: all
	sh experiments/study/build.sh

# Compares our best searches with the best published results: two and a half hours of processor time, most of it on flow shops. Missing boards are
# reported and skipped (datasets/elsewhere).
state-of-the-art:
	cargo run --release -- reproduce $(call claims,$(foreach family,sudoku flowshop qap tsp,state-of-the-art-$(family))) \
		--page docs/STATE_OF_THE_ART.md

# Draws a chart. Needs Python with matplotlib; scripts/plot.R does the same with R.
plot: popsize
	python3 scripts/plot.py results/popsize/summary.csv population results/popsize/success.svg

clean:
	cargo clean

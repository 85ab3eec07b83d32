#!/usr/bin/env bash
# Checks the Python module: its style and types, a wheel with the release build of the binary, the installation of this wheel in a separate
# environment (target/python), and the tests with the installed wheel. After `cargo build --release`, only two seconds are compilation.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "${CARGO_TARGET_DIR:-target}"
target=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)
export CARGO_TARGET_DIR=$target
environment=$target/python
{ [ -x "$environment/bin/python" ] || python3 -m venv "$environment"; } &&
    "$environment/bin/pip" install --quiet --requirement python/requirements-test.txt ||
    { echo "skipped: there is no venv, or what python/requirements-test.txt names cannot be had" && exit 77; }

(cd python && "$environment/bin/ruff" check --quiet . && "$environment/bin/ruff" format --check --quiet . && "$environment/bin/mypy")

rm -rf "$target/wheels"
mkdir "$target/wheels"
(cd python && "$environment/bin/maturin" build --release --quiet --locked --out "$target/wheels") 2> "$target/wheels/log" ||
    { cat "$target/wheels/log" && exit 1; }
"$environment/bin/pip" install --quiet --force-reinstall --no-deps "$target"/wheels/evogrid-*.whl
# Installed as the page says, with the packages of the extras.
"$environment/bin/pip" install --quiet --no-index "$(echo "$target"/wheels/evogrid-*.whl)[pandas,charts]"
"$environment/bin/pip" check

cd python
EVOGRID_RUNNER=$environment/bin/runner "$environment/bin/pytest" --quiet "$@"

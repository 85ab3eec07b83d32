#!/usr/bin/env bash
# The Python module: its style and types, a wheel of it with the release build of the binary, that wheel installed into an environment of its
# own (target/python), and its tests by what was installed. With `cargo build --release` done before, two seconds of it are compilation.
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
# As the page says it: what the extras need is there.
"$environment/bin/pip" install --quiet --no-index "$(echo "$target"/wheels/evogrid-*.whl)[pandas,charts]"
"$environment/bin/pip" check

cd python
EVOGRID_RUNNER=$environment/bin/runner "$environment/bin/pytest" --quiet "$@"

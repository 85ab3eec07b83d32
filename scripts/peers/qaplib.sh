#!/bin/sh
# Recomputes the costs of the permutations that QAPLIB publishes. Fetches the files from the Debian package r-cran-qap without installing it, and
# runs crates/problems/tests/suite/qap.rs on them. The package is GPL-3, so the repository keeps no file of it. A folder with the files may be
# given instead.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-}
if [ -z "$folder" ]; then
    command -v apt-get > /dev/null && command -v dpkg-deb > /dev/null || {
        echo "skipped: without apt-get and dpkg-deb the files cannot be fetched; give a folder that has them" >&2
        exit 77
    }
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    (cd "$scratch" && apt-get download r-cran-qap) || {
        echo "skipped: r-cran-qap cannot be downloaded; apt-get update may help, or give a folder that has the files" >&2
        exit 77
    }
    dpkg-deb --extract "$scratch"/r-cran-qap_*.deb "$scratch"
    folder=$scratch/usr/lib/R/site-library/qap/qaplib
fi
cd "$root"
cargo test --quiet --package evogrid-problems --test suite qap:: -- --list | grep -q '^qap::' || {
    echo "error: no test is named qap::" >&2
    exit 1
}
EVOGRID_QAPLIB=$(cd "$folder" && pwd) cargo test --package evogrid-problems --test suite qap:: -- --nocapture

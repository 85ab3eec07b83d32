#!/bin/sh
# Prints the notes of a release: the changelog's section of this version, which must be the version in Cargo.toml. `scripts/release_notes.sh 0.2.0`
set -eu
cd "$(dirname "$0")/.."
grep --quiet "^version = \"$1\"\$" Cargo.toml || { echo "Cargo.toml is of another version than $1" >&2; exit 1; }
awk -v title="## $1 (" '
    index($0, "## ") == 1 { inside = index($0, title) == 1; found += inside; next }
    inside && (begun || /./) { begun = 1; print }
    END { exit !found }
' CHANGELOG.md || { echo "CHANGELOG.md has no section \`## $1 (DATE)\`" >&2; exit 1; }

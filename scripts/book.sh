#!/bin/sh
# The book of the pages that docs/SUMMARY.md lists, to target/book/html. They lie in several folders, and mdBook reads one: so they are laid
# out in it as in the repository, with the files that they link to.
set -eu
cd "$(dirname "$0")/.."
pages=target/book/pages
rm -rf target/book
mkdir -p "$pages"
git ls-files --cached --others --exclude-standard -- '*.md' docs experiments scripts datasets crates/evogrid/examples crates/evogrid/src CITATION.cff 'LICENSE-*' Makefile |
    while read -r file; do mkdir -p "$pages/$(dirname "$file")" && cp "$file" "$pages/$file"; done
sed -e 's#](#](docs/#' -e 's#docs/\.\./##' docs/SUMMARY.md > "$pages/SUMMARY.md"
mdbook build docs

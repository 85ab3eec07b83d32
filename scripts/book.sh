#!/bin/sh
# Builds the book of the pages in docs/SUMMARY.md in target/book/html. Checks every link and anchor in the Markdown, as a forge shows it, and in
# the book. The pages are in several folders, but mdBook reads only one folder. So the pages and the linked files are copied to one folder, in the
# same layout as in the repository.
set -eu
cd "$(dirname "$0")/.."
for program in mdbook lychee; do
    command -v $program > /dev/null || { echo "skipped: $program is missing: pip install -r docs/requirements.txt" && exit 77; }
done
tracked() { git ls-files --cached --others --exclude-standard -- "$@"; }
check_links() { lychee --offline --include-fragments --no-progress "$@"; }

pages=target/book/pages
rm -rf target/book
mkdir -p "$pages"
tracked '*.md' docs experiments scripts datasets crates/evogrid/examples crates/evogrid/src CITATION.cff 'LICENSE-*' Makefile |
    while read -r file; do mkdir -p "$pages/$(dirname "$file")" && cp "$file" "$pages/$file"; done
sed -e 's#](#](docs/#' -e 's#docs/\.\./##' docs/SUMMARY.md > "$pages/SUMMARY.md"
mdbook build docs

tracked '*.md' > target/book/pages.txt
check_links --files-from target/book/pages.txt
check_links 'target/book/html/**/*.html'

#!/bin/sh
# The book of the pages that docs/SUMMARY.md lists, to target/book/html, with every link and anchor checked: in the Markdown, as a forge shows
# it, and in the book. The pages lie in several folders, and mdBook reads one: so they are laid out in it as in the repository, with the files
# that they link to.
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

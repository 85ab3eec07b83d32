#!/usr/bin/env bash
# Tests a packed release in an empty root: from its binary alone to a report, and then the README's main command. Needs only the rights of a user
# namespace. Exit status 77 if the system does not allow a user namespace.
#
#     scripts/test_package.sh ARCHIVE.tar.gz
set -euo pipefail
archive=$(realpath "$1")
cd "$(dirname "$0")/.."
unshare --map-root-user true 2> /dev/null || { echo "skipped: user namespaces are not allowed here"; exit 77; }

(cd "$(dirname "$archive")" && sha256sum --check --quiet "$(basename "$archive").sha256")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
tar --extract --gzip --file "$archive" --directory "$root" --strip-components 1
for file in bin/runner bin/evogrid share/man/man1/runner-run.1 share/man/man1/evogrid.1 share/bash-completion/completions/evogrid \
    share/zsh/site-functions/_runner share/doc/evogrid/LICENSE-MIT share/doc/evogrid/THIRD-PARTY.md; do
    test -s "$root/$file" || { echo "the archive has no $file"; exit 1; }
done

# If the binary is not static, it needs the C library of the system. The test shows that it needs no other file.
ldd "$root/bin/runner" 2> /dev/null | { grep --only-matching '/[^ ]*' || true; } | while read -r library; do
    case ${library##*/} in
    ld-linux*.so.* | libc.so.* | libm.so.* | libgcc_s.so.*) install -D "$library" "$root$library" ;;
    *) echo "the binary needs $library"; exit 1 ;;
    esac
done

inside() { env --ignore-environment PATH=/bin unshare --map-root-user --root "$root" "$@"; }
mkdir "$root/tmp"
inside /bin/runner --version
inside /bin/evogrid -V
quietly() { inside "$@" > "$root/tmp/printed" 2>&1 || { cat "$root/tmp/printed"; echo "failed: $*"; exit 1; }; }
quietly /bin/evogrid init first
quietly /bin/evogrid run first.toml
quietly /bin/evogrid table results/first
quietly /bin/evogrid report results/first
grep --quiet '</html>' "$root/results/first/report.html"

# The main command. Its output is checked in the empty root and here.
mkdir "$root/datasets"
cp -r experiments "$root"
cp -r datasets/sudoku datasets/published "$root/datasets"
quietly /bin/runner run experiments/popsize.toml --set experiment.repetitions=2 --out /tmp/popsize
quietly /bin/runner verify /tmp/popsize
"$root/bin/runner" verify "$root/tmp/popsize" > /dev/null
echo "$(basename "$archive"): works in an empty root"

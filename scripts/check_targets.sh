#!/usr/bin/env bash
# Checks the code and the tests of the command line for other systems: Windows, macOS, 32 bits. Charts are left out, because their JavaScript engine
# is C. Targets that are not installed are left out; with CI=true they are installed. A target takes about 60 s of processor time.
set -euo pipefail
cd "$(dirname "$0")/.."
for target in x86_64-pc-windows-gnu aarch64-apple-darwin i686-unknown-linux-gnu; do
    if [ "${CI:-}" = true ]; then rustup target add "$target" > /dev/null 2>&1 || true; fi
    # Without rustup there is the host's standard library alone.
    if [ -z "$(find "$(rustc --print sysroot)/lib/rustlib/$target/lib" -name 'libstd-*' 2> /dev/null)" ]; then
        echo "skipped: $target (rustup target add $target)"
        continue
    fi
    cargo clippy --quiet --locked -p evogrid-cli --lib --bins --tests --no-default-features --features solvers --target "$target" -- -D warnings
    echo "$target: right"
done

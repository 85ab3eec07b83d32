#!/usr/bin/env bash
# Whether the code and the tests of the command line are right for other systems: Windows, macOS, 32 bits. Without charts, whose JavaScript
# engine is C. What is not installed is left out; with CI=true it is installed. Some 60 s of processor time a target.
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

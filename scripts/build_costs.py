#!/usr/bin/env python3
"""Measures the processor seconds of each crate in a full release build of `runner`, and writes a table into CONTRIBUTING.md.

Cargo starts this script instead of rustc, and the `cc` crate starts it instead of the C compiler. The kernel measures each started process, so
other work on the machine disturbs little. `--print` shows all crates and does not change the page; further arguments go to cargo
(`--print --no-default-features`).
"""

import collections
import json
import os
import pathlib
import platform
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "CONTRIBUTING.md"
BEGIN, END = "<!-- scripts/build_costs.py -->\n", "<!-- end -->\n"
LOG = "EVOGRID_BUILD_COSTS"
LEAST = 3.0  # seconds, of a row of its own


def compile_one(command):
    """Runs the compiler, and notes the processor seconds of its crate."""
    status = subprocess.call(command, close_fds=False)  # cargo hands down its tokens
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    part = "C" if pathlib.Path(command[0]).name == "cc" else "Rust"
    with open(os.environ[LOG], "a") as log:
        log.write(json.dumps([os.environ.get("CARGO_PKG_NAME"), part, usage.ru_utime + usage.ru_stime]) + "\n")
    return status


def measure(arguments):
    """The processor seconds by crate and language, and of the whole build including cargo and build scripts."""
    with tempfile.TemporaryDirectory() as folder:
        log, script = pathlib.Path(folder, "log"), pathlib.Path(__file__).resolve()
        compiler = pathlib.Path(folder, "cc")
        compiler.write_text(f'#!/bin/sh\nexec {shlex.quote(str(script))} {shutil.which("cc")} "$@"\n')
        compiler.chmod(0o755)
        log.touch()
        wrapped = {LOG: str(log), "RUSTC_WRAPPER": str(script), "CC": str(compiler), "CARGO_TARGET_DIR": folder + "/target"}
        build = ["cargo", "build", "--release", "--locked", "--quiet", *arguments]
        subprocess.run(["cargo", "fetch", "--locked", "--quiet"], cwd=ROOT, check=True)
        subprocess.run(build, cwd=ROOT, check=True, env=os.environ | wrapped)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = collections.Counter()
        for crate, part, taken in map(json.loads, log.read_text().splitlines()):
            seconds[crate or "cargo's questions", part] += taken
    return seconds, usage.ru_utime + usage.ru_stime


def brought_by(crate):
    """The crates of this workspace that need a dependency: the first crates through which it is reached."""
    tree = ["cargo", "tree", "--locked", "--invert", crate, "--edges", "normal,build", "--prefix", "depth", "--format", " {p}"]
    lines = subprocess.run(tree, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    found, hidden = [], None
    for line in lines:
        depth, name = line.split()[:2]
        depth = int(depth)
        if hidden is not None and depth > hidden:
            continue
        hidden = None
        if name.startswith("evogrid-"):
            hidden = depth
            found.append(name.removeprefix("evogrid-"))
    return ", ".join(sorted(set(found)))


def table(seconds, whole):
    """The rows of the page, the most expensive first."""
    rows = [f"| {crate}{', its C' if part == 'C' else ''} | {taken:.0f} | {brought_by(crate)} |"
            for (crate, part), taken in seconds.most_common() if taken >= LEAST and not crate.startswith("evogrid")]
    ours = sum(taken for (crate, _), taken in seconds.items() if crate.startswith("evogrid"))
    others = sum(seconds.values()) - ours
    rustc = subprocess.run(["rustc", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[1]
    n_others = len({crate for crate, _ in seconds})
    return [f"The build takes {whole:.0f} s (rustc {rustc}, {platform.machine()}): {ours:.0f} s for this workspace, {others:.0f} s for {n_others} other",
            "crates, and the rest for Cargo and build scripts. Of the other crates, the table lists each crate that takes",
            f"{LEAST:.0f} s or more:", "",
            "| dependency | CPU s | for |", "|---|---:|---|", *rows]


def main():
    arguments = sys.argv[1:]
    if LOG in os.environ:
        return compile_one(arguments)
    is_print = "--print" in arguments
    seconds, whole = measure([argument for argument in arguments if argument != "--print"])
    if is_print:
        for (crate, part), taken in seconds.most_common():
            print(f"{taken:7.2f}  {crate} ({part})")
        print(f"{whole:7.2f}  the whole build")
        return 0
    page = PAGE.read_text()
    PAGE.write_text(re.sub(f"{BEGIN}.*?{END}", lambda _: BEGIN + "\n".join(table(seconds, whole)) + "\n" + END, page, flags=re.DOTALL))
    return 0


if __name__ == "__main__":
    sys.exit(main())

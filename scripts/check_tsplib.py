#!/usr/bin/env python3
"""Recomputes the lengths of the published optimal tours of TSPLIB, by our reader, our weights and our independent check.

    python3 scripts/check_tsplib.py [FOLDER]

FOLDER contains the files (`berlin52.tsp`, `berlin52.opt.tour`, in lowercase). Without FOLDER, cargo fetches them with the crate `mahf-tsplib` 0.1.0.
The repository has no file of this crate, because the crate is GPL-3 and the licence of the instances is unknown. The script reads all supported
symmetric instances of datasets/tsp/optima.csv, and measures every tour twice.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = """\
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"

[dependencies]
mahf-tsplib = "=0.1.0"
"""


def fetched():
    """The folder of the files in cargo's copy of the crate."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "src").mkdir()
        (Path(folder) / "src/lib.rs").touch()
        (Path(folder) / "Cargo.toml").write_text(MANIFEST, encoding="utf-8")
        if subprocess.run(["cargo", "fetch", "--quiet"], cwd=folder, check=False).returncode != 0:
            print("skipped: cargo cannot fetch mahf-tsplib; give a folder that has the files", file=sys.stderr)
            sys.exit(77)
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    found = sorted(home.glob("registry/src/*/mahf-tsplib-0.1.0/src/tsplib"))
    if not found:
        sys.exit(f"error: cargo fetched mahf-tsplib, but {home}/registry/src does not hold it")
    return found[0]


def main():
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else fetched()
    if not any(folder.glob("*.tsp")):
        sys.exit(f"error: {folder} holds no .tsp file")
    command = ["cargo", "test", "-p", "evogrid-problems", "--test", "suite", "tsp::published_tours", "--", "--nocapture"]
    environment = os.environ | {"EVOGRID_TSPLIB": str(folder)}
    sys.exit(subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode)


if __name__ == "__main__":
    main()

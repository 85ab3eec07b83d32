#!/usr/bin/env python3
"""Prints the licences of all code in the binary, with their texts: `python3 scripts/third_party.py [TARGET] > THIRD-PARTY.md`."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice|unlicense|ofl|bundled)", re.I)


def linked(target):
    """The packages that the binary contains or that build it, without our own."""
    platform = ["--filter-platform", target] if target else []
    command = ["cargo", "metadata", "--format-version", "1", "--locked", *platform]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    open_, found = [next(key for key in packages if packages[key]["name"] == "evogrid-cli")], set()
    while open_:
        package = open_.pop()
        if package not in found:
            found.add(package)
            needed = [edge for edge in nodes[package]["deps"] if any(kind["kind"] is None for kind in edge["dep_kinds"])]
            open_ += [edge["pkg"] for edge in needed]
    others = [packages[key] for key in found if packages[key]["source"]]
    return sorted(others, key=lambda package: (package["name"], package["version"]))


def licence_texts(folder, licence=""):
    """The texts in a package's folder and in its direct subfolders, which may contain other sources. If licences can be chosen, only the MIT text."""
    files = [*folder.iterdir(), *(path for below in folder.iterdir() if below.is_dir() for path in below.iterdir())]
    files = [path for path in sorted(files) if path.is_file() and LICENCE_FILE.match(path.name) and path.suffix not in {".rs", ".py"}]
    is_choice = re.search(r"\bMIT\b", licence) and not re.search(r"\bAND\b", licence)
    mit = [path for path in files if path.parent == folder and "mit" in path.name.lower()]
    if is_choice and mit:
        files = mit + [path for path in files if path.parent != folder]
    return [path.read_text(errors="replace").replace("\r", "").strip() for path in files]


def text(target=None):
    """The page: a table of packages, then each text once, with the packages to which it belongs."""
    rows, owners = [], {}
    for package in linked(target):
        name = f"{package['name']} {package['version']}"
        source = package["repository"] or f"https://crates.io/crates/{package['name']}"
        rows.append(f"| {name} | {package['license'] or 'see below'} | <{source}> |")
        for content in licence_texts(Path(package["manifest_path"]).parent, package["license"] or ""):
            owners.setdefault(content, []).append(name)
    render = ROOT / "crates/render"
    shipped = [(path.name, path) for path in sorted(render.glob("vendor/*")) if path.is_dir()] + [("Arimo", render / "fonts")]
    for name, folder in shipped:
        for content in licence_texts(folder):
            owners.setdefault(content, []).append(name)
    owners.setdefault((render / "vendor/BUNDLED").read_text().strip(), []).append("what is bundled in the scripts of Vega")
    rows += [f"| {name} | BSD-3-Clause | <https://vega.github.io> |" for name in ("vega", "vega-lite", "vega-embed")]
    rows.append("| Rust's standard library | MIT OR Apache-2.0 | <https://github.com/rust-lang/rust> |")
    if "musl" in (target or ""):
        rows.append("| musl | MIT | <https://musl.libc.org> |")
    rows.append("| Arimo 1.33 | OFL-1.1 | <https://fonts.google.com/specimen/Arimo> |")
    parts = ["# Third-party licences\n\nWhat the binary is made of beside Evogrid, which is under MIT or Apache-2.0.\n",
             "| what | licence | source |\n|---|---|---|\n" + "\n".join(rows) + "\n"]
    parts += [f"## {', '.join(names)}\n\n````text\n{content}\n````\n" for content, names in owners.items()]
    return "\n".join(parts)


if __name__ == "__main__":
    print(text(*sys.argv[1:2]), end="")

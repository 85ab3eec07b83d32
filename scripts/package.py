#!/usr/bin/env python3
"""Packs a release: the binary under its two names, manual, completions and licences. The archive does not depend on time and place.

    python3 scripts/package.py [--target TRIPLE] [--out DIR] [--binary FILE]

The script writes `evogrid-VERSION-TRIPLE.tar.gz` and its `.sha256`. It builds with `cargo build --release --locked`, or packs the given binary
unchanged.
"""

import argparse
import gzip
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import third_party  # noqa: E402

NAMES = ["runner", "evogrid"]
COMPLETIONS = {
    "bash": "share/bash-completion/completions/{}",
    "zsh": "share/zsh/site-functions/_{}",
    "fish": "share/fish/vendor_completions.d/{}.fish",
    "powershell": "share/powershell/{}.ps1",
}
DOCUMENTS = ["README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE-MIT", "LICENSE-APACHE"]


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT, **options).stdout


def host():
    return re.search(rb"^host: (.+)$", output("rustc", "--version", "--verbose"), re.M)[1].decode()


def built(target):
    """The binary of a target, stripped of its symbols."""
    output("cargo", "build", "--release", "--locked", "--target", target, "-p", "evogrid-cli", "--bin", "runner",
           "--config", "profile.release.strip=true")
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / target / "release"
    return folder / ("runner.exe" if "windows" in target else "runner")


def contents(binary, target):
    """The content of the archive: each path with its bytes and whether it is executable, or with the target of its link."""
    suffix = binary.suffix
    files = {f"bin/runner{suffix}": (binary.read_bytes(), True)}
    # On Windows only administrators may make links.
    files[f"bin/evogrid{suffix}"] = files[f"bin/runner{suffix}"] if suffix else "runner"
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            # A program prints the name under which it was called.
            called = Path(folder) / (name + suffix)
            called.write_bytes(binary.read_bytes())
            called.chmod(0o755)
            output(called, "man", "--out", Path(folder) / "man")
            for shell, path in COMPLETIONS.items():
                files[path.format(name)] = (output(called, "completions", shell), False)
        for page in (Path(folder) / "man").iterdir():
            files[f"share/man/man1/{page.name}"] = (page.read_bytes(), False)
    for name in DOCUMENTS:
        files[f"share/doc/evogrid/{name}"] = ((ROOT / name).read_bytes(), False)
    files["share/doc/evogrid/THIRD-PARTY.md"] = (third_party.text(target).encode(), False)
    return files


def packed(folder, files):
    """The archive: the same bytes for the same files."""
    time = int(os.environ.get("SOURCE_DATE_EPOCH") or output("git", "log", "-1", "--format=%ct"))
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{path}")
            entry.mtime, entry.mode = time, 0o644
            if isinstance(content, str):
                entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, content, 0o777
                tar.addfile(entry)
                continue
            text, is_program = content
            entry.size, entry.mode = len(text), 0o755 if is_program else 0o644
            tar.addfile(entry, io.BytesIO(text))
    return gzip.compress(archive.getvalue(), compresslevel=9, mtime=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--target", default=host())
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "packages")
    parser.add_argument("--binary", type=Path)
    given = parser.parse_args()
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    folder = f"evogrid-{version}-{given.target}"
    archive = packed(folder, contents((given.binary or built(given.target)).resolve(), given.target))
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / f"{folder}.tar.gz"
    path.write_bytes(archive)
    path.with_name(path.name + ".sha256").write_text(f"{hashlib.sha256(archive).hexdigest()}  {path.name}\n")
    print(path)


if __name__ == "__main__":
    main()

"""A results folder: finds its tables, and checks that they belong to its journal."""

import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evogrid import binary, files
from evogrid.errors import ResultsError

METADATA = "csv-metadata.json"

# The largest sizes of these files in bytes, as in the binary. A manifest contains every instance.
MANIFEST_LIMIT, METADATA_LIMIT, SESSION_LIMIT, SESSIONS_LIMIT = 1 << 30, 1 << 26, 1 << 20, 1 << 26


class Tables:
    """The folder of a set of tables. Each file must be the file that was there when the tables were found."""

    def __init__(self, folder: Path) -> None:
        """Note the files of the folder."""
        self.folder = folder
        self._stamps = {name: _stamp(folder / name) for name in ("runs.csv", "summary.csv", "trace.csv.gz")}
        self.manifest = read_manifest(folder)
        self.types = column_types(folder)

    def file(self, name: str) -> Path:
        """The path of a file that exists and has not changed."""
        path = self.folder / name
        now = _stamp(path)
        if now is None:
            raise ResultsError(f"`{path}` is not there any more: load the results again")
        if now != self._stamps[name]:
            raise ResultsError(f"`{path}` was written anew since the results were loaded: load them again")
        return path

    def has(self, name: str) -> bool:
        """Whether the file existed when the tables were found."""
        return self._stamps[name] is not None


def find_tables(folders: Sequence[Path]) -> tuple[Tables, list[str]]:
    """The tables of one experiment, with warnings: its own tables if they are up to date, or new tables in a temporary folder.

    `runner merge` makes the new tables from the journals of all folders, and leaves these folders unchanged.
    """
    for folder in folders:
        _check(folder)
    if len(folders) == 1 and has_current_tables(folders[0]):
        return Tables(folders[0]), []
    made = Path(tempfile.mkdtemp(prefix="evogrid-"))
    try:
        # Exit status 1: runs are missing or have failed, and the tables have the other runs.
        done = binary.call(["merge", *folders, "--out", made, "--quiet"], accepted=(0, 1))
        if not (made / METADATA).exists():
            raise ResultsError(done.stderr.strip().removeprefix("error: "))
        tables = Tables(made)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    shutil.rmtree(made / "journal", ignore_errors=True)
    weakref.finalize(tables, shutil.rmtree, made, ignore_errors=True)
    damages = [line.removeprefix("warning: ") for line in done.stderr.splitlines() if line.startswith("warning: ")]
    return tables, [_with_own_path(damage, folders) for damage in damages]


def has_current_tables(folder: Path) -> bool:
    """Whether the tables of a folder have all runs of its journal: then the manifest, which is written last, knows each session."""
    try:
        made = [files.regular(folder / name) for name in ("runs.csv", "summary.csv", METADATA)]
    except OSError:
        # The binary makes tables without this file, or reports the fault.
        return False
    journal = folder / "journal"
    if made[0] is None or None in made or journal.is_symlink():
        return False
    manifest = read_manifest(folder)
    known = {_text(session) for session in manifest.get("sessions", [])}
    # After a plan was widened, the new manifest first has no runs.
    if "present" not in manifest.get("runs", {}) or any(journal.glob("*.in-flight")):
        return False
    written = made[0].st_mtime
    left = SESSIONS_LIMIT
    for lines in journal.glob("*.jsonl"):
        session = _session(folder, lines.with_suffix(".session.json").name)
        said = "" if session is None else _text(session)
        left -= len(said)
        if left < 0 or (said and said not in known):
            return False
        # A process that was killed or still works, or a file that somebody added.
        if (session is None or session.get("ended") is None) and lines.lstat().st_mtime > written:
            return False
    return True


def _with_own_path(damage: str, folders: Sequence[Path]) -> str:
    """The sentence about a line of a copied journal file, with the path of the original file."""
    copied, colon, rest = damage.partition(":")
    own = [path for folder in folders if (path := folder / "journal" / Path(copied).name).exists()]
    return f"{own[0]}{colon}{rest}" if own and colon else damage


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a results folder."""
    path = folder / "manifest.json"
    try:
        manifest = files.read_json(MANIFEST_LIMIT, folder, path.name)
    except (OSError, ValueError) as error:
        raise ResultsError(f"cannot read `{path}`: {error}; run the experiment once more, and it is written anew") from error
    if not isinstance(manifest, dict):
        raise ResultsError(f"`{path}` holds no object: run the experiment once more, and it is written anew")
    return manifest


def _check(folder: Path) -> None:
    """Refuse a path that is not a results folder, and say what a results folder is."""
    if not folder.exists():
        raise ResultsError(f"`{folder}` is not there: expected a results folder, which `runner run` makes")
    if folder.suffix == ".toml":
        raise ResultsError(f"`{folder}` is an experiment: expected the results folder that `runner run {folder}` makes")
    if not folder.is_dir():
        raise ResultsError(f"`{folder}` is a file: expected a results folder; `evogrid.read_runs` reads a CSV")
    if not os.path.lexists(folder / "manifest.json"):
        within = sorted(path.parent for path in folder.glob("*/manifest.json"))
        hint = "" if not within else "; those in it are " + ", ".join(f"`{path}`" for path in within[:5])
        raise ResultsError(f"`{folder}` is not a results folder: it has no manifest.json{hint}")


def column_types(folder: Path) -> dict[str, dict[str, str]]:
    """The names and types of the columns of each table, in order."""
    path = folder / METADATA
    try:
        described: Any = files.read_json(METADATA_LIMIT, folder, METADATA)
        return {
            table["url"]: {column["titles"]: column["datatype"] for column in table["tableSchema"]["columns"]}
            for table in described["tables"]
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResultsError(f"`{path}` does not say the types of columns: remove it and load the results again") from error


def _session(folder: Path, name: str) -> dict[str, Any] | None:
    """The content of a session file, or nothing if the file does not exist or is incomplete."""
    try:
        session = files.read_json(SESSION_LIMIT, folder, "journal", name)
    except (OSError, ValueError):
        return None
    return session if isinstance(session, dict) else None


def _text(session: dict[str, Any]) -> str:
    """The same text object for equal sessions, because a cluster may leave thousands of them."""
    return json.dumps(session, sort_keys=True)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """A value that changes when a file is replaced."""
    try:
        found = files.regular(path)
    except OSError as error:
        raise ResultsError(f"cannot read `{path}`: {error.strerror}") from error
    return None if found is None else (found.st_mtime_ns, found.st_size, found.st_ino)

"""A folder from elsewhere: no link in it is followed, no pipe or device opened, and what is read has a bound."""

import gzip
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import evogrid
from evogrid import checks, files, frames

if sys.platform == "win32":
    pytest.skip("what only Unix has", allow_module_level=True)

THINGS: list[tuple[str, Callable[[Path], object]]] = [
    ("it is a device, a pipe or a socket", os.mkfifo),
    ("it is a link", lambda path: path.symlink_to("/dev/zero")),
    ("it is a link", lambda path: path.symlink_to("/etc/passwd")),
    ("it is a link", lambda path: path.symlink_to("nothing")),
    ("it is a link", lambda path: path.symlink_to(path.name)),
    ("it is a directory", lambda path: path.mkdir()),
]


def copied(results: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(results, tmp_path / "copy"))


@pytest.mark.parametrize("thing", range(len(THINGS)))
def test_what_is_no_file_is_not_opened(results: Path, tmp_path: Path, thing: int) -> None:
    said, make = THINGS[thing]
    for name in ("manifest.json", "runs.csv", "summary.csv", "trace.csv.gz", "csv-metadata.json"):
        folder = copied(results, tmp_path)
        loaded = evogrid.load(folder)
        (folder / name).unlink()
        make(folder / name)
        readers = {"runs.csv": "runs", "summary.csv": "summary", "trace.csv.gz": "traces"}
        if reader := readers.get(name):
            with pytest.raises(evogrid.ResultsError, match=said):
                getattr(loaded, reader)
        if name in ("manifest.json", "trace.csv.gz"):
            with pytest.raises(evogrid.ResultsError, match=said):
                evogrid.load(folder)
        else:
            # The binary makes it from the journal.
            assert evogrid.load(folder).runs.equals(evogrid.load(results).runs)
        shutil.rmtree(folder)


def test_no_folder_below_is_a_link_and_the_one_that_is_named_may_be(results: Path, tmp_path: Path) -> None:
    folder = copied(results, tmp_path)
    (tmp_path / "named").symlink_to(folder)
    assert evogrid.load(tmp_path / "named").runs.height == 840
    (folder / "journal").rename(tmp_path / "victim")
    (folder / "journal").symlink_to(tmp_path / "victim")
    with pytest.raises(evogrid.ResultsError, match="is a link"):
        evogrid.load(folder)
    session = next((tmp_path / "victim").glob("*.session.json")).name
    with pytest.raises(OSError, match="is a link"):
        files.open_regular(folder, "journal", session)


@pytest.mark.parametrize(
    ("rows", "said"), [(b"0" * 5000, "line 2 has over 4,096 bytes"), (b"0,0,0,0,0,0\n" * 2_000_000, "more than its runs can")]
)
def test_a_bomb_is_refused_before_it_is_held(results: Path, tmp_path: Path, rows: bytes, said: str) -> None:
    folder = copied(results, tmp_path)
    header = frames.TRACE_HEADERS[0].encode() + b"\n"
    (folder / "trace.csv.gz").write_bytes(gzip.compress(header + rows))
    with pytest.raises(evogrid.ResultsError, match=said):
        _ = evogrid.load(folder).traces


def test_a_line_without_an_end_is_not_held(results: Path, tmp_path: Path) -> None:
    folder = copied(results, tmp_path)
    os.truncate(folder / "runs.csv", 1 << 36)
    with pytest.raises(evogrid.ResultsError, match=f"has over {checks.LINE_LIMIT:,} bytes"):
        _ = evogrid.load(folder).runs


def test_a_manifest_of_many_levels_or_bytes_is_refused(results: Path, tmp_path: Path) -> None:
    folder = copied(results, tmp_path)
    (folder / "manifest.json").write_text("[" * 200_000)
    with pytest.raises(evogrid.ResultsError, match="nested too deep"):
        evogrid.load(folder)
    with pytest.raises(OSError, match="larger than 0 MiB"):
        files.read_json(1000, folder, "manifest.json")

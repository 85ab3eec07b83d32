"""A table that was cut or changed is refused, and never taken for a shorter one."""

import gzip
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from conftest import call

import evogrid
from evogrid import checks

Reader = Callable[["evogrid.Results[pl.DataFrame]", Path], object]

READERS: list[tuple[str, Reader]] = [
    ("runs.csv", lambda results, _: results.runs),
    ("runs.csv", lambda results, _: results.scan_runs()),
    ("runs.csv", lambda results, to: results.write_parquet(to)),
    ("runs.csv", lambda results, _: results.chart_description("ecdf")),
    ("summary.csv", lambda results, _: results.summary),
    ("summary.csv", lambda results, _: results._repr_html_()),
    ("trace.csv.gz", lambda results, _: results.traces),
    ("trace.csv.gz", lambda results, _: results.scan_traces()),
]


def without_a_field(line: bytes) -> bytes:
    return line[: line.rindex(b",")] + b"\n"


# What is done to the lines, the first of which is the header, and what is said for each table.
DAMAGES: list[tuple[Callable[[list[bytes]], list[bytes]], str]] = [
    (lambda lines: [*lines[:-1], lines[-1][:-5]], "it ends within a line"),
    (lambda lines: [*lines[:-1], lines[-1][:-1]], "it ends within a line"),
    (lambda lines: [*lines[:-2], without_a_field(lines[-2]), lines[-1]], "fields, and should have "),
    (lambda lines: [*lines[:-2], lines[-2][:-1] + b",7\n", lines[-1]], "fields, and should have "),
    (lambda lines: [*lines[:-3], without_a_field(lines[-3]), lines[-2][:-1] + b",7\n", lines[-1]], "fields, and should have "),
    (lambda lines: [*lines, lines[-1]], "twice|it has 841 runs"),
    (lambda lines: [*lines[:-2], lines[-2], lines[-2]], "twice"),
    (lambda lines: [lines[0].replace(b"u", b"v", 1), *lines[1:]], "expected the columns `"),
    (lambda lines: lines[1:], "expected the columns `"),
    (lambda _: [], "it is empty"),
]


@pytest.mark.parametrize("damage", range(len(DAMAGES)))
@pytest.mark.parametrize("reader", range(len(READERS)))
def test_a_damaged_table_is_refused(results: Path, tmp_path: Path, reader: int, damage: int) -> None:
    (name, read), (change, said) = READERS[reader], DAMAGES[damage]
    folder, path = copied(results, tmp_path), tmp_path / "copy" / name
    is_compressed = path.suffix == ".gz"
    lines = (gzip.decompress(path.read_bytes()) if is_compressed else path.read_bytes()).splitlines(keepends=True)
    changed = b"".join(change(lines))
    path.write_bytes(gzip.compress(changed) if is_compressed else changed)
    assert_refused(lambda: read(evogrid.load(folder), tmp_path / "parquet"), path, said)
    assert not (tmp_path / "parquet").exists()


@pytest.mark.parametrize("read", [read for name, read in READERS if name != "trace.csv.gz"])
def test_a_table_that_was_cut_at_a_line_is_refused(results: Path, tmp_path: Path, read: Reader) -> None:
    folder = copied(results, tmp_path)
    tables = {folder / name: (folder / name).read_bytes().splitlines(keepends=True) for name in ("runs.csv", "summary.csv")}
    for share in (0.0, 0.5, 1.0):
        for path, lines in tables.items():
            path.write_bytes(b"".join(lines[: 1 + int(share * (len(lines) - 2))]))
        with pytest.raises(evogrid.ResultsError, match=r"manifest\.json counts 840; `runner merge "):
            read(evogrid.load(folder), tmp_path / "parquet")
    call("merge", folder, "--quiet")
    assert evogrid.load(folder).runs.equals(evogrid.load(results).runs), "the remedy that is named"
    assert "nothing is wrong" in call("verify", folder, "--sample", "1")


@pytest.mark.parametrize("read", [read for name, read in READERS if name == "trace.csv.gz"])
@pytest.mark.parametrize("kept", [0, 5, 0.5, -4])
def test_compressed_bytes_that_were_cut_are_refused(results: Path, tmp_path: Path, read: Reader, kept: float) -> None:
    folder, path = copied(results, tmp_path), tmp_path / "copy/trace.csv.gz"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(kept * len(whole)) if kept == 0.5 else int(kept)])
    assert_refused(lambda: read(evogrid.load(folder), tmp_path / "parquet"), path, "damaged")


def test_runs_in_another_order_are_refused(results: Path, tmp_path: Path) -> None:
    folder, path = copied(results, tmp_path), tmp_path / "copy/runs.csv"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], *reversed(lines[1:])]))
    assert_refused(lambda: evogrid.load(folder).runs, path, "not in the order of the plan")


def test_quoted_fields_may_have_all_characters(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text('a,b\n"1,\n""2,""",3\n4,"5"\n6,7\n')
    assert checks.check_lines(path, ["a,b"]) == ("a,b", 3)
    for text, said in [('"1,\n', "it ends within a line"), ('"1,\n"\n', "line 3 has 1 fields"), ('"1",2,3\n', "line 2 has 3 fields")]:
        path.write_text(f"a,b\n{text}")
        with pytest.raises(evogrid.ResultsError, match=said):
            checks.check_lines(path, ["a,b"])


def copied(results: Path, into: Path) -> Path:
    """Tables that may be changed."""
    call("merge", results, "--out", into / "copy", "--quiet")
    return into / "copy"


def assert_refused(read: Callable[[], object], path: Path, said: str) -> None:
    """Whether a table is refused by its name, with what is wrong and what to do."""
    with pytest.raises(evogrid.ResultsError, match=said) as raised:
        read()
    assert str(raised.value).startswith(f"`{path}` is damaged: ")
    remedy = (
        f"; `runner merge {path.parent}` makes the tables anew from the journal, and `runner verify {path.parent}` then checks all files"
    )
    assert str(raised.value).endswith(remedy)

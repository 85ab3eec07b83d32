"""Every block of docs/python.md runs, and so does the notebook."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import ROOT, runner
from nbclient import NotebookClient

NOTEBOOK = ROOT / "notebooks/first.ipynb"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the experiments and data sets, in which `runner` is the tested binary."""
    for name in ("experiments", "datasets", "notebooks"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/runner").symlink_to(runner())
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_block_of_the_page_runs(workspace: Path) -> None:
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", (ROOT / "docs/python.md").read_text(), re.M | re.S)
    assert {language for language, _ in blocks} == {"sh", "python"}
    installing = [text for language, text in blocks if language == "sh" and text.startswith("pip install ")]
    assert installing == ["pip install './python[pandas,charts]'\n"], "scripts/python.sh tries this one"
    namespace: dict[str, object] = {}
    for language, text in blocks:
        if language == "python":
            exec(compile(text, "docs/python.md", "exec"), namespace)
        elif text not in installing:
            subprocess.run(text, shell=True, check=True, cwd=workspace)
    assert (workspace / "success.png").stat().st_size > 1000
    assert len(list(workspace.glob("tables/*.parquet"))) == 5


def test_the_notebook_runs_and_shows_figures(workspace: Path) -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    assert all(not cell.get("outputs") for cell in notebook.cells), "it is kept without outputs"
    done = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(workspace)}}).execute()
    shown = [output.data for cell in done.cells for output in cell.get("outputs", []) if "data" in output]
    assert sum("<th>success_rate (95 %)</th>" in data.get("text/html", "") for data in shown) == 1, "the summary"
    assert sum("image/png" in data for data in shown) == 2, "the charts"
    if target := os.environ.get("EVOGRID_EXECUTED_NOTEBOOK"):
        nbformat.write(done, target)  # type: ignore[no-untyped-call]

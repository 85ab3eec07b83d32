"""Finds and calls the binary `runner`."""

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from evogrid.errors import ResultsError

VARIABLE = "EVOGRID_RUNNER"


def find() -> Path:
    """The binary that `EVOGRID_RUNNER` names, or the binary installed with this package, or the first binary on the PATH."""
    if named := os.environ.get(VARIABLE):
        path = Path(named).expanduser()
        if not path.exists():
            raise ResultsError(f"{VARIABLE} names `{named}`, and there is no such file: expected the path of the binary `runner`")
        if path.is_dir():
            raise ResultsError(f"{VARIABLE} names `{named}`, which is a folder: expected the path of the binary `runner`")
        return path.absolute()
    found = shutil.which("runner", path=sysconfig.get_path("scripts")) or shutil.which("runner")
    if found is None:
        raise ResultsError(
            "the binary `runner` is needed for this, and is not there: "
            f"`pip install './python[pandas,charts]'` in a clone of Evogrid brings it; or set {VARIABLE} to its path"
        )
    return Path(found)


def call(arguments: Sequence[str | Path], accepted: Sequence[int] = (0,)) -> subprocess.CompletedProcess[str]:
    """Run the binary and return its output. Raise an error with its message if its exit status is not accepted."""
    program = find()
    _require_runner(program)
    done = _run(program, arguments)
    if done.returncode not in accepted:
        said = done.stderr.strip().removeprefix("error: ") or f"exit status {done.returncode}"
        raise ResultsError(said)
    return done


@cache
def _require_runner(program: Path) -> None:
    """Refuse any other program, because its arguments and messages would have another meaning."""
    try:
        is_runner = _run(program, ["--version"]).stdout.startswith("Evogrid ")
    except OSError as error:
        raise ResultsError(f"cannot start `{program}`: {error.strerror}; set {VARIABLE} to the path of the binary `runner`") from error
    if not is_runner:
        raise ResultsError(f"`{program}` is no Evogrid runner: set {VARIABLE} to the path of the binary `runner`")


def _run(program: Path, arguments: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    command = [str(program), *map(str, arguments)]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False
    )

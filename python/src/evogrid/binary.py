"""The binary `runner`: where it is, and how it is called."""

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from evogrid.errors import ResultsError

VARIABLE = "EVOGRID_RUNNER"


def find() -> Path:
    """The binary that `EVOGRID_RUNNER` names, else the one installed with this package, else the first on the PATH."""
    if named := os.environ.get(VARIABLE):
        if not Path(named).is_file():
            raise ResultsError(f"{VARIABLE} names `{named}`, and there is no such file")
        return Path(named)
    found = shutil.which("runner", path=sysconfig.get_path("scripts")) or shutil.which("runner")
    if found is None:
        raise ResultsError(
            f"the binary `runner` is needed for this, and is not there: `pip install evogrid` brings it; or set {VARIABLE} to its path"
        )
    return Path(found)


def call(arguments: Sequence[str | Path], accepted: Sequence[int] = (0,)) -> subprocess.CompletedProcess[str]:
    """Run the binary, and return what it printed; raise what it says if its exit status is not an accepted one."""
    command = [str(find()), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode not in accepted:
        said = done.stderr.strip().removeprefix("error: ") or f"exit status {done.returncode}"
        raise ResultsError(said)
    return done

"""Programs of one's own: `evogrid.program` answers a line with a line."""

import io
import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from evogrid.program import Report, serve


def line(seed: int, **settings: object) -> str:
    return json.dumps({"instance": "text", "seed": seed, "limits": {"evaluations": 10}, "settings": settings}) + "\n"


def solve(instance: str, seed: int, limits: dict[str, Any], settings: dict[str, Any], report: Report) -> Mapping[str, Any]:
    print("this is no answer")
    report(1, 9.5)
    report(limits["evaluations"], settings["best"], generations=2)
    return {"solution": f"{instance} {seed}", "evaluations": limits["evaluations"]}


def test_each_run_is_answered_with_its_improvements_and_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    output = io.StringIO()
    serve(solve, [line(7, best=3), line(8, best=4)], output)
    replies = [json.loads(reply) for reply in output.getvalue().splitlines()]
    assert len(replies) == 6
    assert replies[0] == {"improvement": True, "evaluations": 1, "best_fitness": 9.5}
    assert replies[4] == {"improvement": True, "evaluations": 10, "best_fitness": 4, "generations": 2}
    assert [reply["seed"] for reply in (replies[2], replies[5])] == [7, 8]
    assert replies[5]["solution"] == "text 8"
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "this is no answer\n" * 2


def test_an_exception_ends_the_program() -> None:
    def wrong(*_: object) -> Mapping[str, Any]:
        raise ValueError("no solution")

    with pytest.raises(ValueError, match="no solution"):
        serve(wrong, [line(1)], io.StringIO())


def test_a_program_begins_without_data_frames() -> None:
    code = "import sys, evogrid.program; print('polars' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"

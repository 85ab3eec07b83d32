"""Turns a function into a program for `kind = "external"`, in every mode (docs/external.md).

    from evogrid.program import serve

    def solve(instance, seed, limits, settings, report):
        ...
        report(evaluations, best_fitness)  # at an improvement, to make a trace
        return {"solution": ..., "evaluations": ..., "stop": "evaluations"}  # and "objective", on a problem of your own

    serve(solve)

`instance` is a text, `seed` is a whole number, and `limits` and `settings` are dictionaries. With `mode = "json"` the program gets one run;
with `mode = "server"` it gets one run after the other. The function is the same in the two modes. It must draw all random numbers from a
generator that it makes from the seed, and must not use any state of an earlier run. With `problem = "external"`, `best_fitness` is the
objective with its original sign.

This file needs only Python, and you may copy it beside a program.
"""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TextIO

__all__ = ["serve"]

Report = Callable[..., None]
Solve = Callable[[str, int, dict[str, Any], dict[str, Any], Report], Mapping[str, Any]]


def serve(solve: Solve, lines: Iterable[str] | None = None, output: TextIO | None = None) -> None:
    """Answer each line of standard input, which is a run, with one line on standard output, until the input ends.

    Output that `solve` prints goes to standard error, so it cannot be mistaken for an answer. An exception ends the program: the run has
    failed, and the end of the traceback is its message.
    """
    lines = iter(sys.stdin.readline, "") if lines is None else lines
    output = sys.stdout if output is None else output
    printed, sys.stdout = sys.stdout, sys.stderr
    try:
        for line in lines:
            run = json.loads(line)
            answer = solve(run["instance"], run["seed"], run["limits"], run["settings"], _report_to(output))
            _write(output, {**answer, "seed": run["seed"]})
    finally:
        sys.stdout = printed


def _report_to(output: TextIO) -> Report:
    def report(evaluations: int, best_fitness: float, **more: Any) -> None:  # noqa: ANN401
        _write(output, {"improvement": True, "evaluations": evaluations, "best_fitness": best_fitness, **more})

    return report


def _write(output: TextIO, reply: Mapping[str, Any]) -> None:
    output.write(json.dumps(reply) + "\n")
    output.flush()

#!/usr/bin/env python3
"""What ten programs in five languages get of each limit: asked for, measured by the system, and recorded.

    sudo python3 scripts/program_limits.py target/release/runner

Each program is run once for each limit, in control groups of its own (version 1: cpuacct and memory), whose counters belong to the kernel
and not to Evogrid. What `runner` itself needs is measured with a program that does nothing, and subtracted. Prints a table in Markdown for
docs/external.md; needs Linux, root, cc, perl, node and python3.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

RUNNER = os.path.abspath(sys.argv[1])
GROUPS = {name: pathlib.Path(f"/sys/fs/cgroup/{name}/evogrid-limits") for name in ("cpuacct", "memory")}

C_BUSY = "#include <stdlib.h>\nint main(void) { volatile unsigned long n = 0; for (;;) n++; }\n"
C_FORK = "#include <unistd.h>\nint main(void) { fork(); volatile unsigned long n = 0; for (;;) n++; }\n"
C_THREADS = """#include <pthread.h>
static void *work(void *none) { volatile unsigned long n = 0; for (;;) n++; return none; }
int main(void) { pthread_t other; pthread_create(&other, 0, work, 0); work(0); }
"""
C_MEMORY = """#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) { for (;;) { memset(malloc(1 << 20), 1, 1 << 20); usleep(5000); } }
"""
PROGRAMS = {
    "C, one thread": (C_BUSY, "cc -O1 -o {0} {1}", "{0}"),
    "C, two processes": (C_FORK, "cc -O1 -o {0} {1}", "{0}"),
    "C, two threads": (C_THREADS, "cc -O1 -pthread -o {0} {1}", "{0}"),
    "C, 200 MiB a second": (C_MEMORY, "cc -O1 -o {0} {1}", "{0}"),
    "Python": ("while True: pass\n", None, "python3 {1}"),
    "Python, two processes": ("import os\nos.fork()\nwhile True: pass\n", None, "python3 {1}"),
    "Python, asleep": ("import time\ntime.sleep(1000)\n", None, "python3 {1}"),
    "Perl": ("1 while 1;\n", None, "perl {1}"),
    "shell": ("while :; do :; done\n", None, "dash {1}"),
    "JavaScript": ("const held = []; for (;;) held.length < 3e7 && held.push(held.length);\n", None, "node {1}"),
}
LIMITS = {
    "`cpu_seconds = 1`": ("timeout = 5", "cpu_seconds = 1", "cpu_ms", 1000.0),
    "`seconds = 1`": ("", "seconds = 1", "wall_ms", 1000.0),
    "`memory = 150`": ("memory = 150", "seconds = 3", "memory_mib", 150.0),
}


def counters():
    cpu = int((GROUPS["cpuacct"] / "cpuacct.usage").read_text()) / 1e6
    memory = int((GROUPS["memory"] / "memory.max_usage_in_bytes").read_text()) / 2**20
    return cpu, memory


def measured(command, more, limit):
    """The processor time, wall time and memory that the system counted, and the record of the run."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "e.toml"
        path.write_text(
            f'[experiment]\nname = "e"\nseed = 1\nrepetitions = 1\n[[instances]]\nproblem = "external"\npath = "i.csv"\n'
            f"[algorithms.e]\nkind = \"external\"\ncommand = '{command}'\n{more}\n[budget]\n{limit}\n"
        )
        (pathlib.Path(folder) / "i.csv").write_text("id,n\na,1\n")
        for group in GROUPS.values():
            group.mkdir(exist_ok=True)
        (GROUPS["memory"] / "memory.force_empty").write_text("0")
        (GROUPS["memory"] / "memory.max_usage_in_bytes").write_text("0")
        cpu, begun = counters()[0], time.monotonic()

        def enter():
            for group in GROUPS.values():
                (group / "cgroup.procs").write_text(str(os.getpid()))

        subprocess.run([RUNNER, "run", "e.toml", "--jobs", "1", "--quiet"], cwd=folder, preexec_fn=enter, capture_output=True)
        wall = (time.monotonic() - begun) * 1e3
        after, memory = counters()
        journal = next((pathlib.Path(folder) / "results/e/journal").glob("*.jsonl"), None)
        record = next(line for line in journal.read_text().splitlines() if '"run_id"' in line) if journal else "{}"
        record = json.loads(record[record.index("{") : record.rindex("}") + 1])
        return {"cpu_ms": after - cpu, "wall_ms": wall, "memory_mib": memory}, record


def main():
    with tempfile.TemporaryDirectory() as folder:
        nothing = [measured("echo {{}}", "", "seconds = 1")[0] for _ in range(5)]
        own = {key: statistics.median(one[key] for one in nothing) for key in nothing[0]}
        print("| program | limit | asked | measured by the system | recorded | ended by |\n|---|---|---:|---:|---:|---|")
        for number, (name, (text, build, command)) in enumerate(PROGRAMS.items()):
            source, binary = f"{folder}/{number}{'.c' if build else ''}", f"{folder}/p{number}"
            pathlib.Path(source).write_text(text)
            if build:
                subprocess.run(build.format(binary, source).split(), check=True)
            for limit, (more, budget, key, asked) in LIMITS.items():
                found, record = measured(command.format(binary, source), more, budget)
                got, recorded = found[key] - own[key], record.get(key)
                recorded = "-" if recorded is None else f"{recorded:.0f}"
                print(f"| {name} | {limit} | {asked:.0f} | {got:.0f} | {recorded} | `{record.get('stop')}` |", flush=True)
    for group in GROUPS.values():
        group.rmdir()


main()

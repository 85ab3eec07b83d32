#!/usr/bin/env python3
"""Compares the limits of ten programs in five languages with the values that the system measured and that Evogrid recorded.

    sudo python3 scripts/program_limits.py target/release/runner

Each program runs three times for each limit, and the table has the medians. A separate control group counts processor time (version 1: cpuacct).
The system's record of the largest process gives resident memory, and a clock around the command gives wall time. The time of `runner` itself is
measured with a program that does nothing, and subtracted. After a kill the system takes back the memory of the program. This time is not work of
the program; it is measured without `runner` and shown separately. The script prints a table in Markdown for docs/external.md. It needs Linux,
root, cc, perl, node and python3.
"""

import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

RUNNER = os.path.abspath(sys.argv[1])
GROUP = pathlib.Path("/sys/fs/cgroup/cpuacct/evogrid-limits")
REPETITIONS = 3

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


def cpu_ms():
    return int((GROUP / "cpuacct.usage").read_text()) / 1e6


def measured(command, more, limit):
    """The processor time, wall time and memory that the system counted, and the record of the run."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "e.toml"
        path.write_text(
            f'[experiment]\nname = "e"\nseed = 1\nrepetitions = 1\n[[instances]]\nproblem = "external"\npath = "i.csv"\n'
            f"[algorithms.e]\nkind = \"external\"\ncommand = '{command}'\n{more}\n[budget]\n{limit}\n"
        )
        (pathlib.Path(folder) / "i.csv").write_text("id,n\na,1\n")
        GROUP.mkdir(exist_ok=True)
        cpu, begun = cpu_ms(), time.monotonic()
        runner = subprocess.Popen(
            [RUNNER, "run", "e.toml", "--jobs", "1", "--quiet"],
            cwd=folder,
            preexec_fn=lambda: (GROUP / "cgroup.procs").write_text(str(os.getpid())),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, _, usage = os.wait4(runner.pid, 0)
        wall, after, memory = (time.monotonic() - begun) * 1e3, cpu_ms(), usage.ru_maxrss / 1024
        journal = next((pathlib.Path(folder) / "results/e/journal").glob("*.jsonl"), None)
        record = next(line for line in journal.read_text().splitlines() if '"run_id"' in line) if journal else "{}"
        record = json.loads(record[record.index("{") : record.rindex("}") + 1])
        return {"cpu_ms": after - cpu, "wall_ms": wall, "memory_mib": memory}, record


def taken_back(command):
    """The processor and wall time in milliseconds from the kill of a program, which has run for one second, to its end."""
    program = subprocess.Popen(
        command.split(),
        preexec_fn=lambda: (os.setsid(), (GROUP / "cgroup.procs").write_text(str(os.getpid()))),
        stdout=subprocess.DEVNULL,
    )
    time.sleep(1)
    cpu, begun = cpu_ms(), time.monotonic()
    os.killpg(program.pid, signal.SIGKILL)
    program.wait()
    return {"cpu_ms": cpu_ms() - cpu, "wall_ms": (time.monotonic() - begun) * 1e3}


def main():
    with tempfile.TemporaryDirectory() as folder:
        nothing = [measured("echo {{}}", "", "seconds = 1")[0] for _ in range(5)]
        own = {key: statistics.median(one[key] for one in nothing) for key in nothing[0]}
        print("| program | limit | asked | measured by the system | of it after the kill | recorded | ended by |")
        print("|---|---|---:|---:|---:|---:|---|")
        for number, (name, (text, build, command)) in enumerate(PROGRAMS.items()):
            source, binary = f"{folder}/{number}{'.c' if build else ''}", f"{folder}/p{number}"
            pathlib.Path(source).write_text(text)
            if build:
                subprocess.run(build.format(binary, source).split(), check=True)
            kills = [taken_back(command.format(binary, source)) for _ in range(REPETITIONS)]
            for limit, (more, budget, key, asked) in LIMITS.items():
                runs = [measured(command.format(binary, source), more, budget) for _ in range(REPETITIONS)]
                # The system records only the largest of several processes, so memory is compared only for single processes.
                got = statistics.median(found[key] - (0 if key == "memory_mib" else own[key]) for found, _ in runs)
                recorded = [record[key] for _, record in runs if record.get(key) is not None]
                recorded = f"{statistics.median(recorded):.0f}" if recorded else "-"
                stops = ", ".join(sorted({f"`{record.get('stop')}`" for _, record in runs}))
                after = "-" if key == "memory_mib" else f"{statistics.median(one[key] for one in kills):.0f}"
                print(f"| {name} | {limit} | {asked:.0f} | {got:.0f} | {after} | {recorded} | {stops} |", flush=True)
    GROUP.rmdir()


main()

"""Tasks that do nothing: `noop.py HARNESS TASKS`. Processor time is that of this process and of all that it started, without imports."""
import json
import os
import sys
import tempfile
import time


def nothing(task):
    return task


def joblib_(n):
    from joblib import Parallel, delayed

    yield
    Parallel(n_jobs=2, backend="loky")(delayed(nothing)(task) for task in range(n))


def dask_(n):
    from distributed import Client, LocalCluster

    yield
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster, Client(cluster) as client:
        client.gather(client.map(nothing, range(n), pure=False))


def ray_(n):
    import ray

    yield
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    task = ray.remote(nothing)
    ray.get([task.remote(k) for k in range(n)])


def hydra_(n):
    import hydra

    yield
    folder = tempfile.mkdtemp()
    sys.argv[1:] = ["--multirun", f"+task=range({n})", f"hydra.sweep.dir={folder}", "hydra/job_logging=disabled", "hydra/hydra_logging=disabled"]
    hydra.main(version_base=None, config_path=None)(nothing)()


def processor_seconds():
    import psutil

    family = psutil.Process().children(recursive=True)
    alive = sum(sum(process.cpu_times()[:2]) for process in family)
    return sum(os.times()[:4]) + alive


def main():
    harness, n = sys.argv[1], int(sys.argv[2])
    steps = globals()[harness + "_"](n)
    next(steps)
    cpu, wall = processor_seconds(), time.perf_counter()
    next(steps, None)
    wall, cpu = time.perf_counter() - wall, processor_seconds() - cpu
    print(json.dumps({"work": n, "seconds": cpu, "wall": wall, "asked": n, "counted": n, "best": 0}), flush=True)


if __name__ == "__main__":
    main()

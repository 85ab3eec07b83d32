"""Prints success ratio and expected running time by algorithm and instance, computed by iohinspector from `runner export --format ioh`.

usage: read_ioh.py FOLDER [TARGET]        (pip install iohinspector==0.0.8)

`ert` uses the runs in the JSON files, each with its own evaluations, like our figure. `course_ratio` and `course_ert` are iohinspector's own
figures from the dat files. iohinspector counts every unsolved run with the evaluations of the longest run. So its figure equals ours only if
all runs used the same budget of evaluations.
"""

import sys

import polars
from iohinspector import DataManager, metrics

folder, target = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
manager = DataManager()
manager.add_folders([folder])
KEYS = ["algorithm_name", "function_id", "function_name", "dimension"]
solved, evals = polars.col("best_y") <= target, polars.col("evals")
listed = manager.overview.group_by(KEYS).agg(
    runs=polars.len(), success_ratio=solved.mean(), ert=evals.sum() / solved.sum()
)
courses = metrics.aggregate_running_time(
    manager.load(monotonic=True, include_meta_data=True),
    free_vars=KEYS,
    f_min=target,
    f_max=target,
    scale_f_log=False,
    eval_max=manager.overview["evals"].max(),
    return_as_pandas=False,
).select(*KEYS, course_ratio="success_ratio", course_ert="ERT")
print(listed.join(courses, on=KEYS, how="left").sort(KEYS).write_csv(float_precision=6), end="")

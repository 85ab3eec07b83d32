"""Success ratio and expected running time by algorithm and instance, as iohinspector has them of `runner export --format ioh`.

usage: read_ioh.py FOLDER [TARGET]        (pip install iohinspector==0.0.8)

`ert` is made of the runs that the JSON files list, each with its own evaluations, as ours is. `course_ratio` and `course_ert`
are iohinspector's own, of the courses in the dat files; it counts every unsolved run as long as the longest of all, so its
figure is the same only where they all used up one budget of evaluations.
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

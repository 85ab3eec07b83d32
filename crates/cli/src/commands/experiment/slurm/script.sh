#!/bin/bash
# {{ cluster.name }}{% if title %}: {{ title }}{% endif +%}
# {{ cluster.n_runs | counted("run") }} in {{ cluster.n_shards | counted("shard") }}. Written by `runner slurm`; its options change this file.
{% if is_array %}
#SBATCH --job-name={{ cluster.name }}
#SBATCH --array=1-{{ cluster.n_shards }}{% if cluster.at_once %}%{{ cluster.at_once }}{% endif +%}
#SBATCH --cpus-per-task={{ cluster.cpus }}
{% else %}
#SBATCH --job-name={{ cluster.name }}-merge
{% endif %}
#SBATCH --nodes=1
#SBATCH --ntasks=1
{{ output }}
# If a node fails, Slurm starts its job again on another node. The job then appends to its log.
#SBATCH --requeue
#SBATCH --open-mode=append
{% if is_array %}
# Two minutes before its time is up, the runner is told to stop.
#SBATCH --signal=B:TERM@120
{% endif %}
{% for option in options %}
{{ option }}
{% endfor %}

# The job ends at the first command that fails.
set -e
cd {{ cluster.folder | shell_path }}
{% for line in cluster.setup %}
{{ line }}
{% endfor %}

{% if is_array %}
# `exec` replaces the shell, which would not pass signals on to the runner. The number of shards is written out,
# because Slurm's variable counts the submitted tasks, and these are fewer when some are submitted again.
exec {{ cluster.runner | shell_path }} run {{ cluster.experiment | shell_path }}{% for set in cluster.sets %} \
    --set {{ set | shell_text }}{% endfor %} \
    --out {{ cluster.results | shell_path }} \
    --shard "$SLURM_ARRAY_TASK_ID/{{ cluster.n_shards }}"
{% else %}
exec {{ cluster.runner | shell_path }} merge {{ cluster.results | shell_path }}
{% endif %}

# {{ title | one_line }}, tuned with Optuna: python3 space.py [CONFIGURATIONS [SEED]]

import shlex
import subprocess
import sys
from pathlib import Path

import optuna

FOLDER = Path(__file__).resolve().parent
# The configuration without a tuner{{ "" if not space.outside else "; a value outside of its range is replaced by the middle of the range" }}.
BASE = {
{% for p in space.parameters %}
{% if p.is_active %}
    {{ p.path | quoted }}: {{ p.default | quoted }},
{% endif %}
{% endfor %}
}


def suggest(trial):
    """The settings of a configuration, by path."""
    settings = {}
{% for p in space.parameters %}
{% if p.condition %}
    if settings.get({{ p.condition.path | quoted }}) in {{ p.condition.values | quoted }}:
{% endif %}
    {{ "    " if p.condition }}settings[{{ p.path | quoted }}] = {% if p.kind == "choice" %}trial.suggest_categorical({{ p.path | quoted }}, {{ p.choices | quoted }}){% else %}trial.suggest_{{ "int" if p.kind == "integer" else "float" }}({{ p.path | quoted }}, {{ p.ends[0] | quoted }}, {{ p.ends[1] | quoted }}{{ ", log=True" if p.log }}){% endif %}

{% endfor %}
{% for together in space.forbidden %}
    if {% for one in together %}settings.get({{ one.path | quoted }}) == {{ one.values[0] | quoted }}{{ " and " if not loop.last }}{% endfor %}:
        raise optuna.TrialPruned
{% endfor %}
    return settings


def cost(settings, instance, seed):
    """The cost of one run."""
    call = ["sh", FOLDER / "target-runner", f"--instance={instance}", f"--seed={seed}"]
    call += [f"--{path}={value}" for path, value in settings.items()]
    answer = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(answer.split(";")[0].removeprefix("cost="))


def objective(trial):
    """The mean cost of one run on each instance. A trial that is worse than the others ends early."""
    settings, total = suggest(trial), 0
    instances = (FOLDER / "instances.txt").read_text().splitlines()
    for number, instance in enumerate(instances):
        total += cost(settings, instance, number)
        trial.report(total / (number + 1), number)
        if trial.should_prune():
            raise optuna.TrialPruned
    return total / len(instances)


if __name__ == "__main__":
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    study.enqueue_trial(BASE)
    study.optimize(objective, trials)
    print("mean cost", study.best_value)
    print(*("--set " + shlex.quote(f"{path}={value}") for path, value in study.best_params.items()))

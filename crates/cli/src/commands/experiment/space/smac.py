# {{ title | one_line }}, tuned with SMAC3: python3 tune.py [RUNS [SEED]]

import shlex
import sys
from pathlib import Path

from ConfigSpace import ConfigurationSpace
from smac import AlgorithmConfigurationFacade, Scenario

folder = Path(__file__).resolve().parent
runs = int(sys.argv[1]) if len(sys.argv) > 1 else {{ n_runs }}
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
target = folder / "target-runner"
target.chmod(0o755)
space = ConfigurationSpace.from_json(folder / "space.json")
space.seed(seed)
instances = (folder / "instances.txt").read_text().splitlines()
scenario = Scenario(
    space,
    n_trials=runs,
    seed=seed,
    instances=instances,
    instance_features={name: [number] for number, name in enumerate(instances)},
    output_directory=folder / "smac3_output",
    crash_cost=1e12,  # above every cost, because the model of SMAC3 accepts no infinite cost
)
smac = AlgorithmConfigurationFacade(scenario, str(target), overwrite=True)
best = smac.optimize()
print("mean cost", smac.runhistory.get_cost(best))
print(*("--set " + shlex.quote(f"{path}={value}") for path, value in dict(best).items()))

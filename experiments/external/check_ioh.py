"""The checker of PBO and BBOB: the package `ioh` computes the value of a solution in a separate process."""

import json
import sys

import ioh

for line in sys.stdin:
    question = json.loads(line)
    instance, solution = json.loads(question["instance"]), json.loads(question["solution"])
    suite = ioh.ProblemClass.BBOB if instance.get("suite") == "BBOB" else ioh.ProblemClass.PBO
    function = ioh.get_problem(instance["function"], instance["instance"], instance["n"], suite)
    if len(solution) != instance["n"]:
        answer = {"error": f"expected {instance['n']} numbers"}
    elif suite == ioh.ProblemClass.BBOB:
        answer = {"objective": function(solution) - function.optimum.y}
    else:
        answer = {"objective": function(solution)}
    print(json.dumps(answer), flush=True)

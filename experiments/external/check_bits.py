"""The checker of bit strings: OneMax and LeadingOnes, counted without the code of the searches."""

import json
import sys

for line in sys.stdin:
    question = json.loads(line)
    instance, solution = json.loads(question["instance"]), question["solution"]
    if len(solution) != instance["n"] or set(solution) - {"0", "1"}:
        answer = {"error": f"expected {instance['n']} digits 0 or 1"}
    elif instance["function"] == "OneMax":
        answer = {"objective": solution.count("1")}
    else:
        answer = {"objective": len(solution) - len(solution.lstrip("1"))}
    print(json.dumps(answer), flush=True)

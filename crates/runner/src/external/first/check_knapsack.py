"""The checker: computes the profit of a solution of the knapsack problem, without the code of the searches."""

import json
import sys

for line in sys.stdin:
    question = json.loads(line)
    instance, solution = json.loads(question["instance"]), question["solution"]
    weights = [int(word) for word in instance["weights"].split()]
    profits = [int(word) for word in instance["profits"].split()]
    chosen = [place for place, bit in enumerate(solution) if bit == "1"]
    if len(solution) != len(weights) or set(solution) - {"0", "1"}:
        answer = {"error": f"expected {len(weights)} digits 0 or 1"}
    elif sum(weights[place] for place in chosen) > instance["capacity"]:
        answer = {"error": f"the weight is {sum(weights[place] for place in chosen)}, more than {instance['capacity']}"}
    else:
        answer = {"objective": sum(profits[place] for place in chosen)}
    print(json.dumps(answer), flush=True)

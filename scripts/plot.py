"""Success rate against a varied setting, by bucket, with 95 % intervals, from a summary.csv.

usage: plot.py results/popsize/summary.csv population success.svg
"""

import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

path, setting, output = sys.argv[1:4]
with open(path, newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["bucket"] != "all"]
figure, axes = plt.subplots(figsize=(4.5, 3), layout="constrained")
# Okabe and Ito's colours, told apart by the colour-blind too.
for bucket, colour, marker in zip(dict.fromkeys(row["bucket"] for row in rows), ["#009E73", "#0072B2", "#E69F00", "#D55E00"], "osD^"):
    chosen = [row for row in rows if row["bucket"] == bucket]
    rate = [100 * float(row["success_rate"]) for row in chosen]
    low = [rate - 100 * float(row["success_low"]) for rate, row in zip(rate, chosen)]
    high = [100 * float(row["success_high"]) - rate for rate, row in zip(rate, chosen)]
    x = [float(row[setting]) for row in chosen]
    axes.errorbar(x, rate, [low, high], label=bucket, color=colour, marker=marker, capsize=3)
axes.set(xlabel=setting, ylabel="runs solved (%), 95 % interval", ylim=(-3, 103))
axes.legend(frameon=False)
figure.savefig(output)

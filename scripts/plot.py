"""Draws the success rate against a varied setting from a summary.csv, with one line for each bucket and 95 % intervals.

usage: plot.py results/popsize/summary.csv population success.svg [NAME=VALUE]...    (only the rows with these values)
"""
import csv
import sys

if len(sys.argv) < 4:
    sys.exit(__doc__.strip())
if len(sys.argv) < 4:
    sys.exit(__doc__.strip())
path, setting, output, *choices = sys.argv[1:]
import matplotlib.pyplot as plt

with open(path, newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["bucket"] != "all"]
for name, value in (choice.split("=", 1) for choice in choices):
    rows = [row for row in rows if row[name] == value]
if not rows or setting not in rows[0]:
    sys.exit(f"{path} has no rows with a column {setting}" + ("".join(f" and {choice}" for choice in choices)))
if len({(row["bucket"], row[setting]) for row in rows}) < len(rows):
    sys.exit("several rows for one point: choose some, as in algorithm=huke")
is_number = all(row[setting].replace(".", "", 1).isdigit() for row in rows)
# The colours of Okabe and Ito, which colour-blind readers can also distinguish.
plt.rcParams["axes.prop_cycle"] = plt.cycler(color=["#009E73", "#0072B2", "#E69F00", "#D55E00", "#CC79A7", "#56B4E9"])
figure, axes = plt.subplots(figsize=(5, 3 if is_number else 6), layout="constrained")
for at, bucket in enumerate(dict.fromkeys(row["bucket"] for row in rows)):
    line = [row for row in rows if row["bucket"] == bucket]
    x = [float(row[setting]) if is_number else row[setting] for row in line]
    y, low, high = ([100 * float(row[f"success_{end}"]) for row in line] for end in ("rate", "low", "high"))
    ends = [[y - low for y, low in zip(y, low)], [high - y for y, high in zip(y, high)]]
    axes.errorbar(x, y, ends, label=bucket, marker="osD^vP"[at % 6], ls="-" if is_number else "", capsize=3)
axes.set(xlabel=setting, ylabel="runs solved (%), 95 % interval", ylim=(-3, 103))
axes.tick_params("x", rotation=0 if is_number else 90)
figure.legend(loc="outside right center", frameon=False)
figure.savefig(output)

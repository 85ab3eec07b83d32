"""A search for `kind = "external"`: annealing at a constant temperature (docs/external.md, experiments/external.toml).

    external_example.py INSTANCE SEED EVALUATIONS TEMPERATURE

INSTANCE is the value of `{instance}`: the shape of a box, a space, and the board in one line, with `.` for a free cell. Each box is filled
with its missing digits. A step swaps two of these digits. If a step makes rows and columns miss more digits, it is taken back, with a
probability that grows with the number of these digits. The program prints only its answer: one line of JSON.
"""

import json
import math
import random
import sys

DIGITS = ".123456789ABCDEFGHIJKLMNOP"


def read(instance):
    """The board as numbers (0: free), its side, and the cells of every box."""
    shape, text = instance.split()
    box_rows, box_cols = map(int, shape.split("x"))
    side = box_rows * box_cols
    boxes = [
        [(top + row) * side + left + col for row in range(box_rows) for col in range(box_cols)]
        for top in range(0, side, box_rows)
        for left in range(0, side, box_cols)
    ]
    return [DIGITS.index(cell) for cell in text], side, boxes


def missing(board, line):
    """The number of digits that are missing in a row or column."""
    return len(line) - len({board[cell] for cell in line})


def anneal(instance, seed, evaluations, temperature):
    chance = random.Random(seed)
    board, side, boxes = read(instance)
    open_boxes = []
    for box in boxes:
        free = [cell for cell in box if board[cell] == 0]
        digits = [digit for digit in range(1, side + 1) if all(board[cell] != digit for cell in box)]
        chance.shuffle(digits)
        for cell, digit in zip(free, digits):
            board[cell] = digit
        if len(free) > 1:
            open_boxes.append(free)

    rows = [list(range(start, start + side)) for start in range(0, side * side, side)]
    cols = [list(range(start, side * side, side)) for start in range(side)]
    fitness = sum(missing(board, line) for line in rows + cols)
    best, best_board, found_at, spent = fitness, board[:], 1, 1
    while best > 0 and spent < evaluations and open_boxes:
        one, other = chance.sample(chance.choice(open_boxes), 2)
        lines = [rows[one // side], rows[other // side], cols[one % side], cols[other % side]]
        before = sum(missing(board, line) for line in lines)
        board[one], board[other] = board[other], board[one]
        change = sum(missing(board, line) for line in lines) - before
        # A line that contains the two cells is counted twice, and does not change.
        spent += 1
        if change > 0 and chance.random() >= math.exp(-change / temperature):
            board[one], board[other] = board[other], board[one]
            continue
        fitness += change
        if fitness < best:
            best, best_board, found_at = fitness, board[:], spent
    answer = {
        "solution": "".join(DIGITS[digit] for digit in best_board),
        "best_fitness": best,
        "evaluations": spent,
        "evaluations_to_best": found_at,
    }
    if best > 0:
        answer["stop"] = "evaluations"
    return answer


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    print(json.dumps(anneal(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))))

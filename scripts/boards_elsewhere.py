#!/usr/bin/env python3
"""Writes boards that we may not distribute as CSV files into datasets/elsewhere.

    python3 scripts/boards_elsewhere.py [FOLDER]

Lloyd and Amos (IEEE Transactions on Games, 2019): the first 40 boards of 16x16 and of 25x25 at each share of fixed cells from 30 to
60 per cent, from one commit of github.com/huwlloyd-mmu/sudoku_acs. Experiments and this script name the checksums of the files.
FOLDER contains a clone of this repository; without FOLDER, git fetches a clone.
"""

import hashlib
import pathlib
import subprocess
import sys
import tempfile

REPOSITORY = "https://github.com/huwlloyd-mmu/sudoku_acs"
COMMIT = "5181658dd674731029e7703241cfd22c3d3c936d"
FILES = {
    "lloyd-amos-16x16.csv": (16, "d4f7b46368c8438216c0c5bc45cc8dd57adf51c1f93f57489301d31acfaa198d"),
    "lloyd-amos-25x25.csv": (25, "fac9dfbb03e4f23c20b93ae7e5b7f625a8204c1e81409eecc833dd146f1a723a"),
}
SYMBOLS = ".123456789ABCDEFGHIJKLMNOP"


def git(*arguments):
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def board(text):
    # The order of the boxes, one more number, then the cells row by row; -1 is free.
    numbers = [int(word) for word in text.split()]
    return "".join(SYMBOLS[max(number, 0)] for number in numbers[2:])


def main():
    target = pathlib.Path(__file__).resolve().parent.parent / "datasets" / "elsewhere"
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as clone:
        if len(sys.argv) > 1:
            clone = sys.argv[1]
        else:
            git("-C", clone, "init", "--quiet")
            git("-C", clone, "fetch", "--quiet", "--depth", "1", REPOSITORY, COMMIT)
        for name, (side, checksum) in FILES.items():
            rows = ["id,bucket,puzzle"]
            for share in range(30, 65, 5):
                for number in range(40):
                    instance = f"inst{side}x{side}_{share}_{number}"
                    text = git("-C", clone, "show", f"{COMMIT}:instances/general/{instance}.txt")
                    rows.append(f"{instance},{share}-percent,{board(text)}")
            content = "\n".join(rows) + "\n"
            found = hashlib.sha256(content.encode()).hexdigest()
            if found != checksum:
                sys.exit(f"{name}: the checksum is {found}, but should be {checksum}: nothing is written")
            (target / name).write_text(content)
            print(f"{target / name}: {len(rows) - 1} boards")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs `taw reach --search symcretic` on the subjects of the symcretic dissertation, each label on its own, and compares with the truth and with its table 4.2.

    bench/symcretic.py [--taw target/release/taw] [--only TEXT] [--limit 10] [--save]

Printed are the labels that are decided wrongly or not at all, those that took more than the limit of processor time, and a table: for each program the labels that
are right, the segments of those that table 4.2 has, its figure, and the most processor seconds of one label, loading and native runs included.
"""

import argparse
import csv
from collections import defaultdict
from pathlib import Path

from reaching import reach
from results import Results

ROOT = Path(__file__).resolve().parent.parent

# Table 4.2, "total segments explored", and the labels that are its targets; none: it has no such figure (sine is not covered there).
TABLE = {
    "dart.c": (1, ["dart_fig43"]),
    "easy_loop.c": (13, ["easy_loop"]),
    "hard_loop.c": (25, ["hard_loop"]),
    "narrow.c": (3, ["narrow"]),
    "sine.c": (None, []),
    "tcas.c": (705, ["tcas_upward", "tcas_downward", "tcas_unresolved"]),
    "trityp.c": (25, ["trityp_scalene", "trityp_isosceles", "trityp_equilateral"]),
    "tsafe.c": (33, ["tsafe_closer", "tsafe_loss", "tsafe_turn_done"]),
    "slicing.c": (1023, ["slicing_error"]),
    "unreach.c": (1, ["unreach_error"]),
}


def labels(corpus, only):
    """(file, label, entries): of a label that nothing reaches all entries of its file."""
    rows = [row for row in csv.DictReader((corpus / "targets.csv").open()) if row["file"] in TABLE]
    entries = defaultdict(dict)
    for row in rows:
        if row["entry"]:
            entries[row["file"]][row["entry"]] = True
    for row in rows:
        if only in f"{row['file']}:{row['label']}":
            yield row["file"], row["label"], [row["entry"]] if row["entry"] else list(entries[row["file"]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taw", type=Path, default=ROOT / "target/release/taw")
    parser.add_argument("--corpus", type=Path, default=ROOT / "tests/corpus")
    parser.add_argument("--only", default="", help="labels whose file:name contains this")
    parser.add_argument("--limit", type=int, default=10, help="seconds per label")
    parser.add_argument("--save", action="store_true", help="keep every run in bench/results")
    arguments = parser.parse_args()
    results = Results("symcretic", arguments.taw, arguments.save)
    right, total, segments, most = (defaultdict(int) for _ in range(4))
    for file, label, entries in labels(arguments.corpus, arguments.only):
        words = [arguments.corpus / file, "--marker", "reach", "--search", "symcretic", "--target", f"label:{label}"]
        words += [word for entry in entries for word in ("--entry", entry)]
        answer, wall, cost = reach(arguments.taw, words, arguments.limit, 0)
        row, used = answer["targets"][0], answer["backward"]["segments"]
        truth = "reached" if len(entries) == 1 and row["verdict"] != "unreachable" else "unreachable"
        truth = "unreachable" if label in ("tcas_conflict", "tsafe_h0_over", "tsafe_h1_over", "slicing_error", "unreach_error") else "reached"
        is_right = row["verdict"] == truth and (truth == "unreachable" or row["confirmed"]) and cost <= arguments.limit
        total[file], right[file], most[file] = total[file] + 1, right[file] + is_right, max(most[file], cost)
        segments[file] += used if label in TABLE[file][1] else 0
        results.add({"file": file, "label": label, "verdict": row["verdict"], "segments": used, "cpu": cost, "wall": wall})
        if not is_right:
            print(f"  {file} {label}: {row['verdict']} after {used} segments, CPU {cost:.1f} s: {row.get('reason')}", flush=True)
    print(f"{'program':12} {'labels':>8} {'right':>6} {'segments':>9} {'table 4.2':>9} {'CPU s':>6}")
    for file in total:
        table = TABLE[file][0]
        print(f"{file:12} {total[file]:8} {right[file]:6} {segments[file] if table else '-':>9} {table or '-':>9} {most[file]:6.1f}")
    print(f"{'all':12} {sum(total.values()):8} {sum(right.values()):6}")
    results.done()


if __name__ == "__main__":
    main()

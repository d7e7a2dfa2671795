#!/usr/bin/env python3
"""Runs `taw reach` on every entry of the corpus with no flags, and compares each verdict with the truth.

    bench/corpus.py [--taw target/release/taw] [--only TEXT] [--limit 10] [--seeds 1] [--save]

The targets of an entry are its reachable labels and all unreachable ones of its file. Printed are the verdicts that are not
the truth (or reached without a native run that confirms it), the entries that took more than a second, and the sums. Seconds are
those of the wall and of the processor (the fairer figure on a machine that does other things too), loading and native
runs included.
"""

import argparse
import csv
from collections import defaultdict
from pathlib import Path

from reaching import reach
from results import Results

ROOT = Path(__file__).resolve().parent.parent


def entries(corpus, only):
    """By (file, entry): the labels that are reachable; by file: those that are not."""
    reachable, never = defaultdict(list), defaultdict(list)
    for row in csv.DictReader((corpus / "targets.csv").open()):
        if row["status"] == "unreachable":
            never[row["file"]].append(row["label"])
        else:
            reachable[row["file"], row["entry"]].append(row["label"])
    chosen = {key: labels for key, labels in reachable.items() if only in f"{key[0]}:{key[1]}"}
    return chosen, never


def one_pass(arguments, chosen, never, seed, results):
    """Labels decided rightly, labels, wall seconds, CPU seconds."""
    right = total = 0
    walls = spent = 0.0
    for (file, entry), labels in chosen.items():
        wanted = labels + never[file]
        words = [arguments.corpus / file, "--entry", entry, "--marker", "reach", "-DCHECK_POST"]
        words += [word for label in wanted for word in ("--target", f"label:{label}")]
        answer, wall, cost = reach(arguments.taw, words, arguments.limit, seed)
        walls, spent, total = walls + wall, spent + cost, total + len(wanted)
        verdicts = {label: row["verdict"] for label, row in zip(wanted, answer["targets"])}
        results.add({"file": file, "entry": entry, "seed": seed, "wall": wall, "cpu": cost, "verdicts": verdicts})
        for label, row in zip(wanted, answer["targets"]):
            truth = "reached" if label in labels else "unreachable"
            if row["verdict"] == truth and (truth == "unreachable" or row["confirmed"]):
                right += 1
            else:
                print(f"  {file} {entry}: {label} is {row['verdict']}: {row.get('reason') or 'not confirmed'}")
        if cost > 1:
            print(f"  {file} {entry}: {wall:.1f} s, CPU {cost:.1f} s", flush=True)
    return right, total, walls, spent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taw", type=Path, default=ROOT / "target/release/taw")
    parser.add_argument("--corpus", type=Path, default=ROOT / "tests/corpus")
    parser.add_argument("--only", default="", help="entries whose file:name contains this")
    parser.add_argument("--limit", type=int, default=10, help="seconds per entry")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--save", action="store_true", help="keep every run in bench/results")
    arguments = parser.parse_args()
    chosen, never = entries(arguments.corpus, arguments.only)
    results = Results("corpus", arguments.taw, arguments.save)
    for seed in range(arguments.seeds):
        right, total, wall, spent = one_pass(arguments, chosen, never, seed, results)
        print(f"seed {seed}: {right} of {total} verdicts right, {len(chosen)} entries, {wall:.0f} s, CPU {spent:.0f} s", flush=True)
    results.done()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares strategies of `taw reach` on the programs of bench/strategies.set by what they spend, not by the clock.

    bench/strategies.py [--taw target/release/taw] [--seeds 5] [--max-time 10] [--only TEXT] [--save] [STRATEGY ...]

For each program and strategy: targets reached (median over the seeds, of how many), CPU seconds of the whole process (median),
and million instructions and queries (medians), which are the same on every machine. `taw bench strategies` measures wall
time, as the dissertation does; on a machine that does other things too, this one is the fairer. --save keeps every run, and
`bench/tables.py` makes the table of strategies.md of that.
"""

import argparse
import os
import shlex
import statistics

from reaching import reach
from results import Results

HERE = os.path.dirname(os.path.abspath(__file__))

STRATEGIES = [
    "DFS", "BFS", "RP", "KLEE", "SAGE", "SDSE", "SDSE-pr", "SDSE-intra", "SDSE-rr", "SDSE-age",
    "B(SDSE)", "RR(RP,SDSE)", "B(RR(RP,SDSE))", "B(Ph(KLEE,RR(RP,SDSE-rr),3))",
    "RR(RP,SDSE-age)", "RR(B(RP),SDSE-age)", "B(RR(RP,SDSE-age))", "RR(KLEE,SDSE-age)",
    "RR(KLEE,SDSE,SDSE-age)", "RR(KLEE,RR(SDSE,SDSE-age))",
]


def run(taw, words, strategy, seed, limit):
    """One run, as a row of figures."""
    document, wall, cpu = reach(taw, [*words, "--no-replay"], limit, seed, strategy, cwd=HERE)
    stats = document["stats"]
    return {
        "reached": document["reached"],
        "targets": len(document["targets"]),
        "wall": wall,
        "cpu": cpu,
        "instructions": stats["instructions"],
        "queries": stats["queries"],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strategies", nargs="*", default=STRATEGIES, metavar="STRATEGY")
    parser.add_argument("--taw", default=os.path.join(os.path.dirname(HERE), "target", "release", "taw"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--max-time", type=int, default=10)
    parser.add_argument("--only", default="")
    parser.add_argument("--save", action="store_true", help="keep every run in bench/results")
    args = parser.parse_args()
    args.taw = os.path.abspath(args.taw)
    with open(os.path.join(HERE, "strategies.set"), encoding="utf-8") as lines:
        subjects = [shlex.split(line, comments=True) for line in lines]
    results = Results("strategies", args.taw, args.save)
    print(f"{'program':<14} {'strategy':<30} {'reached':>9} {'CPU s':>7} {'M instr':>8} {'queries':>8}")
    for words in subjects:
        if not words or args.only not in words[0]:
            continue
        name = os.path.basename(words[0]).removesuffix(".c")
        for strategy in args.strategies:
            runs = [run(args.taw, words, strategy, seed, args.max_time) for seed in range(1, args.seeds + 1)]
            for seed, row in enumerate(runs, 1):
                results.add({"program": name, "strategy": strategy, "seed": seed, "limit": args.max_time, **row})
            print(line(name, strategy, runs), flush=True)
    results.done()


def line(name, strategy, runs):
    """The medians of some runs."""
    median = {key: statistics.median(row[key] for row in runs) for key in ("reached", "targets", "cpu", "instructions", "queries")}
    share = f"{median['reached']:g}/{median['targets']:g}"
    return f"{name:<14} {strategy:<30} {share:>9} {median['cpu']:>7.2f} {median['instructions'] / 1e6:>8.2f} {median['queries']:>8.0f}"


if __name__ == "__main__":
    main()

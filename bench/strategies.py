#!/usr/bin/env python3
"""Compares strategies of `taw reach` on the programs of bench/strategies.set by what they spend, not by the clock.

    bench/strategies.py [--taw target/release/taw] [--seeds 5] [--max-time 10] [--only TEXT] [STRATEGY ...]

For each program and strategy: targets reached (median over the seeds, of how many), CPU seconds of the whole process (median),
and million instructions and queries (medians), which are the same on every machine. `taw bench strategies` measures wall
time, as the dissertation does; on a machine that does other things too, this one is the fairer.
"""

import argparse
import os
import shlex
import statistics

from reaching import reach

HERE = os.path.dirname(os.path.abspath(__file__))

STRATEGIES = [
    "DFS", "BFS", "RP", "KLEE", "SAGE", "SDSE", "SDSE-pr", "SDSE-intra", "SDSE-rr", "SDSE-age",
    "B(SDSE)", "RR(RP,SDSE)", "B(RR(RP,SDSE))", "B(Ph(KLEE,RR(RP,SDSE-rr),3))",
    "RR(RP,SDSE-age)", "RR(B(RP),SDSE-age)", "B(RR(RP,SDSE-age))", "RR(KLEE,SDSE-age)",
    "RR(KLEE,SDSE,SDSE-age)", "RR(KLEE,RR(SDSE,SDSE-age))",
]


def run(taw, words, strategy, seed, limit):
    """One run; gives targets reached and in all, CPU seconds, instructions, queries."""
    document, _, cpu = reach(taw, [*words, "--no-replay"], limit, seed, strategy, cwd=HERE)
    stats = document["stats"]
    return document["reached"], len(document["targets"]), cpu, stats["instructions"] / 1e6, stats["queries"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strategies", nargs="*", default=STRATEGIES, metavar="STRATEGY")
    parser.add_argument("--taw", default=os.path.join(os.path.dirname(HERE), "target", "release", "taw"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--max-time", type=int, default=10)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    args.taw = os.path.abspath(args.taw)
    with open(os.path.join(HERE, "strategies.set"), encoding="utf-8") as lines:
        subjects = [shlex.split(line, comments=True) for line in lines]
    print(f"{'program':<14} {'strategy':<30} {'reached':>9} {'CPU s':>7} {'M instr':>8} {'queries':>8}")
    for words in subjects:
        if not words or args.only not in words[0]:
            continue
        name = os.path.basename(words[0]).removesuffix(".c")
        for strategy in args.strategies:
            runs = [run(args.taw, words, strategy, seed, args.max_time) for seed in range(1, args.seeds + 1)]
            reached, total, cpu, instructions, queries = (statistics.median(column) for column in zip(*runs))
            share = f"{reached:g}/{total:g}"
            print(f"{name:<14} {strategy:<30} {share:>9} {cpu:>7.2f} {instructions:>8.2f} {queries:>8.0f}", flush=True)


if __name__ == "__main__":
    main()

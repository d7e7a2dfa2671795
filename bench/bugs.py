#!/usr/bin/env python3
"""Measures how long `taw reach` takes to the ten known bugs of GNU coreutils 6.10, the benchmark of the Otter dissertation.

    bench/bugs.py [FOLDER] [--taw target/release/taw] [--seeds 3] [--max-time 120] [--only TEXT] [--save] [STRATEGY ...]

FOLDER (or TAW_COREUTILS_610) holds mkdir, mkfifo, mknod, paste, seq, ptx, md5sum, tac and pr of version 6.10, built with
`taw cc -g -O0`. A strategy `default` is no --search at all. Sizes of arguments and files are the dissertation's.

For each bug and strategy, medians over the seeds: wall seconds until the error was found (the limit for a run that does not
find it), CPU seconds of the whole process (loading, native runs and writing included; the fairer figure on a machine that does
other things too); in how many runs it was found, and what the native program said: `confirmed` if it failed as well, `place`
if it got there without showing the error, which is all that can be seen of a bad read in a program without sanitizers.
--save keeps every run, and `bench/tables.py` makes the table of bugs.md of that.
"""

import argparse
import os
import shlex
import statistics

from reaching import reach
from results import Results

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

UP_TO_THREE = "--sym-args 0 1 10 --sym-args 0 2 2"

# Name, program, place, inputs. The place of paste is that of the bug; the dissertation's is a later victim of it.
BUGS = [
    ("mkdir", "mkdir", "quotearg.c:248", UP_TO_THREE),
    ("mkfifo", "mkfifo", "quotearg.c:248", UP_TO_THREE),
    ("mknod", "mknod", "quotearg.c:248", "--sym-args 0 1 10 --sym-args 0 3 2"),
    ("paste", "paste", "paste.c:93", UP_TO_THREE),
    ("seq", "seq", "seq.c:215", UP_TO_THREE),
    ("ptx", "ptx", "ptx.c:312", UP_TO_THREE),
    ("ptx2", "ptx", "ptx.c:1510", "--sym-arg 2 --sym-arg 2 --sym-files 1 1"),
    ("md5sum", "md5sum", "md5sum.c:213", UP_TO_THREE + " --sym-files 1 8"),
    ("tac", "tac", "regexec.c:566", "--sym-arg 2 --sym-arg 2 --sym-arg 2 --sym-files 1 1"),
    ("pr", "pr", "pr.c:2670", "--sym-arg 2 --sym-arg 1 --sym-files 1 2"),
]


def run(taw, program, place, inputs, strategy, seed, limit):
    """One run: seconds until the target was reached or the limit, CPU seconds, and the word for what became of it."""
    words = [program, "--target", place + "!", *shlex.split(inputs)]
    answer, _, cpu = reach(taw, words, limit, seed, strategy)
    row = answer["targets"][0]
    if row["verdict"] != "reached":
        return limit, cpu, row["verdict"]
    return row["time_s"], cpu, "confirmed" if row["confirmed"] else "place"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.environ.get("TAW_COREUTILS_610"))
    parser.add_argument("strategies", nargs="*", default=["default", "B(RR(RP,SDSE))", "KLEE"], metavar="STRATEGY")
    parser.add_argument("--taw", default=os.path.join(ROOT, "target", "release", "taw"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--max-time", type=int, default=120)
    parser.add_argument("--only", default="")
    parser.add_argument("--save", action="store_true", help="keep every run in bench/results")
    args = parser.parse_args()
    if not args.folder:
        parser.error("where are the programs? Name their folder, or set TAW_COREUTILS_610")
    results = Results("bugs", args.taw, args.save)
    totals = {strategy: [0.0, 0.0] for strategy in args.strategies}
    print(f"{'bug':<8} {'place':<16} {'strategy':<30} {'seconds':>8} {'CPU s':>7} {'found':>6}  native")
    for name, program, place, inputs in BUGS:
        if args.only not in name:
            continue
        path = os.path.join(os.path.abspath(args.folder), program)
        for strategy in args.strategies:
            seeds = range(1, args.seeds + 1)
            runs = [run(args.taw, path, place, inputs, strategy, seed, args.max_time) for seed in seeds]
            for seed, (second, cost, word) in zip(seeds, runs):
                row = {"seconds": second, "cpu": cost, "verdict": word, "limit": args.max_time}
                results.add({"bug": name, "strategy": strategy, "seed": seed, **row})
            seconds, cpu, words = zip(*runs)
            wall, cpu = statistics.median(seconds), statistics.median(cpu)
            totals[strategy] = [totals[strategy][0] + wall, totals[strategy][1] + cpu]
            share = f"{sum(word in ('confirmed', 'place') for word in words)}/{len(runs)}"
            said = ", ".join(sorted(set(words)))
            print(f"{name:<8} {place:<16} {strategy:<30} {wall:>8.2f} {cpu:>7.2f} {share:>6}  {said}", flush=True)
    results.done()
    for strategy, (wall, cpu) in totals.items():
        print(f"{'total':<8} {'':<16} {strategy:<30} {wall:>8.2f} {cpu:>7.2f}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures how long `taw reach` takes to the ten known bugs of GNU coreutils 6.10, the benchmark of the Otter dissertation.

    bench/bugs.py [FOLDER] [--taw target/release/taw] [--seeds 3] [--max-time 120] [--only TEXT] [STRATEGY ...]

FOLDER (or TAW_COREUTILS_610) holds mkdir, mkfifo, mknod, paste, seq, ptx, md5sum, tac and pr of version 6.10, built with
`taw cc -g -O0`. A strategy `default` is no --search at all. Sizes of arguments and files are the dissertation's.

For each bug and strategy: wall seconds until the error was found (median over the seeds; a run that does not find it counts as
its limit), in how many runs it was, and what the native program said: `confirmed` if it failed as well, `place` if it got
there without showing the error, which is all that can be seen of a bad read in a program without sanitizers.
"""

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

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
    """One run: seconds until the target was reached or the search ended, and the word for it."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [taw, "reach", program, "--target", place + "!", *shlex.split(inputs), "--seed", str(seed)]
        command += ["--max-time", f"{limit}s", "--json", "--out", os.path.join(scratch, "out")]
        if strategy != "default":
            command += ["--search", strategy]
        ended = subprocess.run(command, capture_output=True, check=False)
    if ended.returncode not in (0, 1, 3):
        sys.exit(f"{shlex.join(command)} failed with {ended.returncode}:\n{ended.stderr.decode()}")
    row = json.loads(ended.stdout)["targets"][0]
    if row["verdict"] != "reached":
        return limit, row["verdict"]
    return row["time_s"], "confirmed" if row["confirmed"] else "place"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.environ.get("TAW_COREUTILS_610"))
    parser.add_argument("strategies", nargs="*", default=["default", "B(RR(RP,SDSE))", "KLEE"], metavar="STRATEGY")
    parser.add_argument("--taw", default=os.path.join(ROOT, "target", "release", "taw"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--max-time", type=int, default=120)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    if not args.folder:
        parser.error("where are the programs? Name their folder, or set TAW_COREUTILS_610")
    totals = dict.fromkeys(args.strategies, 0.0)
    print(f"{'bug':<8} {'place':<16} {'strategy':<32} {'seconds':>8} {'found':>6}  native")
    for name, program, place, inputs in BUGS:
        if args.only not in name:
            continue
        path = os.path.join(os.path.abspath(args.folder), program)
        for strategy in args.strategies:
            seeds = range(1, args.seeds + 1)
            runs = [run(args.taw, path, place, inputs, strategy, seed, args.max_time) for seed in seeds]
            words = [word for _, word in runs]
            found = sum(word in ("confirmed", "place") for word in words)
            median = statistics.median(seconds for seconds, _ in runs)
            totals[strategy] += median
            said = ", ".join(sorted(set(words)))
            share = f"{found}/{len(runs)}"
            print(f"{name:<8} {place:<16} {strategy:<32} {median:>8.2f} {share:>6}  {said}", flush=True)
    for strategy, total in totals.items():
        print(f"{'total':<8} {'':<16} {strategy:<32} {total:>8.2f}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures how many of the lines that a smoke run of a tool leaves uncovered `taw reach` gets to, by strategy.

    bench/multi.py [FOLDER] [--taw target/release/taw] [--seeds 3] [--max-time 120] [--only TOOL,...] [--also] [--save] [STRATEGY ...]

FOLDER (or TAW_COREUTILS) holds the tools of GNU coreutils, built with `taw cc -g -O0`. The smoke run is one ordinary command
per tool, the same on every machine; the targets are the lines of the tool's own source that it did not execute. A strategy
`default` is no --search at all. The strategies of a tool and seed run side by side, so that they have the same load, two at
a time; the time of native runs is the search's too, as it is for a user. --also measures five tools more.

Medians over the seeds: targets reached, proved unreachable and left unknown, seconds until the last was reached, CPU
seconds, millions of instructions, queries, seconds in the solver, and states shed for want of memory. --save keeps every run,
and `bench/tables.py` makes the table of multi.md of that.
"""

import argparse
import concurrent.futures
import itertools
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

from reaching import reach
from results import Results

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# KLEE's sizes for coreutils.
INPUTS = "--sym-args 0 1 10 --sym-args 0 2 2 --sym-files 1 8 --sym-stdin 8"

# Tool, arguments of the smoke run; its standard input is two short lines. Chosen before anything was measured.
TOOLS = [
    ("seq", "1 3"),
    ("tac", ""),
    ("cut", "-c 2"),
    ("tr", "a b"),
    ("pr", ""),
]
ALSO = [
    ("od", ""),
    ("join", "- -"),
    ("nl", ""),
    ("fold", "-w 2"),
    ("expr", "1 + 2"),
]
LINES = "ab c\nd\n"


def targets_of(taw, folder, tool, arguments, scratch):
    """The file of lines of the tool's own source that the smoke run left uncovered, and how many they are."""
    stdin = os.path.join(scratch, "stdin")
    with open(stdin, "w", encoding="ascii") as file:
        file.write(LINES)
    out = os.path.join(scratch, "smoke-" + tool)
    command = [taw, "run", os.path.join(folder, tool), "--stdin", stdin, "--no-replay", "--out", out]
    done = subprocess.run([*command, "--", *shlex.split(arguments)], stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(f"the smoke run of {tool} failed with {done.returncode}")
    path = os.path.join(scratch, tool + ".lcov")
    count = 0
    with open(os.path.join(out, "coverage.lcov"), encoding="utf-8") as lcov, open(path, "w", encoding="utf-8") as own:
        for record in lcov.read().split("end_of_record\n"):
            if any(line.startswith("SF:") and line.endswith(f"/{tool}.c") for line in record.splitlines()):
                count += sum(line.startswith("DA:") and line.endswith(",0") for line in record.splitlines())
                own.write(record + "end_of_record\n")
    return path, count


def run(taw, program, targets, strategy, seed, limit):
    """One run, as a row of figures."""
    words = [program, "--targets-from", targets, *shlex.split(INPUTS)]
    answer, _, cpu = reach(taw, words, limit, seed, strategy)
    stats = answer["stats"]
    last = max((row["time_s"] for row in answer["targets"] if row["verdict"] == "reached"), default=0)
    return {
        "reached": answer["reached"],
        "unreachable": answer["unreachable"],
        "unknown": answer["unknown"],
        "last": last,
        "cpu": cpu,
        "minstr": stats["instructions"] / 1e6,
        "queries": stats["queries"],
        "solver": stats["solver_s"],
        "shed": stats.get("shed", 0),
        "names": sorted(row["target"] for row in answer["targets"] if row["verdict"] == "reached"),
    }


def report(tool, count, strategy, runs):
    """Prints a row of medians; the median of targets reached."""
    median = {key: statistics.median(row[key] for row in runs) for key in runs[0] if key != "names"}
    each = ",".join(str(row["reached"]) for row in runs)
    print(
        f"{tool:<5} {count:>5} {strategy:<30} {median['reached']:>7g} {median['unreachable']:>6g} {median['unknown']:>7g}"
        f" {median['last']:>6.1f} {median['cpu']:>6.1f} {median['minstr']:>8.1f} {median['queries']:>8g}"
        f" {median['solver']:>6.1f} {median['shed']:>8g}  {each}",
        flush=True,
    )
    return median["reached"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.environ.get("TAW_COREUTILS"))
    parser.add_argument("strategies", nargs="*", default=["default", "KLEE"], metavar="STRATEGY")
    parser.add_argument("--taw", default=os.path.join(ROOT, "target", "release", "taw"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--max-time", type=int, default=120)
    parser.add_argument("--only", default="")
    parser.add_argument("--also", action="store_true")
    parser.add_argument("--save", action="store_true", help="keep every run in bench/results")
    args = parser.parse_args()
    if not args.folder:
        parser.error("where are the tools? Name their folder, or set TAW_COREUTILS")
    folder, wanted = os.path.abspath(args.folder), [name for name in args.only.split(",") if name]
    chosen = [row for row in (TOOLS + ALSO if args.also or wanted else TOOLS) if not wanted or row[0] in wanted]
    results = Results("multi", args.taw, args.save)
    runs = {}
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        targets = {tool: targets_of(args.taw, folder, tool, arguments, scratch) for tool, arguments in chosen}
        # Seed by seed, so that what there is after an interruption is of all tools.
        for seed, (tool, _) in itertools.product(range(1, args.seeds + 1), chosen):
            def one(strategy):
                return run(args.taw, os.path.join(folder, tool), targets[tool][0], strategy, seed, args.max_time)
            for strategy, row in zip(args.strategies, pool.map(one, args.strategies)):
                runs.setdefault((tool, strategy), []).append(row)
                lines = {"lines": targets[tool][1], "limit": args.max_time}
                results.add({"tool": tool, "strategy": strategy, "seed": seed, **lines, **row})
    results.done()
    print(f"{'tool':<5} {'lines':>5} {'strategy':<30} reached unreac unknown   last  CPU s  M instr  queries solver     shed  runs")
    totals = dict.fromkeys(args.strategies, 0)
    for (tool, _), strategy in itertools.product(chosen, args.strategies):
        totals[strategy] += report(tool, targets[tool][1], strategy, runs[tool, strategy])
    for strategy, total in totals.items():
        print(f"{'total':<11} {strategy:<30} {total:>7g}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures the heuristic solver on the corpus of hard arithmetic.

  bench/walk.py                         one pass, seed 0: which labels are reached, and the solver's time
  bench/walk.py --seeds 10              ten passes
  bench/walk.py --only coral_82         entries whose name contains this
  bench/walk.py --replay                every test is run on the native program too
  bench/walk.py --files coral.c,opti.c  these files only
  bench/walk.py --table docs/walk.md    leaves out one part of the search after the other and writes the table of the page

The truth is the corpus's targets.csv. A label counts as reached if a test of `taw run` says so.
"""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILES = ["coral.c", "opti.c", "hash.c", "blind.c", "dart.c", "power.c", "stat.c", "sine.c", "tsafe.c", "hard_loop.c"]
ENTRIES = {"hard_loop.c": ["simplified_challenges"]}
PARTS = ["definitions", "rewriting", "inversion", "bisection", "neighbours", "repair", "links", "tabu", "constants", "starts",
         "weights", "steps"]


def targets(corpus, only, files):
    """By (file, entry): the labels that are reachable; and the set of labels that are not."""
    wanted, never = defaultdict(set), set()
    for row in csv.DictReader((corpus / "targets.csv").open()):
        entries = ENTRIES.get(row["file"])
        if row["file"] not in files:
            continue
        if row["status"] == "unreachable":
            never.add(row["label"])
            if row["label"] == "coral_46":
                wanted[row["file"], row["label"]]  # an entry of its own
        elif not entries or row["entry"] in entries:
            wanted[row["file"], row["entry"]].add(row["label"])
    return {key: labels for key, labels in wanted.items() if only in key[1]}, never


def run(taw, source, entry, seed, limit, extra, replay):
    """Labels reached, the solver's seconds, conditions evaluated (in all, to find models), seconds in the walk, whether the
    run was exhaustive."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = [str(taw), "run", str(source), "--entry", entry, "--marker", "reach", "--seed", str(seed), "--max-time",
                   limit, "--no-replay", "--keep", "all", "--json", "--out", str(out), *extra]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        document = json.loads(done.stdout)
        labels = set()
        for test in (out / "tests").glob("*.json"):
            labels.update(json.loads(test.read_text())["labels"])
        if replay:
            replayed = subprocess.run([str(taw), "replay", str(out)], capture_output=True, text=True)
            if replayed.returncode != 0:
                sys.exit(f"{entry}: a test does not do natively what it claims\n{replayed.stdout}{replayed.stderr}")
        stats = json.loads((out / "stats.json").read_text())
        walk = next(row["seconds"] for row in stats["stages"] if row["stage"] == "walk")
        counts = stats["evaluations"], stats["useful_evaluations"]
        return labels, document["stats"]["solver_s"], counts, walk, document["exhaustive"]


def one_pass(taw, corpus, wanted, never, seed, limit, extra, jobs, replay):
    """Reached, wanted, solver seconds, those of coral, conditions evaluated to find models, what is missing, what is wrong,
    conditions evaluated in all, seconds in the walk."""
    reached = total = evaluations = useful = 0
    solver = coral = walk = 0.0
    missing, wrong = [], []

    def work(key):
        return run(taw, corpus / key[0], key[1], seed, limit, extra, replay)

    with ThreadPoolExecutor(jobs) as pool:
        for key, (labels, seconds, evaluated, walked, exhaustive) in zip(wanted, pool.map(work, wanted)):
            reached += len(labels & wanted[key])
            total += len(wanted[key])
            missing += sorted(wanted[key] - labels)
            wrong += sorted(labels & never)
            if key[1] == "coral_46":
                total += 1
                reached += exhaustive
                missing += [] if exhaustive else ["coral_46 (not proved)"]
            solver += seconds
            evaluations += evaluated[0]
            useful += evaluated[1]
            walk += walked
            coral += seconds if key[0] == "coral.c" else 0.0
    return reached, total, solver, coral, useful, missing, wrong, evaluations, walk


def show(name, result):
    reached, total, solver, coral, useful, missing, wrong, evaluations, walk = result
    print(f"{name:16} {reached}/{total}  solver {solver:.2f} s (coral {coral:.2f} s)  "
          f"{useful / 1e3:.0f} k evaluations for models ({evaluations / max(walk, 1e-9) / 1e6:.1f} M/s)  missing: {' '.join(missing) or '-'}"
          + (f"  WRONG: {' '.join(wrong)}" if wrong else ""), flush=True)


def table(rows, seeds, files):
    lines = [f"| left out | labels decided (of {rows[0][1]}) | conditions evaluated to find their models, thousands |", "|---|---|---|"]
    lines += [f"| {name} | {reached:.1f} | {evaluations / 1e3:.0f} |" for name, _, reached, evaluations in rows]
    return "\n".join(lines) + f"\n\nMeans over {seeds} seeds; {', '.join(files)}; at most 30 s per entry.\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taw", type=Path, default=ROOT / "target/release/taw")
    parser.add_argument("--corpus", type=Path, default=Path(os.environ.get("TAW_CORPUS", ROOT / "../shared/corpus")))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--files", default="")
    parser.add_argument("--limit", default="10s")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--without", default="")
    parser.add_argument("--table", type=Path)
    arguments = parser.parse_args()
    files = arguments.files.split(",") if arguments.files else FILES
    wanted, never = targets(arguments.corpus, arguments.only, files)
    rows = []
    for part in ["", *PARTS] if arguments.table else [arguments.without]:
        results = []
        for seed in range(arguments.seeds):
            extra = ["--walk-without", part] if part else []
            result = one_pass(arguments.taw, arguments.corpus, wanted, never, seed, arguments.limit, extra, arguments.jobs,
                              arguments.replay)
            show(f"{part or 'all'} {seed}", result)
            results.append(result)
        mean = [sum(result[i] for result in results) / len(results) for i in (0, 4)]
        rows.append((part or "nothing", results[0][1], mean[0], mean[1]))
    if arguments.table:
        page = arguments.table.read_text()
        page = re.sub(r"(<!-- table -->\n).*?(<!-- end -->)", lambda m: m[1] + table(rows, arguments.seeds, files) + m[2], page,
                      flags=re.S)
        arguments.table.write_text(page)


if __name__ == "__main__":
    main()

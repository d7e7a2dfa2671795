#!/usr/bin/env python3
"""Measures the heuristic solver: on the corpus of hard arithmetic through `taw reach`, and alone on queries with a planted model.

  bench/walk.py                       every file of the corpus in one command each, seed 0: labels not decided rightly, time, rate
  bench/walk.py --seeds 10 --replay   ten passes, each test run on the native program too
  bench/walk.py --files coral.c       this file only
  bench/walk.py --without PART,...    without parts of the search
  bench/walk.py --planted             also alone on planted queries (`cargo bench -p taw-solver --bench planted`)
  bench/walk.py --save --seeds 5      each part left out in turn; keeps the rows, of which bench/tables.py makes the table of docs/walk.md

  bench/walk.py --rate                conditions evaluated per second in coral.c, the middle of 20 seeds

The truth is the corpus's targets.csv. Seconds of planted queries are of the processor, all others of the clock.
"""

import argparse
import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from results import Results

ROOT = Path(__file__).resolve().parent.parent
FILES = ["coral.c", "opti.c", "hash.c", "blind.c", "dart.c", "power.c", "stat.c", "sine.c", "tsafe.c", "hard_loop.c"]


def truth(corpus, files):
    """By file: each label and its verdict."""
    labels = {file: {} for file in files}
    for row in csv.DictReader((corpus / "targets.csv").open()):
        if row["file"] in labels:
            labels[row["file"]][row["label"]] = "reached" if row["status"] == "reachable" else row["status"]
    return labels


def reach(options, file, seed, without):
    """One command for a whole file: the verdict of each label, and figures."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = [str(options.taw), "reach", str(options.corpus / file), "--entry", "*", "--marker", "reach", "--target", "label:*",
                   "--seed", str(seed), "--max-time", options.limit, "--json", "--out", str(out)]
        command += [] if options.replay else ["--no-replay"]
        command += ["--walk-without", ",".join(without)] if without else []
        wall = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True)
        wall = time.monotonic() - wall
        if done.returncode not in (0, 1, 3):
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        document = json.loads(done.stdout)
        stats = json.loads((out / "stats.json").read_text())
        walk = next(row["seconds"] for row in stats["stages"] if row["stage"] == "walk")
        seen = lambda row: row["verdict"] if row["confirmed"] or row["verdict"] != "reached" or not options.replay else "unconfirmed"
        verdicts = {row["target"].removeprefix("label:"): seen(row) for row in document["targets"]}
        return verdicts, {"wall": wall, "solver": document["stats"]["solver_s"], "walk": walk, "evaluations": stats["evaluations"],
                          "useful": stats["useful_evaluations"]}


def one_pass(options, wanted, seed, without):
    """All files: labels decided rightly, all labels, what is wrong, the sums of the figures; coral's own figures."""
    right, total, wrong, sums, coral = 0, 0, [], {}, None
    for file, labels in wanted.items():
        verdicts, figures = reach(options, file, seed, without)
        bad = [f"{label} {verdicts.get(label)}" for label, verdict in labels.items() if verdicts.get(label) != verdict]
        right, total, wrong = right + len(labels) - len(bad), total + len(labels), wrong + bad
        sums = {key: sums.get(key, 0) + value for key, value in figures.items()}
        coral = figures if file == "coral.c" else coral
    return right, total, wrong, sums, coral


def planted_binary():
    """Builds it once; `cargo bench` would check each time."""
    command = ["cargo", "bench", "-q", "-p", "taw-solver", "--bench", "planted", "--no-run", "--message-format=json"]
    built = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout
    paths = [json.loads(line).get("executable") for line in built.splitlines()]
    return [path for path in paths if path][-1]


def planted(binary, seeds, without):
    """By family: queries, solved, evaluations; and seconds for all."""
    command = [binary, "--seeds", str(seeds), "--without", ",".join(without)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    families = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return families, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def show(name, result):
    right, total, wrong, sums, coral = result
    line = f"{name:20} {right}/{total}  wall {sums['wall']:.1f} s  solver {sums['solver']:.2f} s  {sums['useful'] / 1e3:.0f} k evaluations for models"
    if coral:
        line += f"  coral: wall {coral['wall']:.1f} s, solver {coral['solver']:.3f} s, {coral['evaluations'] / max(coral['walk'], 1e-9) / 1e6:.1f} M evaluations/s"
    print(line + (f"  WRONG: {', '.join(wrong)}" if wrong else ""), flush=True)


def measure(options, wanted, binary, without):
    """One row of the table: labels per pass, thousands of evaluations per pass, and the planted families."""
    name = ",".join(without) or "nothing"
    passes = [one_pass(options, wanted, seed, without) for seed in range(options.seeds)]
    for seed, result in enumerate(passes):
        show(f"{name} {seed}", result)
    mean = lambda values: sum(values) / len(passes)
    row = {"name": name, "labels": mean([p[0] for p in passes]), "total": passes[0][1], "effort": mean([p[3]["useful"] for p in passes])}
    if binary:
        row["planted"], row["seconds"] = planted(binary, options.seeds, without)
        print(f"{name:20} " + "  ".join(f"{family} {r['solved']}/{r['queries']} {r['evaluations'] / 1e6:.2f} M"
                                        for family, r in row["planted"].items()) + f"  {row['seconds']:.1f} s", flush=True)
    return row


def table(rows, seeds, files):
    families = list(rows[0]["planted"])
    queries = rows[0]["planted"][families[0]]["queries"]
    head = ["left out", f"labels (of {rows[0]['total']})", "evaluations, thousands"] + [f"{family}, solved of {queries}" for family in families]
    head += ["evaluations, millions", "seconds"]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for row in rows:
        cells = [row["name"], f"{row['labels']:.1f}", f"{row['effort'] / 1e3:.0f}"] + [str(row["planted"][family]["solved"]) for family in families]
        cells += [f"{sum(r['evaluations'] for r in row['planted'].values()) / 1e6:.1f}", f"{row['seconds']:.1f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + f"\n\nMeans (of labels) and sums (of planted queries) over {seeds} seeds; {', '.join(files)}.\n"


def rate(options):
    """Millions of conditions evaluated per second of the search in coral.c, compiling the queries included."""
    passes = [reach(options, "coral.c", seed, [])[1] for seed in range(20)]
    rates = sorted(figures["evaluations"] / figures["walk"] / 1e6 for figures in passes)
    print(f"coral.c: {rates[len(rates) // 2]:.1f} M evaluations/s (from {rates[0]:.1f} to {rates[-1]:.1f})")


def parts(binary):
    return subprocess.run([binary, "--parts"], capture_output=True, text=True, check=True).stdout.split()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taw", type=Path, default=ROOT / "target/release/taw")
    parser.add_argument("--corpus", type=Path, default=ROOT / "tests/corpus")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--files", default=",".join(FILES))
    parser.add_argument("--limit", default="30s")
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--planted", action="store_true")
    parser.add_argument("--rate", action="store_true")
    parser.add_argument("--without", default="")
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    if options.rate:
        return rate(options)
    files = options.files.split(",")
    wanted = truth(options.corpus, files)
    binary = planted_binary() if options.planted or options.save else None
    base = [part for part in options.without.split(",") if part]
    rows = [measure(options, wanted, binary, base)]
    if options.save:
        rows += [measure(options, wanted, binary, [part]) for part in parts(binary)]
        rows = [{"seeds": options.seeds, "files": files, **row} for row in rows]
        results = Results("walk", options.taw, True)
        for row in rows:
            results.add(row)
        results.done()
    print(f"processor: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime:.1f} s")


if __name__ == "__main__":
    main()

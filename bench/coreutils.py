#!/usr/bin/env python3
"""Explores coreutils that were built with `taw cc` for a minute each, with symbolic arguments, input and a file.

    python3 bench/coreutils.py --taw target/release/taw FOLDER [--time 60] [--save] [PROGRAM ...]

FOLDER holds the programs (src/ of a build). For each: paths, tests, lines of the program's own source (PROGRAM.c) that were
covered, and what the tests did natively. Exit code 1 if a test diverged or a path met something unsupported.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from results import Results

PROGRAMS = "cat echo wc head tr cut uniq base64 fold nl paste od".split()
INPUTS = "--sym-args 0 1 10 --sym-args 0 2 2 --sym-files 1 8 --sym-stdin 8".split()


def own_lines(lcov, program):
    """Lines covered and in total of the source that is named like the program."""
    hit = total = 0
    inside = False
    for line in lcov.read_text().splitlines():
        if line.startswith("SF:"):
            inside = pathlib.Path(line[3:]).name == f"{program}.c"
        elif inside and line.startswith("DA:"):
            total += 1
            hit += not line.split(",")[1] == "0"
    return hit, total


def explore(taw, folder, program, seconds):
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "out"
        command = [taw, "run", folder / program, "--max-time", f"{seconds}s", "--replay-tests", "--json", "--out", out]
        ended = subprocess.run([*command, *INPUTS], capture_output=True, text=True, timeout=seconds * 5 + 600)
        if ended.returncode not in (0, 1):
            sys.exit(f"{program}: {ended.stderr}")
        document = json.loads(ended.stdout)
        stats = json.loads((out / "stats.json").read_text())
        hit, total = own_lines(out / "coverage.lcov", program)
        replayed = " ".join(line for line in ended.stderr.splitlines() if line.startswith("replayed"))
        return {
            "paths": document["paths"]["completed"],
            "errors": len(document["findings"]),
            "lines": f"{hit}/{total} ({100 * hit // max(total, 1)} %)",
            "unsupported": [why for why in stats.get("incomplete", []) if "not supported" in why],
            "replayed": replayed.removeprefix("replayed").strip(),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taw", default="target/release/taw")
    parser.add_argument("--time", type=int, default=60)
    parser.add_argument("--save", action="store_true", help="keep every run in bench/results")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    args = parser.parse_args()
    print(f"{'program':10} {'paths':>9} {'errors':>6} {'own lines':>18}  tests natively")
    wrong = False
    results = Results("coreutils", args.taw, args.save)
    for program in args.programs:
        row = explore(args.taw, args.folder, program, args.time)
        results.add({"program": program, "limit": args.time, **row})
        print(f"{program:10} {row['paths']:9,} {row['errors']:6} {row['lines']:>18}  {row['replayed']}", flush=True)
        for why in row["unsupported"]:
            print(f"  {why}")
        wrong = wrong or bool(row["unsupported"]) or "diverged" in row["replayed"]
    results.done()
    sys.exit(wrong)


if __name__ == "__main__":
    main()

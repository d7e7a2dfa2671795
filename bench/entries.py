#!/usr/bin/env python3
"""Starts at every exported function of small libraries, from the signature alone, and says what came of it.

    bench/entries.py FOLDER [--taw target/release/taw] [--seconds 10] [--only LIBRARY[:FUNCTION]] [--jobs 2] [--save [--resume]]

FOLDER has the sources of libraries, put there by whoever measures, and `libraries.json`, which says what they are:

    [{"library": "inih", "repository": "benhoyt/inih", "commit": "26254ee…", "files": ["inih/ini.c"], "flags": []}, …]

An entry may have `"functions"`; without, all functions that the files export are started. `musl` is always there: 60 and more functions of
the C library that Taw is built with (`entries_musl.py`), as code of the user.

Each function is explored for the time with `taw run --entry`; then every test that is left, of a finding or not, is run natively
(`taw replay`). Something *diverged* if the program does not do what a test says of it. A finding is judged once, with the source at hand: the judgements
are kept by function, kind and place in `entries-judged.txt`, and findings without one are printed at the end.
--save keeps every run in bench/results, of which `bench/tables.py` makes the table of entries.md; with --only the runs of other libraries stay.
--resume goes on where a run that was interrupted had got to.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

import entries_musl
import lcov
from judged import Judged
from results import Results

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LLVM = os.environ.get("TAW_LLVM", "/usr/lib/llvm-22/bin")

# What every run needs beyond its time: compiling, writing tests, a native build and native runs.
GRACE = 300


def exported(files, flags):
    """The functions that files export, as clang and nm say."""
    names = []
    with tempfile.TemporaryDirectory() as scratch:
        for file in files:
            made = os.path.join(scratch, "made.o")
            subprocess.run([f"{LLVM}/clang", "-c", "-w", *flags, "-o", made, file], check=True)
            symbols = subprocess.run([f"{LLVM}/llvm-nm", "--defined-only", "--extern-only", made],
                                     capture_output=True, text=True, check=True)
            names += re.findall(r"^\S+ [TW] (\S+)$", symbols.stdout, re.M)
    return names


def subjects(folder, scratch):
    """What there is to start at: (library, repository, commit, function, files, flags)."""
    with open(os.path.join(folder, "libraries.json"), encoding="utf-8") as file:
        libraries = json.load(file)
    for row in libraries:
        files = [os.path.join(folder, name) for name in row["files"]]
        flags = row.get("flags", [])
        for function in row.get("functions") or exported(files, flags):
            yield row["library"], row["repository"], row["commit"], function, files, flags
    yield from entries_musl.subjects(os.path.join(ROOT, ".deps", "musl", "source"), scratch)


def place_of(finding):
    return f"{os.path.basename(finding['file'] or '?')}:{finding['line']}"


def without_folders(row, folders):
    """A row that does not say where things are on the machine that measured."""
    text = json.dumps(row)
    for folder in folders:
        text = text.replace(os.path.join(folder, ""), "")
    return json.loads(text)


def run(taw, seconds, subject):
    """One function: explored, then all its tests natively."""
    library, repository, commit, function, files, flags = subject
    row = {"library": library, "repository": repository, "commit": commit, "function": function, "started": False, "seconds": seconds}
    try:
        return explored(taw, seconds, function, files, flags, row)
    except subprocess.TimeoutExpired as late:
        return {**row, "why": f"`taw {late.cmd[1]}` did not end within {late.timeout} s"}


def answer(words, patience):
    """What a command says as JSON; if nothing, why."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=patience, check=False)
    try:
        return json.loads(done.stdout), None
    except ValueError:
        return None, (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[0]


def explored(taw, seconds, function, files, flags, row):
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "out")
        words = [taw, "run", *files, *(f"--cflag={flag}" for flag in flags), "--entry", function,
                 "--max-time", f"{seconds}s", "--no-replay", "--json", "--out", out]
        said, why = answer(words, seconds + GRACE)
        if not said:
            return {**row, "why": why}
        row |= lcov.read(os.path.join(out, "coverage.lcov"))
        native, why = answer([taw, "replay", out, "--json"], GRACE)
        if not native:
            return {**row, "why": f"replay: {why}"}
    verdicts = {os.path.basename(test["test"]): test for test in native["tests"]}
    paths = said["paths"]
    row |= {"started": paths["completed"] + paths["errored"] > 0, "paths": paths, "exhaustive": said["exhaustive"],
            "incomplete": said["incomplete"]}
    row["tests"] = {key: native[key] for key in ("same", "not_confirmed", "diverged", "other_program")}
    row["otherwise"] = [{"test": name, "verdict": test["verdict"], "why": test["why"]} for name, test in verdicts.items()
                        if test["verdict"] in ("diverged", "other program", "other_program")]
    row["findings"] = []
    for finding in said["findings"]:
        test = verdicts.get(os.path.basename(finding["test"] or ""), {"verdict": "not run", "why": ""})
        caller = finding.get("caller") or {"class": "not judged", "says": ""}
        row["findings"].append({"kind": finding["kind"], "place": place_of(finding), "in": finding["function"], "message": finding["message"],
                                "class": caller["class"], "asks": caller["says"], "call": " ".join(finding.get("call") or []),
                                "verdict": test["verdict"], "why": test["why"]})
    return row


def line(row):
    name = f"{row['library']:<11} {row['function']:<28}"
    if not row["started"]:
        return f"{name} does not start: {row.get('why') or row.get('incomplete')}"
    tests, kinds = row["tests"], collections.Counter(finding["verdict"] for finding in row["findings"])
    found = ", ".join(f"{count} {verdict}" for verdict, count in kinds.items()) or "none"
    return f"{name} lines {row['covered']}/{row['entered']}  tests {tests['same']} same, {tests['not_confirmed']} not confirmed, " \
        f"{tests['diverged']} diverged, {tests['other_program']} other program  findings: {found}"


def summary(rows, judged):
    started = sum(row["started"] for row in rows)
    diverged = [(row, test) for row in rows for test in row.get("otherwise", [])]
    print(f"\n{started} of {len(rows)} functions start, {len(diverged)} tests diverged")
    for row, test in diverged:
        print(f"  {row['library']} {row['function']} {test['test']}: {test['why']}")
    open_ones = [(row, finding) for row in rows for finding in row.get("findings", []) if not judged.of(row, finding)]
    print(f"{len(open_ones)} findings without a judgement")
    for row, finding in open_ones:
        print(f"  {row['library']} {row['function']} {finding['kind']} {finding['place']}: {finding['message']} [{finding['verdict']}]"
              f"\n      {finding['call']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--taw", default=os.path.join(ROOT, "target", "release", "taw"))
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--only", default="", metavar="LIBRARY[:FUNCTION]")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--save", action="store_true", help="keep every run in bench/results")
    parser.add_argument("--resume", action="store_true", help="with --save: go on where an interrupted run had got to")
    args = parser.parse_args()
    library, _, function = args.only.partition(":")
    wanted = lambda row: library in ("", row["library"]) and function in ("", row["function"])
    results = Results("entries", args.taw, args.save, resume=args.resume, keep=lambda row: not wanted(row))
    have = {(row["library"], row["function"]) for row in results.earlier}
    rows = [row for row in results.earlier if wanted(row)]
    folder = os.path.abspath(args.folder)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        todo = [subject for subject in subjects(folder, scratch)
                if wanted({"library": subject[0], "function": subject[3]}) and (subject[0], subject[3]) not in have]
        for row in pool.map(lambda subject: run(os.path.abspath(args.taw), args.seconds, subject), todo):
            row = without_folders(row, [folder, ROOT, scratch])
            print(line(row), flush=True)
            results.add(row)
            rows.append(row)
    if not rows:
        sys.exit(f"there is nothing that --only {args.only} means")
    results.done()
    summary(rows, Judged())


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Triage of a real analyser's logs: packages are built with `taw cc`, clang's analyser writes SARIF, `taw reach` decides each result.

    bench/triage.py FOLDER [--taw target/release/taw] [--seconds 60] [--only PACKAGE] [--save]

FOLDER keeps what is fetched and built (Debian source packages, `scripts/source-package.sh`); what is there already is not made again.
Printed per package and rule: results, reached, unreachable, unknown. *Reached* says that a test gets to the line that the result names: not
that the error which the analyser means happens there. Each *unreachable* is printed with its reason, to be judged by hand (triage.md).
--save keeps every run in bench/results.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

from results import Results

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLAGS = "CFLAGS=-g -O0"

# The name of a source package, how it is configured and made, its program, and what that is started with.
PACKAGES = [
    ("bzip2", None, ["make", "{cc}", FLAGS, "libbz2.a", "bzip2"], "bzip2", "--sym-args 0 1 3 --sym-stdin 8"),
    ("ed", ["./configure", "{cc}", FLAGS], ["make"], "ed", "--sym-args 0 1 3 --sym-stdin 8"),
    ("units", ["./configure", "{cc}", FLAGS], ["make", "units"], "units", "--sym-files 1 16 --sym-stdin 8 -- -f A"),
]

# A compiler that also has the analyser look at what it compiles, once configure is through. What the analyser fails on is listed.
COMPILER = """#!/bin/sh
for word; do case $word in -c) compiles=1;; *.c) source=$word;; esac; done
if [ "${compiles-}" ] && [ "${TRIAGE_LOGS-}" ]; then
    log="$TRIAGE_LOGS/$(echo "$source" | tr / _).sarif"
    "$TRIAGE_TAW" cc "$@" --analyze --analyzer-output sarif -o "$log" > /dev/null 2>&1 || echo "$source" >> "$TRIAGE_LOGS/failed"
fi
exec "$TRIAGE_TAW" cc "$@"
"""


def must(words, folder, log, environment):
    """Runs a command whose words go into a log, and gives up if it fails."""
    with open(log, "ab") as out:
        ended = subprocess.run(words, cwd=folder, stdout=out, stderr=out, env={**os.environ, **environment}, check=False)
    if ended.returncode:
        sys.exit(f"`{' '.join(words)}` failed in {folder}: see {log}")


def sources_of(folder):
    """The folder that a source package was unpacked into."""
    found = [path for path in folder.glob("*/") if path.name != "logs"]
    return found[0] if found else None


def built(folder, taw, package):
    """Fetches and builds a package; where its sources and the analyser's logs are."""
    name, configure, make, program, _ = package
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    logs, log = place / "logs", place / "build.log"
    if not sources_of(place):
        must(["sh", str(ROOT / "scripts" / "source-package.sh"), name, str(place)], ROOT, log, {})
    sources = sources_of(place)
    if (logs / "done").exists():
        return sources, logs
    logs.mkdir(exist_ok=True)
    compiler = folder / "cc"
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    told = {"TRIAGE_TAW": str(taw)}
    for words, more in ((configure, {}), (make, {"TRIAGE_LOGS": str(logs)})):
        if words:
            must([word.format(cc=f"CC={compiler}") for word in words], sources, log, told | more)
    if not (sources / program).exists():
        sys.exit(f"{name}: there is no {program} in {sources}")
    (logs / "done").touch()
    return sources, logs


def with_results(logs):
    """The logs that have a result, in order; an empty one asks for nothing."""
    for path in sorted(logs.glob("*.sarif")):
        if any(run["results"] for run in json.loads(path.read_text())["runs"]):
            yield path


def code_lines(sources):
    return sum(len(path.read_bytes().splitlines()) for path in sources.rglob("*.c"))


def triage(folder, taw, package, seconds):
    """One package: what `taw reach` says of all results of its logs."""
    name, _, _, program, inputs = package
    sources, logs = built(folder, taw, package)
    asked = [word for path in with_results(logs) for word in ("--targets-from", str(path))]
    failed = len((logs / "failed").read_text().split()) if (logs / "failed").exists() else 0
    row = {"package": sources.name, "lines": code_lines(sources), "not analysed": failed, "seconds": seconds, "rules": [], "targets": []}
    if not asked:
        return row
    words = [str(taw), "reach", program, *asked, "--max-time", f"{seconds}s", "--json",
             "--out", str(folder / name / "out"), *inputs.split()]
    ended = subprocess.run(words, cwd=sources, capture_output=True, text=True, timeout=seconds * 5 + 600, check=False)
    if ended.returncode not in (0, 1, 3):
        sys.exit(f"{name}: {ended.stderr}")
    said = json.loads(ended.stdout)
    row["rules"] = said["by_rule"]
    kept = ("target", "verdict", "confirmed", "time_s", "reason", "unless", "rules")
    row["targets"] = [{key: target.get(key) for key in kept} for target in said["targets"]]
    return row


def show(row):
    print(f"\n{row['package']}: {row['lines']} lines, {row['seconds']} s, {row['not analysed']} files that the analyser failed on")
    for rule in row["rules"]:
        print(f"  {rule['rule']:<42} {rule['results']:>3} results: {rule['reached']} reached, {rule['unreachable']} unreachable, "
              f"{rule['unknown']} unknown")
    for target in row["targets"]:
        native = "" if target["verdict"] != "reached" or target["confirmed"] else " (not confirmed)"
        print(f"    {target['verdict']}{native} {target['target']} ({', '.join(target['rules'] or [])}): {target['reason'] or 'a test'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--taw", type=pathlib.Path, default=ROOT / "target" / "release" / "taw")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--only", default="", metavar="PACKAGE")
    parser.add_argument("--save", action="store_true", help="keep every run in bench/results")
    args = parser.parse_args()
    results = Results("triage", str(args.taw), args.save)
    total = collections.Counter()
    chosen = [package for package in PACKAGES if args.only in ("", package[0])]
    if not chosen:
        sys.exit(f"there is no package {args.only}")
    for package in chosen:
        row = triage(args.folder.resolve(), args.taw.resolve(), package, args.seconds)
        show(row)
        results.add(row)
        for rule in row["rules"]:
            total.update({key: rule[key] for key in ("results", "reached", "unreachable", "unknown")})
    results.done()
    print(f"\n{total['results']} results: {total['reached']} reached, {total['unreachable']} unreachable, {total['unknown']} unknown")


if __name__ == "__main__":
    main()

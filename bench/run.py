#!/usr/bin/env python3
"""Runs the closed programs of bench/programs to exhaustion and prints how fast, beside an older build and KLEE.

    bench/run.py [--taw target/release/taw] [--against OLDER] [--repeat 3] [--only NAME,...] [--save] [--no-klee]

With --against the older build runs in turn with this one, and a program that takes over 5 % longer is an error: only
such a ratio is worth something on a machine that does other things too. Without it the figures of bench/baseline.json
stand beside, taken when somebody said --save, and decide nothing.

CPU seconds are user + system of the whole process, clang included, the best of the repeats; memory is Taw's largest
resident set. Where
`klee` is on the PATH it runs in the same session (depth-first, solver not forked, its best settings); elsewhere the
figures quoted in QUOTED stand in, marked `q`. Exit code 1 if a program's paths are not what they must be, or if it is
slower than the older build's.
"""

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BASELINE = os.path.join(HERE, "baseline.json")

# name, source, defines, paths (completed + errored) that an exhaustive run has: counted by brute force on the native
# program where its inputs are few (regex over the ten characters that matter), else by enumeration
PROGRAMS = [
    ("bubble-4", "bubble.c", ["N=4"], 24),
    ("bubble-5", "bubble.c", ["N=5"], 120),
    ("bubble-6", "bubble.c", ["N=6"], 720),
    ("bubble-7", "bubble.c", ["N=7"], 5040),
    ("regex", "regex.c", [], 7692),
    ("maze", "maze.c", [], 113),
    ("bst", "bst.c", [], 75),
    ("repok-4", "repok.c", ["POOL=4"], 118),
    ("repok-5", "repok.c", ["POOL=5"], 361),
    ("concrete", "concrete.c", [], 2),
    ("lookup", "lookup.c", [], 296),
]

# CPU seconds of KLEE 3.2 with STP, depth-first, solver not forked, on a machine like the project's own. The one for
# `concrete` follows from its rate of about 3 million instructions per second on concrete code; those of `regex` (7,438
# paths) and `repok-5` (335 paths) are of programs alike, with slightly fewer paths than ours.
QUOTED = {"bubble-5": 1.1, "bubble-6": 10.3, "regex": 2.8, "repok-5": 1.6, "concrete": 67.0}


# A program is slower if its ratio is below this; those that take less CPU are compiled and loaded, mostly.
SLOWER, LONG_ENOUGH = 0.95, 0.25

# Both tools write their tests here: a disk under load would measure the file system instead.
SCRATCH = "/dev/shm" if os.path.isdir("/dev/shm") else None


def measured(command, **options):
    """Runs `command`; gives its exit code, standard output, wall and CPU seconds, and peak memory in MB."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, stdin=subprocess.DEVNULL, **options)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        out.seek(0)
        text = out.read().decode(errors="replace")
    cpu = usage.ru_utime + usage.ru_stime
    return child.returncode, text, {"wall": wall, "cpu": cpu, "mb": usage.ru_maxrss / 1024}


def run_taw(taw, source, defines):
    """One run; the document and the measures together, or an error."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        command = [taw, "run", source, "--search", "DFS", "--no-replay", "--json", "--out",
                   os.path.join(folder, "out")]
        command += [word for name in defines for word in ("-D", name)]
        code, text, result = measured(command, stderr=subprocess.PIPE)
    if code not in (0, 1):
        raise RuntimeError(f"{' '.join(command)} ends with {code}")
    document = json.loads(text)
    stats, paths = document["stats"], document["paths"]
    # Of Taw alone: the process tree's would be clang's.
    result["mb"] = stats["peak_rss_mb"]
    result["exhaustive"] = document["exhaustive"]
    result["paths"] = paths["completed"] + paths["errored"]
    result["instructions"] = stats["instructions"]
    result["queries"] = stats["queries"]
    result["solver"] = stats["solver_s"]
    result["states"] = stats["peak_states"]
    return result


def klee_clang():
    """The clang whose bitcode the installed KLEE reads."""
    version = subprocess.run(["klee", "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"LLVM version (\d+)", version)
    for name in ([f"clang-{found.group(1)}"] if found else []) + ["clang"]:
        if shutil.which(name):
            return name
    raise RuntimeError("klee is there, but no clang of its LLVM version")


def run_klee(clang, source, defines):
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        bitcode = os.path.join(folder, "program.bc")
        compile_it = [clang, "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c", source, "-o", bitcode]
        compile_it += ["-I", os.path.join(ROOT, "runtime", "include")] + [f"-D{name}" for name in defines]
        subprocess.run(compile_it, check=True)
        command = ["klee", "--search=dfs", "--use-forked-solver=false", f"--output-dir={folder}/out", bitcode]
        _, _, result = measured(command, stderr=subprocess.DEVNULL)
    return result


def best(runs):
    """The run with the least CPU, with the least wall and the most memory of all."""
    result = dict(min(runs, key=lambda run: run["cpu"]))
    result["wall"] = min(run["wall"] for run in runs)
    result["mb"] = max(run["mb"] for run in runs)
    return result


def is_slower(result, older):
    """Whether a run that is long enough to tell takes clearly more CPU than the older build's."""
    return result["cpu"] > LONG_ENOUGH and older["cpu"] / result["cpu"] < SLOWER


def line(cells):
    widths = (10, 7, 9, 9, 8, 8, 8, 8, 10, 10)
    return "  ".join(str(cell).rjust(width) for cell, width in zip(cells, widths))


def rate(count, seconds):
    value = count / seconds if seconds > 0 else 0
    return f"{value / 1e6:.1f}M" if value >= 1e6 else f"{value / 1e3:.1f}k" if value >= 1e3 else f"{value:.0f}"


def ratio(other, ours):
    return f"{other / ours:.1f}x" if other and ours else "-"


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--taw", default=os.path.join(ROOT, "target", "release", "taw"))
    parser.add_argument("--against", metavar="OLDER", help="another build, to be compared with")
    parser.add_argument("--repeat", type=int, default=3, help="runs per program; the best counts")
    parser.add_argument("--only", default="", help="names of programs, separated by commas")
    parser.add_argument("--save", action="store_true", help="make this run the baseline")
    parser.add_argument("--no-klee", action="store_true", help="do not run KLEE even if it is there")
    return parser.parse_args()


def main():
    options = arguments()
    for binary in filter(None, (options.taw, options.against)):
        if not os.access(binary, os.X_OK):
            sys.exit(f"{binary} is not there: build it with `cargo build --release`")
    baseline = json.load(open(BASELINE)) if os.path.exists(BASELINE) else {}
    with_klee = shutil.which("klee") is not None and not options.no_klee
    clang = klee_clang() if with_klee else None
    only = [name for name in options.only.split(",") if name]
    unknown = set(only) - {row[0] for row in PROGRAMS}
    if unknown:
        sys.exit(f"no program is called {', '.join(sorted(unknown))}")
    print(line(["program", "paths", "instr/s", "queries/s", "queries", "wall s", "CPU s", "peak MB",
                "older" if options.against else "baseline", "KLEE"]))
    results, faster, wrong = {}, [], []
    for name, source, defines, paths in PROGRAMS:
        if only and name not in only:
            continue
        path = os.path.join(HERE, "programs", source)
        binaries = [options.taw] + ([options.against] if options.against else [])
        runs = []
        # What looks slower is looked at longer, before it is said.
        for repeat in (options.repeat, 3 * options.repeat):
            runs += [[run_taw(binary, path, defines) for binary in binaries] for _ in range(repeat)]
            result, *older = (best(column) for column in zip(*runs))
            if not older or not is_slower(result, older[0]):
                break
        results[name] = result
        old = older[0]["cpu"] if older else baseline.get(name, {}).get("cpu")
        if older and is_slower(result, older[0]):
            wrong.append(f"{name}: {result['cpu']:.2f} s of CPU, {old:.2f} s by {options.against}")
        if not result["exhaustive"] or (paths is not None and result["paths"] != paths):
            wrong.append(f"{name}: {result['paths']} paths instead of {paths}; exhaustive: {result['exhaustive']}")
        klee = run_klee(clang, path, defines)["cpu"] if with_klee else QUOTED.get(name)
        if klee:
            faster.append(klee / result["cpu"])
        shown = ratio(klee, result["cpu"]) + ("" if with_klee or not klee else "q")
        print(line([name, result["paths"], rate(result["instructions"], result["wall"]),
                    rate(result["queries"], result["wall"]), result["queries"], f"{result['wall']:.2f}",
                    f"{result['cpu']:.2f}", f"{result['mb']:.0f}", ratio(old, result["cpu"]), shown]), flush=True)
    if faster:
        source = "measured now" if with_klee else "quoted (q): klee is not on the PATH"
        print(f"\nKLEE's figures: {source}. Geometric mean over {len(faster)} programs: "
              f"{geometric_mean(faster):.1f} times as fast; least {min(faster):.1f}.")
    if options.save:
        with open(BASELINE, "w") as file:
            json.dump({**baseline, **results}, file, indent=1, sort_keys=True)
            file.write("\n")
        print(f"saved to {os.path.relpath(BASELINE, ROOT)}")
    for message in wrong:
        print(f"WRONG {message}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Lets one search run for long and looks whether memory and speed stay what they were.

    bench/steady.py [--taw target/release/taw] [--minutes 30] [--program steady.c] [--out bench/results/steady.csv]

Depth-first the program has few states at a time, so what grows is what is not given back. A line every ten seconds: time, CPU
seconds, instructions, states, terms, collections, resident memory; a picture of it beside. Exit code 1 if the
memory at the end is over 20 % above that after a tenth of the time (3 of 30 minutes), or the instructions per CPU second
in the last tenth are below 90 % of those in the first. By CPU seconds, because a machine does other things too.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
COLUMNS = ["seconds", "cpu_seconds", "instructions", "paths", "states", "terms", "collections", "resident_bytes"]
MOST_GROWTH, LEAST_SPEED = 1.20, 0.90
TICK = os.sysconf("SC_CLK_TCK")
EVERY = 10


def cpu_seconds(pid):
    """CPU seconds of a process so far; none if it is gone."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICK


def last_row(table):
    """The newest whole line of the table that Taw writes."""
    try:
        with open(table, newline="") as lines:
            rows = [line for line in lines.read().split("\n")[:-1] if line]
    except OSError:
        return None
    return dict(zip(rows[0].split(","), rows[-1].split(","))) if len(rows) > 1 else None


def run(taw, program, minutes):
    """The rows of one run."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "table.csv")
        command = [taw, "run", os.path.join(HERE, "programs", program), "--search", "DFS", "--no-replay",
                   "--max-time", f"{int(minutes * 60)}s", "--keep", "findings", "--out", os.path.join(folder, "out"),
                   "--stats", table]
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        while child.poll() is None:
            time.sleep(EVERY)
            cpu, row = cpu_seconds(child.pid), last_row(table)
            if cpu is not None and row and (not rows or rows[-1]["seconds"] != float(row["seconds"])):
                rows.append({name: float(row[name]) if name in row else cpu for name in COLUMNS})
        if child.returncode not in (0, 3):
            sys.exit(f"taw ended with {child.returncode}")
    return rows


def speed(rows):
    """Instructions per CPU second from the first of the rows to the last."""
    first, last = rows[0], rows[-1]
    return (last["instructions"] - first["instructions"]) / max(last["cpu_seconds"] - first["cpu_seconds"], 1e-9)


def curve(points, width, top, height, most, colour):
    longest = points[-1][0]
    text = " ".join(f"{60 + width * x / longest:.1f},{top + height - height * y / most:.1f}" for x, y in points)
    return f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{text}"/>'


def picture(rows):
    """Memory above, speed below, both over time."""
    width, height = 640, 160
    memory = [(row["seconds"], row["resident_bytes"] / 1e6) for row in rows]
    window = max(len(rows) // 60, 1)
    pairs = [(rows[at], rows[at + window]) for at in range(0, len(rows) - window, window)]
    speeds = [(b["seconds"], speed([a, b]) / 1e6) for a, b in pairs]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 90}" height="{2 * height + 110}" '
             'font-family="sans-serif" font-size="12">']
    for top, points, name, unit in ((30, memory, "resident memory", "MB"),
                                    (height + 80, speeds, "instructions per CPU second", "million")):
        most = max(value for _, value in points) * 1.1
        parts.append(f'<text x="60" y="{top - 8}">{name}</text>')
        parts.append(f'<text x="4" y="{top + 10}">{most:.0f} {unit}</text><text x="40" y="{top + height}">0</text>')
        parts.append(f'<path d="M60 {top}V{top + height}H{60 + width}" stroke="#888" fill="none"/>')
        parts.append(curve(points, width, top, height, most, "#1f77b4"))
    parts.append(f'<text x="{width - 20}" y="{2 * height + 100}">{rows[-1]["seconds"] / 60:.0f} minutes</text></svg>')
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taw", default=os.path.join(ROOT, "target", "release", "taw"))
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--program", default="steady.c")
    parser.add_argument("--out", default=os.path.join(HERE, "results", "steady.csv"))
    options = parser.parse_args()
    rows = run(options.taw, options.program, options.minutes)
    if len(rows) < 20:
        sys.exit("the run was too short to tell anything")
    os.makedirs(os.path.dirname(os.path.abspath(options.out)), exist_ok=True)
    with open(options.out, "w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: f"{row[name]:.2f}" if "seconds" in name else int(row[name]) for name in COLUMNS}
                         for row in rows)
    with open(os.path.splitext(options.out)[0] + ".svg", "w") as out:
        out.write(picture(rows))
    tenth = rows[-1]["seconds"] / 10
    first = [row for row in rows if row["seconds"] <= tenth]
    last = [row for row in rows if row["seconds"] >= 9 * tenth]
    growth = rows[-1]["resident_bytes"] / first[-1]["resident_bytes"]
    kept = speed(last) / speed(first)
    print(f"memory    {first[-1]['resident_bytes'] / 1e6:.0f} MB after a tenth, "
          f"{rows[-1]['resident_bytes'] / 1e6:.0f} MB at the end: {growth:.2f} times")
    print(f"speed     {speed(first) / 1e6:.1f} million instructions per CPU second in the first tenth, "
          f"{speed(last) / 1e6:.1f} in the last: {kept:.2f} times")
    print(f"effort    {rows[-1]['paths']:.0f} paths, {rows[-1]['collections']:.0f} collections, "
          f"{rows[-1]['cpu_seconds']:.0f} CPU seconds")
    return 1 if growth > MOST_GROWTH or kept < LEAST_SPEED else 0


if __name__ == "__main__":
    sys.exit(main())

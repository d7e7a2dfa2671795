#!/usr/bin/env python3
"""Writes the tables of the pages of this folder out of the runs that are kept in bench/results.

    bench/tables.py [--check] [NAME ...]

Without names: all for which there are runs. A table stands in its page between `<!-- table: NAME -->` and `<!-- end -->`; what is
written around it stays. --check writes nothing and fails where a page has another table than its runs make.
"""

import argparse
import os
import re
import statistics
import sys

import entries_table
import results
import strategies as by_program
import walk as heuristic
from bugs import BUGS
from judged import Judged

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Table 3.1 of the dissertation: seconds of B(RR(RP,SDSE)), and of its best strategy for the bug.
DISSERTATION = {
    "mkdir": ("not reached", "35.4"), "mkfifo": ("258.1", "22.1"), "mknod": ("1,218.0", "116.4"), "paste": ("21.5", "16.6"),
    "seq": ("674.5", "41.0"), "ptx": ("97.2", "31.6"), "ptx2": ("239.8", "239.8"), "md5sum": ("33.7", "25.6"),
    "tac": ("102.0", "102.0"), "pr": ("not reached", "953.9"),
}


def grouped(rows, *keys):
    """The rows by the values of these keys, in the order in which they came."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def distinct(rows, key):
    return list(dict.fromkeys(row[key] for row in rows))


def median(rows, key):
    return statistics.median(row[key] for row in rows)


def markdown(head, lines):
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *lines]) + "\n"


def bugs(rows):
    """Wall seconds until found / CPU seconds, medians; in brackets how many runs found it, if not all."""
    runs, strategies, lines = grouped(rows, "bug", "strategy"), distinct(rows, "strategy"), []
    found = lambda row: row["verdict"] in ("confirmed", "place")
    for bug in (name for name, *_ in BUGS if any(row["bug"] == name for row in rows)):
        cells = [bug, *DISSERTATION[bug]]
        for strategy in strategies:
            some = runs.get((bug, strategy), [])
            share = "" if all(map(found, some)) else f" ({sum(map(found, some))}/{len(some)})"
            cells.append(f"{median(some, 'seconds'):.2f} / {median(some, 'cpu'):.2f}{share}" if some else "not run")
        lines.append([*cells, ", ".join(sorted({row["verdict"] for row in runs.get((bug, strategies[0]), [])}))])
    return markdown(["bug", "dissertation", "its best for the bug", *strategies, f"native run ({strategies[0]})"], lines)


def multi(rows):
    """Lines reached, medians and each run; then figures of cost."""
    runs, strategies, lines = grouped(rows, "tool", "strategy"), distinct(rows, "strategy"), []
    for tool in distinct(rows, "tool"):
        of = [runs[tool, strategy] for strategy in strategies]
        reached = [f"{median(some, 'reached'):g} ({', '.join(str(row['reached']) for row in some)})" for some in of]
        costs = [("cpu", 1), ("minstr", 1), ("queries", 1e3), ("solver", 1), ("shed", 1e3)]
        cost = [" / ".join(f"{median(some, key) / unit:.0f}" for some in of) for key, unit in costs]
        lines.append([tool, str(of[0][0]["lines"]), *reached, *cost])
    head = ["tool", "lines", *strategies, "CPU s", "million instructions", "thousand queries", "solver s", "thousand states shed"]
    return markdown(head, lines)


def strategies(rows):
    """The lines that bench/strategies.py prints."""
    head = f"{'program':<14} {'strategy':<30} {'reached':>9} {'CPU s':>7} {'M instr':>8} {'queries':>8}"
    runs = grouped(rows, "program", "strategy").items()
    return "\n".join(["```", head, *(by_program.line(*key, some) for key, some in runs), "```"]) + "\n"


def walk(rows):
    return heuristic.table(rows, rows[0]["seeds"], rows[0]["files"])


def entries(rows):
    return entries_table.text(rows, Judged())


# The page of each table, and what makes it.
TABLES = {
    "bugs": ("bench/bugs.md", bugs),
    "entries": ("bench/entries.md", entries),
    "multi": ("bench/multi.md", multi),
    "strategies": ("bench/strategies.md", strategies),
    "walk": ("docs/walk.md", walk),
}


def written(page, name, head, table):
    """The page with this table."""
    said = f"`{head['command']}`, {head['date']}, {head['taw']}, {head['cores']} cores with a load of {head['load']}.\n\n"
    pattern = re.compile(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", re.S)
    if not pattern.search(page):
        sys.exit(f"the page has no place for the table: `<!-- table: {name} -->` and, on a line of its own after it, `<!-- end -->`")
    return pattern.sub(lambda match: match[1] + said + table + match[2], page)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    unknown = set(args.names) - set(TABLES)
    if unknown:
        parser.error(f"there is no table {', '.join(sorted(unknown))}; there are {', '.join(TABLES)}")
    wrong = False
    for name in args.names or TABLES:
        head, rows = results.read(name)
        if not rows:
            if args.names:
                parser.error(f"there are no runs in {os.path.relpath(results.path_of(name), ROOT)}")
            continue
        path = os.path.join(ROOT, TABLES[name][0])
        with open(path, encoding="utf-8") as file:
            page = file.read()
        new = written(page, name, head, TABLES[name][1](rows))
        if args.check and new != page:
            print(f"{TABLES[name][0]} has another table than bench/results/{name}.jsonl makes")
            wrong = True
        elif not args.check:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
            print(f"{TABLES[name][0]}: {len(rows)} runs of {head['date']}")
    sys.exit(wrong)


if __name__ == "__main__":
    main()

"""Raw results: every run behind a table of this folder is a line of JSON in `bench/results/NAME.jsonl`.

The first line says what was run, when, by which build and on what; whoever measures again replaces the file as a whole.
`bench/tables.py` makes the tables of the pages out of these files, and of nothing else.
"""

import datetime
import json
import os
import subprocess
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results")


def path_of(name):
    return os.path.join(FOLDER, name + ".jsonl")


class Results:
    """Keeps runs as they end, in a file that appears when the measurement is complete. Without `is_kept` it does nothing.

    `earlier` are runs that need not be made again: with `resume` those of a measurement that did not come to its end, else those of the last one
    of which `keep` says so.
    """

    def __init__(self, name, taw, is_kept, resume=False, keep=lambda row: False):
        self.name, self.file, self.earlier = name, None, []
        if not is_kept:
            return
        part = path_of(name) + ".part"
        goes_on = resume and os.path.exists(part)
        before, known = read(name)
        self.earlier = read_lines(part)[1] if goes_on else [row for row in known if keep(row)]
        self.file = open(part, "a" if goes_on else "w", encoding="utf-8")
        if goes_on:
            return
        version = subprocess.run([str(taw), "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
        # Where things are on the machine that measured is nobody's concern.
        words = [os.path.join("bench", os.path.basename(sys.argv[0])), *(os.path.basename(word) for word in sys.argv[1:])]
        if "--taw" in words:
            at = words.index("--taw")
            del words[at:at + 2]
        # Runs that stay were made by what was called before.
        earlier = f"{before['command']}, then " if self.earlier else ""
        self.add({
            "command": earlier + " ".join(words),
            "date": datetime.date.today().isoformat(),
            "taw": version,
            "cores": os.cpu_count(),
            "load": round(os.getloadavg()[0], 1),
        })
        for row in self.earlier:
            self.add(row)

    def add(self, row):
        if self.file:
            print(json.dumps(row), file=self.file, flush=True)

    def done(self):
        if self.file:
            self.file.close()
            os.replace(path_of(self.name) + ".part", path_of(self.name))
            print(f"kept in bench/results/{self.name}.jsonl")


def read(name):
    """What was run, and the runs; nothing if nobody kept any."""
    return read_lines(path_of(name)) if os.path.exists(path_of(name)) else (None, [])


def read_lines(path):
    with open(path, encoding="utf-8") as lines:
        head, *rows = map(json.loads, lines)
    return head, rows

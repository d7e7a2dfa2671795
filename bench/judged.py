"""Judgements of findings: `entries-judged.txt` has one in each line; `entries.md` says who made them, and how.

    LIBRARY FUNCTION KIND FILE:LINE  WORD: a few words

FUNCTION is the entry; `*` is any (a place that many of them get to for the same reason). WORD is one of:

    bug           wrong whatever the caller does
    deliberate    outside of what C promises, whatever the caller does, and meant so by the library
    null          only if the caller passes null where the interface wants an object
    length        only if a length and an array, or a text and its end, do not belong together
    precondition  the documented interface excludes it in another way
    false         no run of the program does this
"""

import os
import re

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "entries-judged.txt")
WORDS = ("bug", "deliberate", "null", "length", "precondition", "false")


class Judged:
    """All judgements there are."""

    def __init__(self, path=FILE):
        self.by_place = {}
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip() or line.startswith("#"):
                    continue
                found = re.match(r"(\S+) (\S+) (\S+) (\S+)\s+(\w+): (.+)$", line)
                if not found or found[5] not in WORDS:
                    raise SystemExit(f"{os.path.basename(path)}:{number}: not `LIBRARY FUNCTION KIND FILE:LINE  WORD: why`, WORD one of {', '.join(WORDS)}")
                self.by_place[found.groups()[:4]] = (found[5], found[6].strip())

    def of(self, row, finding):
        """The word and the reason of a finding, if somebody has judged it."""
        for function in (row["function"], "*"):
            known = self.by_place.get((row["library"], function, finding["kind"], finding["place"]))
            if known:
                return known
        return None

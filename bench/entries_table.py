"""The tables of entries.md: libraries, bugs, functions, and every finding by its place with its judgement and what Taw says."""

import collections

import lcov
from judged import WORDS

# What findings ask of the caller, as Taw says it (`caller` of a finding), the least first.
CLASSES = ("always", "values", "lengths", "aliasing", "null", "not judged")


def markdown(head, lines):
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *lines]) + "\n"


def counted(words, order):
    """How often each word is there: `3 null, 1 bug`."""
    counts = collections.Counter(words)
    return ", ".join(f"{counts[word]} {word}" for word in order if counts[word]) or "none"


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "none"


def union(rows):
    """Lines covered by any of these runs, and how many there are."""
    covered, lines = collections.defaultdict(set), {}
    for row in rows:
        for file, had in row.get("files", {}).items():
            covered[file] |= lcov.numbers(had["covered"])
            lines[file] = had["lines"]
    return sum(map(len, covered.values())), sum(lines.values())


class Place:
    """A finding: a kind of error at a place of a library, and all entries that led there."""

    def __init__(self, row, finding):
        self.library, self.kind, self.at, self.rows, self.found = row["library"], finding["kind"], finding["place"], [], []

    def words(self, judged):
        """The judgements of its entries, each with how many have it; mostly there is one."""
        said = collections.Counter(judged.of(row, finding) or ("open", "nobody has looked at it") for row, finding in zip(self.rows, self.found))
        return [(word, why, count) for (word, why), count in said.most_common()]


def places(rows):
    """All findings of these runs, by library, kind and place."""
    by_place = {}
    for row in rows:
        for finding in row.get("findings", []):
            place = by_place.setdefault((row["library"], finding["kind"], finding["place"]), Place(row, finding))
            place.rows.append(row)
            place.found.append(finding)
    return list(by_place.values())


def libraries(rows, judged):
    groups = {}
    for row in rows:
        groups.setdefault(row["library"], []).append(row)
    lines = []
    for library, some in [*groups.items(), ("all", rows)]:
        tests = collections.Counter()
        for row in some:
            tests.update(row.get("tests", {}))
        at = places(some)
        words = [word for place in at for word, _, _ in place.words(judged)]
        lines.append([library, share(sum(row["started"] for row in some), len(some)), share(*union(some)),
                      f"{tests['same']} / {tests['not_confirmed']} / {tests['diverged'] + tests['other_program']}",
                      str(len(at)), counted(words, (*WORDS, "open"))])
    head = ["library", "started", "covered lines", "tests natively: same / not confirmed / diverged", "findings", "judged"]
    return markdown(head, lines)


def bugs(rows, judged):
    """Findings that are judged to be bugs, with a call that shows each."""
    lines = []
    for place in places(rows):
        for word, why, _ in place.words(judged):
            if word == "bug":
                row, finding = next((row, finding) for row, finding in zip(place.rows, place.found) if judged.of(row, finding) == (word, why))
                lines.append([place.library, place.at, place.kind, why, f"`{finding['call'] or row['function']}`"])
    return markdown(["library", "place", "error", "why it is one", "call"], lines)


def functions(rows, judged):
    lines = []
    for row in rows:
        if not row["started"]:
            lines.append([row["library"], row["function"], f"does not start: {row.get('why') or '; '.join(row['incomplete'])}", "", "", ""])
            continue
        tests = row["tests"]
        words = [(judged.of(row, finding) or ("open",))[0] for finding in row["findings"]]
        lines.append([row["library"], row["function"], f"{row['covered']} of {row['entered']}" if "entered" in row else str(row["covered"]),
                      "yes" if row["exhaustive"] else "no",
                      f"{tests['same']} / {tests['not_confirmed']} / {tests['diverged'] + tests['other_program']}", counted(words, (*WORDS, "open"))])
    return markdown(["library", "function", "covered lines of the functions entered", "exhaustive", "tests: same / not confirmed / diverged", "findings"], lines)


def in_file(place):
    """Findings by library, file and line; what has no line comes first."""
    file, _, line = place.at.rpartition(":")
    return place.library, file, int(line) if line.isdigit() else 0, place.kind


def findings(rows, judged):
    lines = []
    for place in sorted(places(rows), key=in_file):
        said = "; ".join(f"**{word}**: {why}" + (f" ({count})" if len(place.words(judged)) > 1 else "") for word, why, count in place.words(judged))
        entries = place.rows[0]["function"] if len(place.rows) == 1 else f"{len(place.rows)} entries"
        lines.append([place.library, place.at, place.kind, entries, counted((finding.get("class", "") for finding in place.found), CLASSES),
                      counted((finding["verdict"] for finding in place.found), ("same", "not confirmed", "diverged", "other program", "not run")), said])
    return markdown(["library", "place", "error", "from", "Taw: it takes", "natively", "judged"], lines)


def text(rows, judged):
    parts = [("", libraries), ("## Bugs\n\n", bugs), ("## Every function\n\n", functions), ("## Every finding\n\n", findings)]
    return "\n".join(title + make(rows, judged) for title, make in parts)

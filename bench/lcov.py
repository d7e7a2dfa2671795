"""Which lines a run has covered, out of the LCOV file that it wrote, small enough to be kept with the run."""

import bisect
import os


def read(path):
    """`covered` lines, of how many in the functions that were `entered`; and by file (`files`) how many there are and which were covered, as ranges."""
    files, covered, entered = {}, 0, 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            word, _, rest = line.strip().partition(":")
            if word == "SF":
                file = os.path.basename(rest)
                functions, called, counts = {}, set(), {}
            elif word == "FN":
                at, name = rest.split(",", 1)
                functions[name] = int(at)
            elif word == "FNDA" and not rest.startswith("0,"):
                called.add(rest.split(",", 1)[1])
            elif word == "DA":
                at, count = rest.split(",")[:2]
                counts[int(at)] = int(count)
            elif word == "end_of_record":
                hit = sorted(at for at, count in counts.items() if count)
                covered += len(hit)
                entered += lines_of(functions, called, counts)
                files[file] = {"lines": len(counts), "covered": ranges(hit)}
    return {"covered": covered, "entered": entered, "files": files}


def lines_of(functions, called, counts):
    """How many of the lines are in functions that were called: each goes from where it begins to where the next one does."""
    begins = sorted((at, name) for name, at in functions.items())
    owner = lambda line: bisect.bisect_right(begins, (line, chr(0x10ffff))) - 1
    return sum(owner(line) >= 0 and begins[owner(line)][1] in called for line in counts)


def ranges(numbers):
    """Ascending numbers as text: `4-7,9`."""
    spans = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


def numbers(text):
    """What `ranges` made text of."""
    spans = [[int(end) for end in span.split("-")] for span in text.split(",") if span]
    return {number for span in spans for number in range(span[0], span[-1] + 1)}

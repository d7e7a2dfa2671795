#!/usr/bin/env python3
"""Staged execution (issue 18): tables 1 to 3 of the paper (SAC 2012), with and without stages in one run, beside the paper's figures.

    bench/staged.py [counts] [times] [table2] [mutants] [--taw target/release/taw] [--limit 600] [--larger N]

counts   table 1 at the paper's sizes: valid/explored paths without stages, structures of stage 1, valid/explored from stages; of the pool subjects of
         the corpus and of the subjects with pointers (tests/staged/pointers.c). Exit code 1 if a count is not the known one.
times    table 1 at sizes where something is to be measured: exploration time (`wall_s` of the run, without compiling) without and with stages;
         `making` is what stage 1 took, `bytes` the size of its file. --larger N adds sizes up to N beyond the last that is feasible without stages.
table2   unions of two, three and four structures.
mutants  six of each subject's `add` (changed comparison, changed field, removed assignment), killed if the post-condition breaks; the stage is made once.

`in invariants` are the instructions and queries that a run from stages spends on invariants, as it prints them.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPUS = os.path.join(ROOT, "tests", "corpus")
HARNESS = os.path.join(ROOT, "tests", "staged", "harness.c")
POINTERS = os.path.join(ROOT, "tests", "staged", "pointers.c")
UNIONS = os.path.join(ROOT, "tests", "staged", "unions.c")

TREE, LIST, HEAP = "search_tree.c", "sorted_list.c", "binary_heap.c"
INVARIANT = {"t": "tree", "l": "list", "h": "heap"}
# Name, macro of the harness, corpus file, pool entry, pointer entry, parameters with their kinds, {size: valid paths}, {size: the paper's valid/explored
# and time without stages, with}.
ROWS = [
    ("SearchTree.add", "ST_ADD", TREE, "st_add", "add", "t:t", {3: 29, 4: 99, 5: 351},
     {3: "29/92 34s, 9s", 4: "99/344 475s, 76s", 5: "351/1298 5252s, 749s"}),
    ("SearchTree.remove", "ST_REMOVE", TREE, "st_remove", "remove_key", "t:t", {3: 49, 4: 175, 5: 637},
     {3: "49/112 61s, 22s", 4: "175/420 828s, 222s", 5: "637/1584 9112s, 2318s"}),
    ("SortedList.add", "SL_ADD", LIST, "sl_add", "list_add", "l:l", {6: 28, 7: 36, 8: 45},
     {6: "28/56 52s, 9s", 7: "36/72 182s, 15s", 8: "45/90 789s, 33s"}),
    ("SortedList.remove", "SL_REMOVE", LIST, "sl_remove", "list_remove", "l:l", {6: 28, 7: 36, 8: 45},
     {6: "28/56 79s, 9s", 7: "36/72 263s, 16s", 8: "45/90 996s, 65s"}),
    ("BinaryHeap.add", "BH_ADD", HEAP, "bh_add", "heap_add", "h:h", {8: 25, 9: 29, 10: 33},
     {8: "26/135 117s, 20s", 9: "29/165 187s, 28s", 10: "32/198 277s, 35s"}),
    ("BinaryHeap.remove", "BH_REMOVE", HEAP, "bh_remove", "heap_remove", "h:h", {8: 35, 9: 44, 10: 56},
     {8: "13/122 138s, 23s", 9: "14/150 195s, 35s", 10: "15/181 289s, 42s"}),
    ("SearchTree.isPreOrder", "ST_ISPREORDER", TREE, "st_isPreOrder", "is_preorder", "t:t l:l", {2: 16, 3: 48, 4: 149},
     {2: "16/70 29s, 6s", 3: "48/310 505s, 59s", 4: "149/1389 9431s, 684s"}),
    ("SearchTree.isEqual", "ST_ISEQUAL", TREE, "st_isEqual", "is_equal", "a:t b:t", {2: 16, 3: 81, 4: 529},
     {2: "16/96 53s, 9s", 3: "81/711 2798s, 287s", 4: "time-out, 529/529 17590s"}),
    ("SortedList.merge", "SL_MERGE", LIST, "sl_merge", "list_merge", "a:l b:l", {3: 69, 4: 251, 5: 923},
     {3: "69/119 65s, 16s", 4: "251/341 276s, 86s", 5: "923/1070 1473s, 1039s"}),
    ("SortedList.isEqual", "SL_ISEQUAL", LIST, "sl_isEqual", "list_equal", "a:l b:l", {4: 55, 5: 91, 6: 140},
     {4: "55/145 202s, 24s", 5: "91/238 533s, 63s", 6: "140/364 1508s, 123s"}),
    ("SortedList.isIntersection", "SL_ISINTERSECTION", LIST, "sl_isIntersection", "is_intersection", "a:l b:l c:l",
     {2: 112, 3: 796, 4: 5201}, {2: "112/190 179s, 19s", 3: "796/1006 808s, 220s", 4: "time-out, 5201/5201 3610s"}),
]
SHAPES = {"t": [1, 2, 4, 9, 23, 65, 197, 626, 2056, 6918, 23714], "l": list(range(1, 30)), "h": list(range(1, 30))}
# Sizes at which something is to be measured.
TIMED = {
    "SearchTree.add": [7, 8, 9], "SearchTree.remove": [7, 8, 9], "SortedList.add": [20], "SortedList.remove": [20],
    "SearchTree.isPreOrder": [6, 7], "SearchTree.isEqual": [5, 6], "SortedList.merge": [6, 7],
    "SortedList.isEqual": [12], "SortedList.isIntersection": [4, 5, 6],
}


class Taw:
    def __init__(self, binary, folder, limit):
        self.binary, self.folder, self.limit, self.made = binary, folder, limit, {}

    def run(self, words, keep="findings"):
        """The document of a run, or None if it did not end in time; and the labels of its tests if all are kept."""
        out = tempfile.mkdtemp(dir=self.folder)
        command = [self.binary, "run", *words, "--json", "--no-replay", "--keep", keep, "--out", out + "/o", "--marker", "reach",
                   "--max-time", f"{self.limit}s", "--max-memory", "8G"]
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode == 2:
            sys.exit(f"{' '.join(command)}\n{ended.stderr}")
        document = json.loads(ended.stdout)
        labels = []
        if keep == "all":
            for name in os.listdir(out + "/o/tests"):
                with open(f"{out}/o/tests/{name}") as file:
                    labels.append(json.load(file)["labels"])
        subprocess.run(["rm", "-rf", out])
        return document, labels

    def stage(self, source, kind, size):
        """The stage of a kind of structure, made once: its path, structures, seconds, bytes."""
        key = (source, kind, size)
        if key not in self.made:
            path = os.path.join(self.folder, f"{len(self.made)}.stage")
            suffix = "_ok" if source == POINTERS else "_repOk"
            command = [self.binary, "stage", source, f"-DMAX_SIZE={size}", "--repok", INVARIANT[kind] + suffix,
                       "--max-nodes", str(size), "--split", "size", "-o", path]
            ended = subprocess.run(command, capture_output=True, text=True)
            if ended.returncode:
                sys.exit(f"{' '.join(command)}\n{ended.stderr}")
            said = re.match(r"(\d+) structures .* out of (\d+) paths, in ([0-9.]+) s", ended.stdout)
            self.made[key] = (path, int(said[1]), int(said[2]), float(said[3]), os.path.getsize(path))
        return self.made[key]

    def staged(self, source, entry, parameters, size, keep="findings", flags=(), of=None):
        words = [source, f"-DMAX_SIZE={size}", "--entry", entry, *flags]
        for parameter in parameters.split():
            name, kind = parameter.split(":")
            words += ["--stage", f"{name}={self.stage(of or source, kind, size)[0]}"]
        return self.run(words, keep)


def unstaged(taw, macro, file, size, keep="findings", flags=(), folder=CORPUS):
    return taw.run([HARNESS, "-I", folder, f'-DSUBJECT="{file}"', f"-DMAX_SIZE={size}", f"-D{macro}", *flags], keep)


def valid(labels):
    return sum(any(label.endswith(("valid", "empty")) for label in test) for test in labels)


def in_invariants(document):
    note = next((note for note in document["notes"] if note.startswith("invariants of stages")), "")
    numbers = re.findall(r"\d+", note)
    return f"{numbers[0]} / {numbers[1]}" if numbers else "?"


def is_whole(document):
    return document["exhaustive"]


def seconds(document):
    return document["stats"]["wall_s"] if is_whole(document) else None


def shown(time):
    return "not done" if time is None else f"{time:.2f} s"


def counts(taw):
    wrong = 0
    print("| method | size | paper: unstaged, staged | unstaged valid/explored | stage 1 structures/explored | from stages valid/explored | "
          "with pointers: stage 1 | valid/explored | in invariants (instructions / queries) |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, macro, file, entry, pointer_entry, parameters, sizes, paper in ROWS:
        for size, known in sizes.items():
            source = os.path.join(CORPUS, file)
            plain, labels = unstaged(taw, macro, file, size, "all")
            staged, staged_labels = taw.staged(source, entry, parameters, size, "all")
            pointers, pointer_labels = taw.staged(POINTERS, pointer_entry, parameters, size, "all")
            kinds = [parameter.split(":")[1] for parameter in parameters.split()]
            pools = [taw.stage(source, kind, size) for kind in kinds]
            nodes = [taw.stage(POINTERS, kind, size) for kind in kinds]
            row = [valid(labels), valid(staged_labels), staged["paths"]["completed"], valid(pointer_labels), pointers["paths"]["completed"]]
            shapes = [made[1] for made in pools + nodes]
            right = all(count == known for count in row) and is_whole(plain) and is_whole(staged) and is_whole(pointers)
            right &= shapes == [SHAPES[kind][size] for kind in kinds] * 2
            right &= in_invariants(staged) == in_invariants(pointers) == "0 / 0"
            wrong += not right
            print(f"| {name} | {size} | {paper[size]} | {row[0]}/{plain['paths']['completed']} | {pools[0][1]}/{pools[0][2]} | {row[1]}/{row[2]} | "
                  f"{nodes[0][1]}/{nodes[0][2]} | {row[3]}/{row[4]} | {in_invariants(staged)}{'' if right else ' WRONG'} |", flush=True)
    return wrong


def times(taw, larger):
    print("| method | size | unstaged | making | bytes | from stages | factor | paths | in invariants |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, macro, file, entry, _, parameters, _, _ in ROWS:
        sizes, done = list(TIMED.get(name, [])), 0
        feasible = True
        while done < len(sizes):
            size = sizes[done]
            done += 1
            plain = seconds(unstaged(taw, macro, file, size)[0]) if feasible else None
            source = os.path.join(CORPUS, file)
            stages = {kind: taw.stage(source, kind, size) for kind in (p.split(":")[1] for p in parameters.split())}
            document = taw.staged(source, entry, parameters, size)[0]
            staged = seconds(document)
            factor = f"{plain / staged:.1f}" if plain and staged else "-"
            making, size_of = sum(made[3] for made in stages.values()), sum(made[4] for made in stages.values())
            print(f"| {name} | {size} | {shown(plain)} | {making:.2f} s | {size_of} | {shown(staged)} | {factor} | {document['paths']['completed']} | "
                  f"{in_invariants(document)} |", flush=True)
            feasible &= plain is not None
            if done == len(sizes) and staged is not None and larger > 0 and len(parameters.split()) > 1 and size < sizes[0] + larger:
                sizes.append(size + 1)


def table2(taw):
    paper = {("tree", 2): "16/96 48s, 20/36 12s", ("tree", 3): "64/400 859s, 68/84 114s", ("tree", 4): "256/1616 14664s, 260/276 1845s",
             ("list", 2): "9/33 10s, 12/18 7s", ("list", 3): "27/105 89s, 30/36 19s", ("list", 4): "81/321 651s, 84/90 107s"}
    print("| structures of size 2 | arguments | paper: unstaged, staged | unstaged: valid/explored | time | from stages: valid/explored | time | factor |")
    print("|---|---|---|---|---|---|---|---|")
    for what, kind, file, flags in [("tree", "t", TREE, []), ("list", "l", LIST, ["-DLISTS"])]:
        for count in (2, 3, 4):
            common = ["-I", CORPUS, f'-DSUBJECT="{file}"', f"-DARGS={count}", *flags]
            plain, labels = taw.run([UNIONS, *common, "-DMAX_SIZE=2", "-DHARNESS"], "all")
            parameters = " ".join(f"{name}:{kind}" for name in "abcd"[:count])
            # The invariant is that of the corpus file: the stage is the one made of it.
            staged, staged_labels = taw.staged(UNIONS, f"union{count}", parameters, 2, "all", common, os.path.join(CORPUS, file))
            a, b = seconds(plain), seconds(staged)
            factor = f"{a / b:.1f}" if a and b else "-"
            print(f"| {what} | {count} | {paper[what, count]} | {valid(labels)}/{plain['paths']['completed']} | {shown(a)} | "
                  f"{valid(staged_labels)}/{staged['paths']['completed']} | {shown(b)} | {factor} |", flush=True)


# What is changed in `add` of each subject: the paper's operators.
MUTANTS = {
    ("SearchTree", TREE, "ST_ADD", "st_add", "t:t", 6, "3.6"): [
        ("if (data < n->data)\n            at = &n->left;", "if (data <= n->data)\n            at = &n->left;"),
        ("if (data < n->data)\n            at = &n->left;", "if (data > n->data)\n            at = &n->left;"),
        ("if (data < n->data)\n            at = &n->left;", "if (data < n->data)\n            at = &n->right;"),
        ("    b->pool[k].data = data;\n", "    b->pool[k].data = k;\n"),
        ("    *at = new_node(b, data);\n", "    new_node(b, data);\n"),
        ("    *at = new_node(b, data);\n    b->size++;", "    *at = new_node(b, data);"),
    ],
    ("SortedList", LIST, "SL_ADD", "sl_add", "l:l", 16, "5.7"): [
        ("if (!done && x < n->data) {", "if (!done && x > n->data) {"),
        ("if (!done && x < n->data) {", "if (!done && x <= n->data) {"),
        ("if (!done && x < n->data) {", "if (x < n->data) {"),
        ("            push(&b, x);\n            done = 1;", "            push(&b, x);"),
        ("        push(&b, n->data);\n        at = n->next;\n    }\n    if (!done)", "        push(&b, n->next);\n        at = n->next;\n    }\n    if (!done)"),
        ("    if (!done)\n        push(&b, x);\n", ""),
    ],
    ("BinaryHeap", HEAP, "BH_ADD", "bh_add", "h:h", 12, "3.8"): [
        ("if (!(d[parent] < x))\n            break;", "if (!(d[parent] > x))\n            break;"),
        ("if (!(d[parent] < x))\n            break;", "if (!(d[parent] <= x))\n            break;"),
        ("int parent = (at - 1) / 2;\n        if (!(d", "int parent = at / 2;\n        if (!(d"),
        ("        d[at] = d[parent];\n        at = parent;\n    }\n    d[at] = x;", "        at = parent;\n    }\n    d[at] = x;"),
        ("        at = parent;\n    }\n    d[at] = x;\n    reach(\"bh_add", "        break;\n    }\n    d[at] = x;\n    reach(\"bh_add"),
        ("    d[at] = x;\n    reach(\"bh_add", "    reach(\"bh_add"),
    ],
}


def killed(document, labels):
    broken = any(label.endswith("broken") for test in labels for label in test)
    return broken or bool(document["findings"])


def mutants(taw):
    print("| subject | size | mutants | killed unstaged | killed from stages | time unstaged | stage 1, once | time from stages | factor | paper's |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for (name, file, macro, entry, parameters, size, paper), changes in MUTANTS.items():
        with open(os.path.join(CORPUS, file)) as text:
            original = text.read()
        total = [0.0, 0.0]
        kills = [0, 0]
        kind = parameters.split(":")[1]
        making = taw.stage(os.path.join(CORPUS, file), kind, size)[3]
        # The original is m0: it is run, and not killed.
        for number, (before, after) in enumerate([("", "")] + changes):
            if original.count(before) < 1:
                sys.exit(f"{file} has no {before!r}")
            folder = tempfile.mkdtemp(dir=taw.folder)
            with open(os.path.join(folder, file), "w") as out:
                out.write(original.replace(before, after, 1))
            flags = ["-DCHECK_POST"]
            runs = [unstaged(taw, macro, file, size, "all", flags, folder),
                    taw.staged(os.path.join(folder, file), entry, parameters, size, "all", flags, os.path.join(CORPUS, file))]
            for way, (document, labels) in enumerate(runs):
                total[way] += document["stats"]["wall_s"]
                kills[way] += killed(document, labels)
            if number == 0 and any(kills):
                sys.exit(f"{name}: the original breaks its post-condition")
        factor = total[0] / (total[1] + making)
        print(f"| {name}.add | {size} | {len(changes)} | {kills[0]} | {kills[1]} | {total[0]:.2f} s | {making:.2f} s | {total[1]:.2f} s | {factor:.1f} | {paper} |",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=["counts", "times", "table2", "mutants"])
    parser.add_argument("--taw", default=os.path.join(ROOT, "target", "release", "taw"))
    parser.add_argument("--limit", type=int, default=600)
    parser.add_argument("--larger", type=int, default=0)
    args = parser.parse_args()
    wrong, began = 0, time.time()
    with tempfile.TemporaryDirectory() as folder:
        taw = Taw(os.path.abspath(args.taw), folder, args.limit)
        if "counts" in args.what:
            wrong = counts(taw)
        if "times" in args.what:
            times(taw, args.larger)
        if "table2" in args.what:
            table2(taw)
        if "mutants" in args.what:
            mutants(taw)
    print(f"\n{time.time() - began:.0f} s in all; {wrong} wrong counts")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

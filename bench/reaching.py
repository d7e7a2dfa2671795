"""One run of `taw reach` and what it cost: shared by the measurements of this folder."""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time


def reach(taw, words, limit, seed=0, strategy="default", cwd=None):
    """The JSON document, wall seconds, CPU seconds. `limit` is in seconds; a strategy `default` is no --search at all."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [str(taw), "reach", *map(str, words), "--seed", str(seed), "--max-time", f"{limit}s"]
        command += ["--json", "--out", os.path.join(scratch, "out")]
        if strategy != "default":
            command += ["--search", strategy]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            start = time.time()
            child = subprocess.Popen(command, cwd=cwd, stdout=out, stderr=errors)
            _, status, usage = os.wait4(child.pid, 0)
            wall = time.time() - start
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            errors.seek(0)
            text, said = out.read(), errors.read().decode(errors="replace")
    if child.returncode not in (0, 1, 3):
        sys.exit(f"{shlex.join(command)} failed with {child.returncode}\n{said}")
    return json.loads(text), wall, usage.ru_utime + usage.ru_stime

#!/bin/sh
# Every test: format, lints, unit, property, program and command-line tests. The last line counts them.
set -eu
cd "$(dirname "$0")/.."

step() { echo; echo "== $*"; "$@"; }

step cargo fmt --all --check
step cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
# The program tests run the `taw` binary as a user would.
step cargo build --locked --quiet -p taw-cli

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo
echo "== cargo test --workspace"
status=0
# A pipe would hide the exit status, so it goes through a file.
{ cargo test --workspace --locked --no-fail-fast 2>&1 && echo 0 > "$log.status" || echo $? > "$log.status"; } | tee "$log"
status=$(cat "$log.status")
rm -f "$log.status"

# What failed, once more at the end, where somebody who sees only the end finds it: each failing test with what it said.
awk '/^failures:$/ { shown = 1 } /^test result:/ { shown = 0 } shown { print }' "$log"
echo
awk '/^test result:/ { passed += $4; failed += $6; ignored += $8 }
     END { printf "%d tests passed, %d failed, %d ignored\n", passed, failed, ignored }' "$log"
exit "$status"

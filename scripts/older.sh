#!/bin/sh
# Builds the release of an older commit and prints where it is: what `make bench` compares with.
#
#   scripts/older.sh COMMIT
#
# It is kept under target/older, so a second call does nothing.
set -eu
cd "$(dirname "$0")/.."

commit=$(git rev-parse --verify --quiet "$1^{commit}") || { echo "older: there is no commit $1" >&2; exit 1; }
folder=$PWD/target/older/$commit
if [ ! -x "$folder/target/release/taw" ]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    git archive "$commit" | tar -x -C "$folder"
    # The solver that `make setup` fetched is the same.
    ln -s "$PWD/.deps" "$folder/.deps"
    (cd "$folder" && cargo build --release --locked --quiet -p taw-cli) >&2
fi
echo "$folder/target/release/taw"

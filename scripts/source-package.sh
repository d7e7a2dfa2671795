#!/bin/sh
# Fetches a Debian source package and unpacks it: scripts/source-package.sh NAME FOLDER.
#
# The machine's own package sources are used, as deb-src, from a scratch folder: its configuration is not touched.
set -eu

[ $# = 2 ] || { echo "usage: $0 NAME FOLDER" >&2; exit 2; }
name=$1
folder=$2
apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT
mkdir -p "$apt/parts" "$apt/lists/partial" "$folder"
for file in /etc/apt/sources.list.d/*.sources; do
    if [ -e "$file" ]; then sed 's/^Types:.*/Types: deb-src/' "$file" > "$apt/parts/$(basename "$file")"; fi
done
cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2> /dev/null | sed -n 's/^deb /deb-src /p' > "$apt/parts/one-line.list"
options="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$apt/parts -o Dir::State::lists=$apt/lists -o APT::Sandbox::User=$(id -un)"
# A source that has no source packages is no failure: others may have the package.
# shellcheck disable=SC2086 # a list of options
apt-get $options update --quiet=2 > "$apt/log" 2>&1 || true
cd "$folder"
# shellcheck disable=SC2086
apt-get $options source --quiet=2 "$name" || { cat "$apt/log" >&2; exit 1; }

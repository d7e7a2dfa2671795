#!/bin/sh
# Puts a current Z3 where the build looks for it: .deps/z3/{include,lib} under the project root.
#
# The PyPI wheel z3-solver carries a current libz3.so with its headers and is several times as fast as Debian's 4.8.12.
# If it cannot be had, Debian's libz3-dev is linked there instead. Idempotent: a second run only says what is there.
set -eu

version=5.4.0.0
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
deps=$root/.deps/z3

say() { echo "z3.sh: $*"; }
die() { echo "z3.sh: error: $*" >&2; exit 1; }

header_version() {
    awk '/define Z3_(MAJOR|MINOR|BUILD)_(VERSION|NUMBER)/ { v = v (v == "" ? "" : ".") $3 } END { print v }' "$deps/include/z3_version.h"
}

write_pkg_config() {
    mkdir -p "$deps/lib/pkgconfig"
    cat > "$deps/lib/pkgconfig/z3.pc" <<PC
prefix=\${pcfiledir}/../..
Name: z3
Description: The Z3 theorem prover
Version: $1
Libs: -L\${prefix}/lib -lz3
Cflags: -I\${prefix}/include
PC
}

from_wheel() {
    command -v python3 > /dev/null || { say "python3 is not installed, so no wheel can be fetched"; return 1; }
    python3 -m pip --version > /dev/null 2>&1 || { say "pip is not installed (Debian: apt-get install python3-pip)"; return 1; }
    tmp=$(mktemp -d)
    say "fetching the wheel z3-solver $version from PyPI"
    if python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --dest "$tmp" "z3-solver==$version" && python3 -m zipfile -e "$tmp"/z3_solver-*.whl "$tmp/wheel"; then
        fresh=$deps.new.$$
        rm -rf "$fresh"
        mkdir -p "$fresh/lib"
        cp -R "$tmp/wheel/z3/include" "$fresh/include"
        cp "$tmp/wheel/z3/lib/libz3.so" "$fresh/lib/libz3.so"
        # The wheel's library names itself libz3.so.MAJOR.MINOR: the loader asks for that name.
        for name in "$tmp"/wheel/z3/lib/libz3.so.*; do
            if [ -e "$name" ]; then ln -sf libz3.so "$fresh/lib/$(basename "$name")"; fi
        done
        rm -rf "$tmp" "$deps"
        mv "$fresh" "$deps"
        write_pkg_config "$version"
        return 0
    fi
    rm -rf "$tmp"
    return 1
}

from_debian() {
    library=
    for candidate in /usr/lib/*/libz3.so /usr/lib/libz3.so /usr/lib64/libz3.so; do
        if [ -e "$candidate" ]; then library=$candidate; break; fi
    done
    [ -n "$library" ] && [ -e /usr/include/z3.h ] || return 1
    rm -rf "$deps"
    mkdir -p "$deps/lib" "$deps/include"
    ln -s "$library" "$deps/lib/libz3.so"
    for header in /usr/include/z3*.h; do ln -s "$header" "$deps/include/"; done
    write_pkg_config "$(header_version)"
}

if [ -e "$deps/lib/libz3.so" ] && [ -e "$deps/include/z3.h" ] && [ -e "$deps/lib/pkgconfig/z3.pc" ]; then
    say "Z3 $(sed -n 's/^Version: //p' "$deps/lib/pkgconfig/z3.pc") is already in .deps/z3"
    exit 0
fi
mkdir -p "$root/.deps"
if from_wheel; then
    say "installed Z3 $version from PyPI into .deps/z3"
elif from_debian; then
    say "installed links to the system's Z3 $(header_version) into .deps/z3 (older and slower than the wheel)"
else
    die "no Z3: neither the wheel z3-solver $version (python3, pip and PyPI) nor the package libz3-dev is available"
fi

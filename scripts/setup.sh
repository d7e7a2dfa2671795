#!/bin/sh
# Installs what Taw needs on Debian: packages that are missing, and a current Z3 (scripts/z3.sh).
#
# Idempotent: a second run installs nothing and only says what is there. Needs root or sudo only if a package is missing.
set -eu

# clang and LLVM: the compiler of programs under test, and the library that reads bitcode (crates/loader).
# libclang-rt, csmith: native sanitizers and random programs, for the tests. gcc-multilib: headers for -m32.
# musl-dev, linux-libc-dev: headers and native libraries of the C library under test; dpkg-dev unpacks its source.
# lcov, libxml2-utils: independent readers of what Taw writes, for the tests.
# g++, pkg-config: to build the SAT solver and the LLVM shim. python3-pip, ca-certificates: to fetch Z3.
packages="clang-22 llvm-22-dev lld-22 libclang-rt-22-dev gcc-multilib g++ pkg-config python3-pip ca-certificates csmith libcsmith-dev lcov libxml2-utils musl-dev linux-libc-dev dpkg-dev"

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)

say() { echo "setup: $*"; }
die() { echo "setup: error: $*" >&2; exit 1; }

installed() { dpkg-query --show --showformat='${db:Status-Status}' "$1" 2> /dev/null | grep -qx installed; }

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo > /dev/null; then
        sudo "$@"
    else
        die "packages must be installed by root, and sudo is not there; as root, run: $*"
    fi
}

command -v dpkg-query > /dev/null && command -v apt-get > /dev/null ||
    die "this is not Debian or one of its kin; install by hand: $packages"
command -v cargo > /dev/null ||
    die "no Rust toolchain: cargo is not on the PATH; install Rust 1.90 or newer (the Debian package rustup, or rust-lang.org)"

install() {
    say "installing: $*"
    # The lists may be missing (a fresh container) or old (packages already replaced).
    as_root apt-get update --quiet=2 || say "the package lists could not be renewed; trying with those that are there"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends "$@" ||
        die "could not install: $* (no network, or this Debian is too old: Taw needs LLVM 22)"
}

missing=
for package in $packages; do
    installed "$package" || missing="$missing $package"
done
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086 # a list of words
    install $missing
else
    say "all packages are installed"
fi
command -v clang-22 > /dev/null || die "clang-22 was installed but is not on the PATH"

sh "$root/scripts/z3.sh" || {
    say "taking Debian's Z3 instead"
    install libz3-dev
    sh "$root/scripts/z3.sh"
}
sh "$root/scripts/musl.sh"
say "ready"

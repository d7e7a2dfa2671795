#!/bin/sh
# Makes the C library that programs under test run on: .deps/musl/musl.bc, musl as one bitcode module over Taw's system calls
# (runtime/musl), and .deps/musl/sysroot.tar.gz, its headers and native libraries for `taw cc`.
#
# The source is Debian's package of musl, fetched and never kept in the repository; headers and native libraries are those of
# musl-dev, which is the same version. Idempotent: a second run only says what is there, until this script or runtime/musl changes.
set -eu

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
deps=$root/.deps/musl
clang=${TAW_CLANG:-clang-22}
archiver=$(echo "$clang" | sed 's/clang/llvm-ar/')
linker=$(echo "$clang" | sed 's/clang/llvm-link/')

say() { echo "musl.sh: $*"; }
die() { echo "musl.sh: error: $*" >&2; exit 1; }

# What Taw replaces: the heap, jumps, copies, the end and the start of a program, threads, strings by words, and printing (runtime/musl/print.c).
left_out='^src/(malloc|ldso|setjmp)/|^src/thread/(pthread_create|pthread_cancel|clone)\.c|^src/string/(memcpy|memmove|memset|strchrnul|stpcpy|stpncpy|memccpy|strlcpy|strlcat|strlen|memchr)\.c'
left_out="$left_out"'|^src/exit/(exit|atexit|abort|_Exit|assert)\.c|^src/env/(__libc_start_main|__init_tls|__stack_chk_fail)\.c'
left_out="$left_out"'|^src/process/vfork\.c|^src/misc/syscall\.c|^src/stdio/(fputs|puts)\.c'

flags="-ffreestanding -nostdinc -D_XOPEN_SOURCE=700 --target=x86_64-linux-gnu -O1 -g0 -fno-vectorize -fno-slp-vectorize
 -fno-unroll-loops -fno-stack-protector -D__libc_malloc=malloc -D__libc_calloc=calloc -D__libc_realloc=realloc -D__libc_free=free
 -emit-llvm -c"

# The headers that musl's own Makefile generates.
generate() {
    mkdir -p "$work/gen/bits"
    sed -f tools/mkalltypes.sed arch/x86_64/bits/alltypes.h.in include/alltypes.h.in > "$work/gen/bits/alltypes.h"
    cp arch/x86_64/bits/syscall.h.in "$work/gen/bits/syscall.h"
    sed -n 's/__NR_/SYS_/p' arch/x86_64/bits/syscall.h.in >> "$work/gen/bits/syscall.h"
    printf '#define VERSION "%s"\n' "$(cat VERSION)" > "$work/gen/version.h"
}

compile() {
    includes="-I$root/runtime/musl/arch -I$root/runtime/musl/include -Iarch/x86_64 -Iarch/generic -I$work/gen -Isrc/include -Isrc/internal -I$work/gen -Iinclude"
    mkdir -p "$work/obj"
    export clang flags includes work
    ls src/*/*.c | grep -v -E "$left_out" | xargs -P "$(nproc)" -n 16 sh -ec '
        for file in "$@"; do
            rename=
            case $file in
                */vfprintf.c | */fcntl.c | */ioctl.c | */prctl.c)
                    name=$(basename "$file" .c)
                    rename=-D$name=__libc_$name ;;
                # Reads whole words, beyond the end of a string, where the compiler is GNU C.
                */mbsrtowcs.c) rename=-U__GNUC__ ;;
            esac
            $clang $flags -std=c99 -w $includes $rename -o "$work/obj/$(echo "$file" | tr / _).bc" "$file"
        done' sh || die "musl does not compile"
    for file in "$root"/runtime/musl/*.c; do
        # shellcheck disable=SC2086 # lists of words
        $clang $flags -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter $includes -o "$work/obj/taw_$(basename "$file").bc" "$file" ||
            die "$file does not compile"
    done
    "$linker" -o "$work/musl.bc" "$work"/obj/*.bc || die "the modules of musl do not link"
}

# usr/include and usr/lib, with the kernel's headers, which musl leaves to the kernel.
sysroot() {
    mkdir -p "$work/sysroot/usr/lib"
    cp -RL /usr/include/x86_64-linux-musl "$work/sysroot/usr/include"
    for folder in linux asm-generic; do cp -RL "/usr/include/$folder" "$work/sysroot/usr/include/"; done
    cp -RL /usr/include/x86_64-linux-gnu/asm "$work/sysroot/usr/include/"
    for file in crt1.o Scrt1.o rcrt1.o crti.o crtn.o libc.a libm.a libpthread.a librt.a libdl.a libutil.a libcrypt.a libresolv.a libxnet.a; do
        if [ -e "/usr/lib/x86_64-linux-musl/$file" ]; then cp -L "/usr/lib/x86_64-linux-musl/$file" "$work/sysroot/usr/lib/"; fi
    done
    # What programs say about their inputs: a native run is given them by the replay library, which is part of this C library.
    cp -R "$root/runtime/taw.h" "$root"/runtime/include/* "$root"/runtime/musl/include/* "$work/sysroot/usr/include/"
    # Natively too there is GNU's `error`.
    for file in replay/replay musl/error; do
        object=$work/$(basename "$file").o
        "$clang" --target=x86_64-linux-musl --sysroot="$work/sysroot" -D_GNU_SOURCE -O1 -w -c -o "$object" "$root/runtime/$file.c" ||
            die "runtime/$file.c does not compile"
        "$archiver" r "$work/sysroot/usr/lib/libc.a" "$object" || die "libc.a cannot be extended"
    done
    tar -C "$work/sysroot" --sort=name --mtime=@0 --owner=0 --group=0 -czf "$work/sysroot.tar.gz" usr
}

stamp=$(cat "$0" "$root"/runtime/musl/*.c "$root"/runtime/musl/arch/*.h "$root"/runtime/musl/include/*.h "$root"/runtime/replay/replay.c "$root/runtime/taw.h" "$root"/runtime/include/klee/klee.h | sha256sum | cut -d ' ' -f 1)
if [ "$(cat "$deps/stamp" 2> /dev/null)" = "$stamp" ]; then
    say "the C library is there"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! [ -d "$deps/source" ]; then
    say "fetching the source of musl"
    mkdir "$work/fetched"
    sh "$root/scripts/source-package.sh" musl "$work/fetched" || die "the source package of musl cannot be fetched"
    mkdir -p "$deps"
    mv "$work"/fetched/musl-* "$deps/source"
fi
cd "$deps/source"
say "compiling musl $(cat VERSION) to bitcode"
generate
compile
sysroot
mv "$work/musl.bc" "$work/sysroot.tar.gz" "$deps/"
echo "$stamp" > "$deps/stamp"
say "ready"

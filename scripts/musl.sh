#!/bin/sh
# Makes the C library that programs under test run on: .deps/musl/musl.bc, musl as one bitcode module over Taw's system calls
# (runtime/musl), .deps/musl/musl32.bc, the same for i386, and .deps/musl/sysroot.tar.gz, its headers and native libraries for `taw cc`.
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

# What Taw replaces: the heap, jumps, copies, the end and the start of a program, threads, strings by words.
left_out='^src/(malloc|ldso|setjmp)/|^src/thread/(pthread_create|pthread_cancel|clone)\.c|^src/string/(memcpy|memmove|memset|strchrnul|stpcpy|stpncpy|memccpy|strlcpy|strlcat|strlen|memchr)\.c'
left_out="$left_out"'|^src/exit/(exit|atexit|abort|_Exit|assert)\.c|^src/env/(__libc_start_main|__init_tls|__stack_chk_fail)\.c'
left_out="$left_out"'|^src/process/vfork\.c|^src/misc/syscall\.c|^src/stdio/vfprintf\.c|^src/signal/(restore|siglongjmp)\.c|^src/fenv/'

# Functions whose structures are others on 32 bits, depending on the headers: runtime/musl/arch32/abi.c.
left_out_i386='^src/dirent/(readdir|readdir_r|scandir|alphasort|versionsort)\.c|^src/misc/(ftw|nftw|getrlimit|setrlimit|syscall)\.c|^src/regex/glob\.c'
left_out_i386="$left_out_i386"'|^src/unistd/(truncate|ftruncate|pread|pwrite)\.c|^src/stdio/(fgetpos|fsetpos)\.c|^src/stat/(statvfs|fstatvfs)\.c|^compat/time32/(__xstat|.*stat.*|futimes.*|utime.*|lutimes.*|.*itimer.*|sem.*|.*timer.*|adj.*|.*wait.*|.*timed.*)'

flags="-ffreestanding -nostdinc -D_XOPEN_SOURCE=700 -O1 -g0 -fno-vectorize -fno-slp-vectorize
 -fno-unroll-loops -fno-stack-protector -D__libc_malloc=malloc -D__libc_calloc=calloc -D__libc_realloc=realloc -D__libc_free=free
 -emit-llvm -c"

# The headers that musl's own Makefile generates. The modelled kernel has the numbers of x86-64 on 32 bits too.
generate() {
    mkdir -p "$work/gen/bits" "$work/x86_64/bits" "$work/i386/bits"
    for arch in x86_64 i386; do
        sed -f tools/mkalltypes.sed "arch/$arch/bits/alltypes.h.in" include/alltypes.h.in > "$work/$arch/bits/alltypes.h"
    done
    cp arch/x86_64/bits/syscall.h.in "$work/gen/bits/syscall.h"
    sed -n 's/__NR_/SYS_/p' arch/x86_64/bits/syscall.h.in >> "$work/gen/bits/syscall.h"
    # A number that depends on inputs is runtime/musl/print.c's.
    sed -e 's/^\t\tswitch(t) {$/\t\tl = 0;\n\t\tif (__taw_number(f, t, fl, w, xp ? p : -1, arg.i, arg.f, ps == BIGLPRE)) continue;\n&/' \
        -e 's/^static int printf_core(/hidden int __taw_number(FILE *, int, unsigned, int, int, uintmax_t, long double, int);\n&/' \
        src/stdio/vfprintf.c > "$work/gen/vfprintf.c"
    [ "$(grep -c __taw_number "$work/gen/vfprintf.c")" = 2 ] || die "vfprintf.c is not as this script expects"
    printf '#define VERSION "%s"\n' "$(cat VERSION)" > "$work/gen/version.h"
}

# The files of musl for an architecture. On 32 bits time has 64, and programs call functions with 32 that are apart.
sources() {
    case $1 in
        i386) ls src/*/*.c compat/time32/*.c | grep -v -E "$left_out|$left_out_i386" ;;
        *) ls src/*/*.c | grep -v -E "$left_out" ;;
    esac
    echo "$work/gen/vfprintf.c"
}

# Compiles for one of musl's architectures: its name, the folder of Taw's files for it alone, the module to make.
compile() {
    arch=$1
    includes="-I$2 -I$root/runtime/musl/arch -I$root/runtime/musl/include -I$work/$arch -I$work/gen -Iarch/$arch -Iarch/generic"
    includes="$includes -Isrc/include -Isrc/internal -Iinclude"
    target=--target=$arch-linux-gnu
    obj=$work/obj-$arch
    mkdir -p "$obj"
    export clang flags includes target obj
    sources "$arch" | xargs -P "$(nproc)" -n 16 sh -ec '
        for file in "$@"; do
            rename=
            case $file in
                */vfprintf.c | */fcntl.c | */ioctl.c | */prctl.c)
                    name=$(basename "$file" .c)
                    rename=-D$name=__libc_$name ;;
                # Exceptions are not modelled: what nobody can test for need not be put right.
                */math/*.c) rename="-Dfetestexcept=__taw_no_exceptions -Dfeclearexcept=__taw_no_exceptions" ;;
                */__stdio_write.c) rename=-D__stdio_write=__libc_stdio_write ;;
                # Reads whole words, beyond the end of a string, where the compiler is GNU C.
                */mbsrtowcs.c) rename=-U__GNUC__ ;;
            esac
            $clang $target $flags -std=c99 -w $includes $rename -o "$obj/$(echo "$file" | tr / _).bc" "$file"
        done' sh || die "musl does not compile"
    for file in "$root"/runtime/musl/*.c "$2"/*.c; do
        if ! [ -e "$file" ]; then continue; fi
        # shellcheck disable=SC2086 # lists of words
        $clang "$target" $flags -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter $includes -o "$obj/taw_$(basename "$file").bc" "$file" ||
            die "$file does not compile"
    done
    "$linker" -o "$work/$3" "$obj"/*.bc || die "the modules of musl do not link"
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

stamp=$(cat "$0" "$root"/runtime/musl/*.c "$root"/runtime/musl/arch*/* "$root"/runtime/musl/include/*.h "$root"/runtime/replay/replay.c "$root/runtime/taw.h" "$root"/runtime/include/klee/klee.h | sha256sum | cut -d ' ' -f 1)
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
compile x86_64 "$root/runtime/musl/arch64" musl.bc
compile i386 "$root/runtime/musl/arch32" musl32.bc
sysroot
mv "$work/musl.bc" "$work/musl32.bc" "$work/sysroot.tar.gz" "$deps/"
echo "$stamp" > "$deps/stamp"
say "ready"

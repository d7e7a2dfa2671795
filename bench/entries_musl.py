"""Functions of musl as code of the user: which, and how their files are compiled beside the machine's C library.

Natively these files are linked with the machine's library, of which they know nothing: `GLUE` has the few names that musl's files expect of each
other, and headers that stand in for two of its own (the locale is UTF-8, and is not looked for in the thread).
"""

import os
import subprocess

GLUE = """
#include <stddef.h>
extern int *__errno_location(void);
__attribute__((visibility("hidden"), const)) int *___errno_location(void) { return __errno_location(); }
__attribute__((visibility("hidden"))) void __stdio_exit_needed(void) {}
__attribute__((visibility("hidden"))) const char __utc[] = "UTC";
"""
LOCALE = """
#include <stdlib.h>
#include <wchar.h>
#define CURRENT_UTF8 1
#undef MB_CUR_MAX
#define MB_CUR_MAX 4
"""

SCAN = "internal/intscan.c internal/shgetc.c stdio/__uflow.c stdio/__toread.c"
UTF8 = "multibyte/internal.c"
SECONDS = "time/__month_to_secs.c time/__year_to_secs.c"
TREE = "search/tsearch.c"

# Files under src/, by function.
FILES = {
    # string
    "memmem": "string/memmem.c", "strstr": "string/strstr.c", "strtok": "string/strtok.c", "strtok_r": "string/strtok_r.c",
    "strspn": "string/strspn.c", "strcspn": "string/strcspn.c string/strchrnul.c", "strpbrk": "string/strpbrk.c", "strsep": "string/strsep.c",
    "strverscmp": "string/strverscmp.c", "strcasestr": "string/strcasestr.c", "strlcpy": "string/strlcpy.c", "strlcat": "string/strlcat.c",
    "strncat": "string/strncat.c", "stpncpy": "string/stpncpy.c", "memccpy": "string/memccpy.c", "memrchr": "string/memrchr.c",
    "swab": "string/swab.c", "wcsstr": "string/wcsstr.c", "wcstok": "string/wcstok.c", "strlen": "string/strlen.c", "strncmp": "string/strncmp.c",
    # stdlib
    "strtol": f"stdlib/strtol.c {SCAN}", "strtoull": f"stdlib/strtol.c {SCAN}", "atoi": "stdlib/atoi.c", "bsearch": "stdlib/bsearch.c",
    "qsort": "stdlib/qsort_nr.c stdlib/qsort.c", "lldiv": "stdlib/lldiv.c",
    # regex
    "fnmatch": f"regex/fnmatch.c multibyte/mbtowc.c {UTF8}", "regcomp": f"regex/regcomp.c regex/tre-mem.c multibyte/mbtowc.c {UTF8}",
    "regexec": f"regex/regexec.c regex/tre-mem.c multibyte/mbtowc.c {UTF8}", "regfree": "regex/regcomp.c regex/tre-mem.c",
    # network
    "inet_pton": "network/inet_pton.c", "inet_ntop": "network/inet_ntop.c", "inet_aton": "network/inet_aton.c",
    "inet_addr": "network/inet_addr.c network/inet_aton.c", "inet_network": "network/inet_legacy.c network/inet_aton.c network/inet_addr.c",
    "dn_expand": "network/dn_expand.c", "dn_skipname": "network/dn_skipname.c", "dn_comp": "network/dn_comp.c",
    "ns_initparse": "network/ns_parse.c network/dn_expand.c", "ns_skiprr": "network/ns_parse.c network/dn_expand.c",
    "ns_parserr": "network/ns_parse.c network/dn_expand.c", "ether_aton_r": "network/ether.c",
    # time
    "gmtime_r": "time/gmtime_r.c time/__secs_to_tm.c", "timegm": f"time/timegm.c time/__tm_to_secs.c time/__secs_to_tm.c {SECONDS}",
    "strptime": "time/strptime.c", "difftime": "time/difftime.c",
    # search
    "insque": "search/insque.c", "remque": "search/insque.c", "lsearch": "search/lsearch.c", "lfind": "search/lsearch.c", "tsearch": TREE,
    "tfind": "search/tfind.c", "tdelete": f"search/tdelete.c {TREE}", "twalk": "search/twalk.c", "hcreate_r": "search/hsearch.c", "hsearch_r": "search/hsearch.c",
    # multibyte
    "mbrtowc": f"multibyte/mbrtowc.c {UTF8}", "mbtowc": f"multibyte/mbtowc.c {UTF8}", "mbsnrtowcs": f"multibyte/mbsnrtowcs.c multibyte/mbsrtowcs.c multibyte/mbrtowc.c {UTF8}",
    "wcrtomb": "multibyte/wcrtomb.c", "wcsrtombs": "multibyte/wcsrtombs.c multibyte/wcrtomb.c", "wcsnrtombs": "multibyte/wcsnrtombs.c multibyte/wcrtomb.c",
    "mbrtoc16": f"multibyte/mbrtoc16.c multibyte/mbrtowc.c {UTF8}", "c16rtomb": "multibyte/c16rtomb.c multibyte/wcrtomb.c",
    # misc, env, prng
    "basename": "misc/basename.c", "dirname": "misc/dirname.c", "getsubopt": "misc/getsubopt.c", "a64l": "misc/a64l.c", "ffsll": "misc/ffsll.c misc/ffsl.c",
    "rand_r": "prng/rand_r.c", "erand48": "prng/drand48.c prng/__rand48_step.c prng/__seed48.c",
}


def subjects(source, scratch):
    """As in entries.py; `scratch` gets what musl's Makefile would generate, and the stand-ins."""
    gen = os.path.join(scratch, "musl")
    os.makedirs(os.path.join(gen, "bits"), exist_ok=True)

    def write(name, text):
        with open(os.path.join(gen, name), "w", encoding="utf-8") as file:
            file.write(text)

    at = lambda *parts: os.path.join(source, *parts)
    types = subprocess.run(["sed", "-f", at("tools/mkalltypes.sed"), at("arch/x86_64/bits/alltypes.h.in"), at("include/alltypes.h.in")],
                           capture_output=True, text=True, check=True).stdout
    write("bits/alltypes.h", types)
    with open(at("arch/x86_64/bits/syscall.h.in"), encoding="utf-8") as file:
        calls = file.read()
    write("bits/syscall.h", calls + calls.replace("__NR_", "SYS_"))
    write("locale_impl.h", LOCALE)
    write("glue.c", GLUE)
    with open(at("VERSION"), encoding="utf-8") as file:
        version = file.read().strip()
    folders = [gen, at("arch/x86_64"), at("arch/generic"), at("src/include"), at("src/internal"), at("include")]
    flags = ["-nostdinc", "-w", "-std=gnu99", "-D_GNU_SOURCE", *(f"-I{folder}" for folder in folders)]
    for function, files in FILES.items():
        yield "musl", "musl", version, function, [*(at("src", name) for name in files.split()), os.path.join(gen, "glue.c")], flags

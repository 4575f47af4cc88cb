#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_hardening.sh <readelf> <file>...: checks in ELF files that a release is compiled and linked with protection
# against memory faults. A file called qapfw is the program; others are libraries.
set -euo pipefail
readelf=$1
shift
status=0
for file in "$@"; do
    name=$(basename "$file")
    wrong() {
        echo "$name: $1"
        status=1
    }
    segments=$("$readelf" -lW "$file") dynamic=$("$readelf" -dW "$file") symbols=$("$readelf" --dyn-syms -W "$file")
    grep -q GNU_RELRO <<<"$segments" || wrong "addresses of functions stay writable: no RELRO segment"
    grep -qE 'BIND_NOW|FLAGS_1.*NOW' <<<"$dynamic" || wrong "functions are bound late: no BIND_NOW"
    grep -q TEXTREL <<<"$dynamic" && wrong "its code is changed when it is loaded: TEXTREL"
    grep -E 'GNU_STACK' <<<"$segments" | grep -q 'RW ' || wrong "its stack may hold code"
    # A function that may be called through a pointer begins with endbr64.
    LC_ALL=C grep -qaP '\xf3\x0f\x1e\xfa' "$file" || wrong "no function marks its begin for the processor (-fcf-protection)"
    # Some plugins have no function with an array on its stack. So only the program and its library are checked.
    if [[ $name == qapfw || $name == libqapfw* ]]; then
        grep -q __stack_chk_fail <<<"$symbols" || wrong "functions with arrays do not check their stack"
    fi
    if [ "$name" = qapfw ]; then
        grep -qE 'Type: +DYN|Elf file type is DYN' <<<"$segments" || wrong "it is loaded at a fixed address: no PIE"
        grep -qE '__[a-z]+_chk@' <<<"$symbols" || wrong "no call checks the size of its buffer (_FORTIFY_SOURCE)"
    fi
done
[ $# -gt 0 ] || status=1
exit $status

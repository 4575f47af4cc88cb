#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_hardening.sh <readelf> <file>...: what is linked against memory faults, read from its ELF files. A file called
# qapfw is the program, others are libraries.
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
    segments=$("$readelf" -lW "$file") dynamic=$("$readelf" -dW "$file")
    grep -q GNU_RELRO <<<"$segments" || wrong "addresses of functions stay writable: no RELRO segment"
    grep -qE 'BIND_NOW|FLAGS_1.*NOW' <<<"$dynamic" || wrong "functions are bound late: no BIND_NOW"
    grep -q TEXTREL <<<"$dynamic" && wrong "its code is changed when it is loaded: TEXTREL"
    grep -E 'GNU_STACK' <<<"$segments" | grep -q 'RW ' || wrong "its stack may hold code"
    if [ "$name" = qapfw ]; then
        grep -qE 'Type: +DYN|Elf file type is DYN' <<<"$segments" || wrong "it is loaded at a fixed address: no PIE"
    fi
done
[ $# -gt 0 ] || status=1
exit $status

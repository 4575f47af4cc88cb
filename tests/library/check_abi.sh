#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_abi.sh <C compiler> <source folder> <library folder> <work folder>
# Checks that programs compiled with a stored qapfw.h of this major version still work. The present header must have all
# structs, constants and prototypes of the stored header unchanged. The example solve.c, compiled with the stored
# header, must run. The library's symbols must be exactly the functions of the present header.
set -euo pipefail
cc=$1 source=$2 library=$3 work=$4
present=$source/framework/library/include
rm -rf "$work"
mkdir -p "$work"

# declarations <include folder>: prints the header's declarations without comments. Each line is a struct, a prototype
# or a constant.
declarations() {
    printf '#include "qapfw/qapfw.h"\n' | "$cc" -std=c11 -I"$1" -E - |
        awk '/^# [0-9]+ "/ { own = /qapfw\/qapfw.h"/; next } own' | tr '\n' ' ' |
        sed -E 's/__attribute__ *\(\(visibility *\("default"\)\)\)//g; s/[[:space:]]+/ /g; s/ ?([][(),*{};]) ?/\1/g' |
        awk 'BEGIN { RS = ";" } { text = text $0 ";"; depth += gsub(/\{/, "{"); depth -= gsub(/\}/, "}") }
             depth == 0 { print text; text = "" }' |
        awk '/^enum *\{/ { sub(/\};$/, ""); gsub(/,/, "\nenum{") } { print }' | sort -u
}

# lost <stored folder> <other folder>: prints the declarations of the stored header that the other header lacks
lost() { comm -23 <(declarations "$1") <(declarations "$2"); }

# must_notice <sed expression>: changes a copy of the present header. `lost` must notice the change.
must_notice() {
    rm -rf "$work/changed"
    cp -r "$present" "$work/changed"
    sed -i "$1" "$work/changed/qapfw/qapfw.h"
    if [ -z "$(lost "$present" "$work/changed")" ]; then echo "WRONG: $1 is not noticed"; exit 1; fi
}
must_notice '0,/uint64_t evaluations;/{/uint64_t evaluations;/d}'
must_notice 's/int32_t maximize, int64_t\* columns/int64_t maximize, int64_t* columns/'
must_notice 's/QAPFW_TYPE_INT8 = 6/QAPFW_TYPE_INT8 = 11/'

functions=$(declarations "$present" | grep -oE '\bqapfw_[a-z_]+\(' | tr -d '(' | sort -u)
symbols=$(nm -D --defined-only "$library/libqapfw.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort -u)
if ! diff <(printf '%s\n' "$functions") <(printf '%s\n' "$symbols"); then
    echo "WRONG: the library's symbols (>) are not the functions of its header (<)"
    exit 1
fi

major=$(sed -nE 's/^#define QAPFW_API_MAJOR ([0-9]+)$/\1/p' "$present/qapfw/qapfw.h")
count=0
for stored in "$source/tests/library/abi/$major".*/; do
    count=$((count + 1))
    gone=$(lost "$stored" "$present")
    if [ -n "$gone" ]; then
        echo "WRONG: qapfw.h lacks what the stored $(basename "$stored") has; only a new major version may:"
        echo "$gone"
        exit 1
    fi
    sed 's/"2s"/"100ms"/' "$source/framework/library/examples/solve.c" >"$work/solve.c"
    "$cc" -std=c11 -I"$stored" "$work/solve.c" -L"$library" -lqapfw -Wl,-rpath,"$library" -o "$work/solve"
    "$work/solve" | grep '^cost ' >/dev/null
    echo "a program compiled with $(basename "$stored") runs"
done
[ $count -gt 0 ]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_headers.sh <C++ compiler> <C compiler> <source folder>
# Each public header compiles alone and included twice; those of the C contract as C11 too, all without a warning.
set -euo pipefail
cxx=$1 cc=$2 source=$3
status=0
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)
includes=(-I"$source/sdk/include" -I"$source/kernels/include")

# try <header> <compiler...>
try() {
    local header=$1
    shift
    if ! printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
        "$@" "${warnings[@]}" "${includes[@]}" -fsyntax-only -; then
        echo "FAILED: $header with $*"
        status=1
    fi
}

count=0
for file in $(cd "$source" && find sdk/include kernels/include -name '*.h' -o -name '*.hpp' | sort); do
    header=${file#*include/}
    # Functions for the device alone: NVRTC compiles them in the tests of the kernels.
    if printf '#include "%s"\n' "$header" | "$cxx" -std=c++20 "${includes[@]}" -E -x c++ - 2>/dev/null | grep QAPFW_DEVICE >/dev/null; then
        echo "device only: $header"
        continue
    fi
    try "$header" "$cxx" -std=c++20 -x c++
    [ "${header##*.}" != h ] || try "$header" "$cc" -std=c11 -x c
    count=$((count + 1))
done
echo "$count headers"
[ $count -gt 0 ] || status=1
exit $status

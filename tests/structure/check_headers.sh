#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_headers.sh <C++ compiler> <C compiler> <source folder> <build folder> <work folder>
# Installs the SDK, which the headers of kernels/ are part of, and compiles each of its headers alone and included twice,
# all without a warning: those of the C contract as C11 too, those for the device alone as the emulated GPUs read them.
set -euo pipefail
cxx=$1 cc=$2 source=$3 build=$4 work=$5
status=0
rm -rf "$work"
cmake --install "$build" --component dev --prefix "$work" >/dev/null
include=$work/include
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)

# compiles <header> <first lines> <compiler...>: the compiler's words are in `said`.
compiles() {
    local header=$1 before=$2
    shift 2
    said=$(printf '%s#include "%s"\n#include "%s"\n' "$before" "$header" "$header" |
        "$@" "${warnings[@]}" -I"$include" -fsyntax-only - 2>&1)
}
# try: the same; it must compile
try() {
    if compiles "$@"; then return; fi
    printf '%s\nFAILED: %s with %s\n' "$said" "$1" "${*:3}"
    status=1
}

emulation=$'#include "tests/emulated_cuda/program_prefix.hpp"\n'
count=0
for file in $(cd "$include" && find . -name '*.h' -o -name '*.hpp' | sort); do
    header=${file#./}
    # Headers for the device alone are those that no host compiles for want of this word.
    if ! compiles "$header" '' "$cxx" -std=c++20 -x c++; then
        if grep -q "QAPFW_DEVICE" <<<"$said"; then
            try "$header" "$emulation" "$cxx" -std=c++20 -Wno-unknown-pragmas -I"$source" -x c++
        else
            printf '%s\nFAILED: %s with %s\n' "$said" "$header" "$cxx"
            status=1
        fi
    fi
    [ "${header##*.}" != h ] || try "$header" '' "$cc" -std=c11 -x c
    count=$((count + 1))
done
echo "$count headers"
for folder in abi sdk kernels; do
    [ -d "$include/qapfw/$folder" ] || { echo "FAILED: qapfw/$folder is not installed"; status=1; }
done
if grep -rnE '#include "qapfw/(sdk|kernels)/' "$include/qapfw/abi"; then
    echo "FAILED: the C contract includes C++"
    status=1
fi
if grep -rn '#include "qapfw/sdk/' "$include/qapfw/kernels"; then
    echo "FAILED: kernels include the C++ layer, which NVRTC cannot compile"
    status=1
fi
exit $status

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

# try <header> <first lines> <compiler...>
try() {
    local header=$1 before=$2
    shift 2
    if ! printf '%s#include "%s"\n#include "%s"\n' "$before" "$header" "$header" | "$@" "${warnings[@]}" -I"$include" -fsyntax-only -; then
        echo "FAILED: $header with $*"
        status=1
    fi
}

emulation=$'#include "tests/emulated_cuda/program_prefix.hpp"\n'
count=0
for file in $(cd "$include" && find . -name '*.h' -o -name '*.hpp' | sort); do
    header=${file#./}
    if printf '#include "%s"\n' "$header" | "$cxx" -std=c++20 -I"$include" -E -x c++ - 2>/dev/null | grep QAPFW_DEVICE >/dev/null; then
        try "$header" "$emulation" "$cxx" -std=c++20 -Wno-unknown-pragmas -I"$source" -x c++
    else
        try "$header" '' "$cxx" -std=c++20 -x c++
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

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_headers.sh <C++ compiler> <C compiler> <source folder> <build folder> <work folder>
# Installs the SDK with the headers of kernels/. Compiles each header alone, and included twice, without a warning.
# Headers of the C contract are also compiled as C11. Device headers are compiled as for the emulated GPUs. Half of the
# headers include one of a few base headers, which are precompiled to save time.
set -euo pipefail
cxx=$1 cc=$2 source=$3 build=$4 work=$5
status=0
rm -rf "$work"
cmake --install "$build" --component dev --prefix "$work" >/dev/null
include=$work/include
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)

# The base headers, which are precompiled. If a header includes several of them, it is compiled with only one
# precompiled header: the last of them in this list.
bases=(qapfw/error.hpp qapfw/kernels/philox.hpp qapfw/sdk/encoding.hpp qapfw/sdk/improver.hpp)
emulation=tests/emulated_cuda/program_prefix.hpp

# Finds for each header the base header that it includes, directly or through other headers. An include within #if does
# not count, since it depends on macros.
includes=$(cd "$include" && find . -name '*.h' -o -name '*.hpp' | xargs awk '
    FNR == 1 { depth = 0; file = substr(FILENAME, 3) }
    /^ *# *if/ { ++depth }
    /^ *# *endif/ { --depth }
    /^ *# *include "/ && depth == 0 { split($0, part, "\""); print file, part[2] }')
declare -A base_of=()
for base in "${bases[@]}"; do
    while read -r header; do base_of[$header]=$base; done < <(awk -v base="$base" '
        { from[NR] = $1; to[NR] = $2 }
        END {
            found[base] = 1
            do {
                more = 0
                for (k = 1; k <= NR; ++k) if (found[to[k]] && !found[from[k]]) { found[from[k]] = 1; print from[k]; more = 1 }
            } while (more)
        }' <<<"$includes")
done

compiler=("$cxx" -std=c++20 "${warnings[@]}" -I"$include")
# Switches off the warnings that the emulation's headers switch off by pragmas. Code that includes the precompiled form
# of these headers would get the warnings: pragmas have no effect beyond a precompiled header.
emulating=(-Wno-unknown-pragmas -Wno-conversion -Wno-sign-conversion -I"$source")
# precompile <header> [options]: precompiles the header as "$work/precompiled/<header>".
precompile() {
    mkdir -p "$work/precompiled/${1%/*}"
    printf '#include "%s"\n' "$1" >"$work/precompiled/$1"
    "${compiler[@]}" "${@:2}" -x c++-header "$work/precompiled/$1" -o "$work/precompiled/$1.gch"
}
for base in "${bases[@]}"; do precompile "$base"; done
precompile "$emulation" "${emulating[@]}"

# compiles <header> <compiler...>: compiles a text that includes the header twice; `said` gets the compiler's messages.
compiles() {
    local header=$1
    shift
    said=$(printf '#include "%s"\n#include "%s"\n' "$header" "$header" | "$@" -fsyntax-only - 2>&1)
}
# try <header> <compiler...>: like compiles, but a header that does not compile is reported as a failure.
try() {
    if compiles "$@"; then return; fi
    printf '%s\nFAILED: %s with %s\n' "$said" "$1" "${*:2}"
    status=1
}

count=0
for file in $(cd "$include" && find . -name '*.h' -o -name '*.hpp' | sort); do
    header=${file#./}
    # The compiler does not know QAPFW_DEVICE. A header that fails because of this word is only for the device.
    base=()
    [ -z "${base_of[$header]:-}" ] || base=(-include "$work/precompiled/${base_of[$header]}")
    if ! compiles "$header" "${compiler[@]}" ${base[@]+"${base[@]}"} -x c++; then
        if grep -q "QAPFW_DEVICE" <<<"$said"; then
            try "$header" "${compiler[@]}" "${emulating[@]}" -include "$work/precompiled/$emulation" -x c++
        else
            printf '%s\nFAILED: %s with %s\n' "$said" "$header" "$cxx"
            status=1
        fi
    fi
    [ "${header##*.}" != h ] || try "$header" "$cc" -std=c11 "${warnings[@]}" -I"$include" -x c
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

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tune_gpu.sh [OUT]: checks on this machine's GPU the numbers that problems/qap/device/tabu_tuning.hpp chooses for tabu
# search. For each size it prints the rate of the launch with these numbers (the plan), and the best rate with its
# launch. "***" marks a launch that is more than 2 % faster than the plan. Put the numbers of such a launch into the
# table named at the line's end: warps (w), searches of a CUDA block (t) and CUDA blocks of a multiprocessor (b). Takes
# minutes. Needs CUDA's compiler library. SIZES="40 60" measures only these sizes. HARNESS=PROGRAM uses a harness that
# is built already.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$(mktemp -d)}
mkdir -p "$out"
cuda=${CUDA_HOME:-/usr/local/cuda}
read -ra sizes <<<"${SIZES:-12 16 20 24 30 40 48 60 80 90 100 110 128 150 180 200 230 256 310 400}"

build_harness() {
    harness=$out/tabu_kernel_harness
    local folder flags=() driver
    for folder in "$cuda/lib64" "$cuda/lib" "$cuda/targets/x86_64-linux/lib"; do
        [ ! -d "$folder" ] || flags+=("-L$folder" "-Wl,-rpath,$folder")
    done
    driver=$(find -L "$cuda" /usr/local/nvidia /usr/lib -name 'libcuda.so*' 2>/dev/null | head -1)
    "${CXX:-g++}" -std=c++20 -O2 -I"$cuda/include" -I"$root" -I"$root/sdk/include" -I"$root/kernels/include" \
        "$root/tests/gpu/tabu_kernel_harness.cpp" -o "$harness" "${flags[@]}" "$driver" -lnvrtc -lpthread
}

# Prints the kernel launches to measure, one a line, as arguments of the harness. The first one is the plan's choice.
# Launches that would give a multiprocessor too few warps, or too many for its registers, are left out.
words_full() {  # launches that put as many searches on each multiprocessor as it can hold
    local n=$1 warps teams blocks
    echo "n=$n,auto"
    if [ "$n" -gt 200 ]; then
        for warps in 8 12 16; do printf '%s\n' "n=$n,auto,w=$warps" "n=$n,auto,pm=1,w=$warps"; done
        return
    fi
    for warps in 1 2 4 8; do
        for teams in 1 2 4; do
            for blocks in 1 2 3 4 6 8; do
                [ $((warps * teams * blocks)) -ge 8 ] && [ $((warps * teams * blocks)) -le 32 ] || continue
                echo "n=$n,w=$warps,t=$teams,b=$blocks,rc=0"
                [ "$n" -lt 90 ] || echo "n=$n,w=$warps,t=$teams,b=$blocks,rc=1"
            done
        done
    done
}
words_few() {  # launches that put $2 searches (1 or 2) on each multiprocessor
    local n=$1 few=$2 warps
    echo "n=$n,auto,pm=$few,each=$few"
    [ "$n" -le 200 ] || return 0
    for warps in 1 2 4 8 16; do
        printf '%s\n' "n=$n,each=$few,t=1,w=$warps,b=$few,rc=0" "n=$n,each=$few,t=1,w=$warps,b=$few,rc=0,al=1"
    done
}

# measure <file> <launch...>: measures all launches in one run of the harness. That run fails if a launch does not
# compile or fit. In this case the harness runs once for each launch.
measure() {
    local file=$1 word
    shift
    "$harness" "$root" time "$@" >"$file" 2>&1 && return
    : >"$file"
    for word in "$@"; do "$harness" "$root" time "$word" >>"$file" 2>/dev/null || true; done
}

# tell <file> <what>: prints the plan's rate, which the file's first line has, and the best rate in the file.
tell() {
    grep ' M/s' "$1" | awk -v what="$2" '
        { rate = $(NF - 1)
          match($0, /w=[0-9]+ t=[0-9]+ b=[0-9]+/)
          launch = substr($0, RSTART, RLENGTH) (/rc=1/ ? " rc=1" : "") (/ alone/ ? " alone" : "")
          if (NR == 1) { plan = rate; planned = launch; table = / table / ? "TableTuning" : "TileTuning" }
          if (rate + 0 > best + 0) { best = rate; found = launch } }
        END { if (what !~ /fit/) table = "LatencyTuning"
              printf "%-28s plan %8.1f M/s (%s), best %8.1f M/s (%s)%s\n", what, plan, planned, best, found,
                  (best > 1.02 * plan ? " *** " table : "") }'
}

if [ -n "${HARNESS:-}" ]; then harness=$HARNESS; else build_harness; fi
for n in "${sizes[@]}"; do
    mapfile -t words < <(words_full "$n")
    measure "$out/n$n.txt" "${words[@]}"
    tell "$out/n$n.txt" "n=$n, as many as fit"
    for few in 1 2; do
        mapfile -t words < <(words_few "$n" $few)
        measure "$out/n$n-few$few.txt" "${words[@]}"
        tell "$out/n$n-few$few.txt" "n=$n, $few on each"
    done
done

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run_tabu_harness.sh OUT [check|time|quality|profile|sass ...]: builds the tabu harness, runs it in each mode, and
# writes results to the folder OUT. All modes but sass need a GPU. The exit status is 1 if a check fails. The modes
# profile and sass take their cases, such as "n=60,auto", from the environment variable PROFILE;
# tabu_kernel_harness.cpp explains cases.
set -u
out=$1; shift
cuda=${CUDA_HOME:-/usr/local/cuda}
root=$(cd "$(dirname "$0")/../.." && pwd)
libraries=$(for d in "$cuda/lib64" "$cuda/lib" "$cuda/targets/x86_64-linux/lib"; do [ -d "$d" ] && echo "-L$d -Wl,-rpath,$d"; done)
stubs=$(find -L "$cuda" /usr/local/nvidia -name 'libcuda.so*' 2>/dev/null | head -1)
[ -x /tmp/harness ] && [ /tmp/harness -nt "$root/tests/gpu/tabu_kernel_harness.cpp" ] || g++ -std=c++20 -O2 -I"$cuda/include" -I"$root" -I"$root/sdk/include" -I"$root/kernels/include" \
    "$root/tests/gpu/tabu_kernel_harness.cpp" -o /tmp/harness $libraries "$stubs" -lnvrtc -lpthread || exit 1
check_cases=$(grep -v '^#' "$root/tests/gpu/tabu_check_cases.txt")
failed=0
for mode in "$@"; do
    case $mode in
        check)
            /tmp/harness "$root" check $check_cases >"$out/check.txt" 2>&1 || failed=1
            grep -v ' ok$' "$out/check.txt" ;;
        time) /tmp/harness "$root" time $(grep -v '^#' "$root/tests/gpu/tabu_time_cases.txt") 2>&1 | tee "$out/time.txt" ;;
        quality) /tmp/harness "$root" quality $(grep -v '^#' "$root/tests/gpu/tabu_quality_cases.txt") 2>&1 | tee "$out/quality.txt" ;;
        profile)
            for word in $PROFILE; do
                ncu --clock-control none --launch-skip 1 --launch-count 1 --print-details all --section WarpStateStats --section SchedulerStats --section InstructionStats --section ComputeWorkloadAnalysis --section SpeedOfLight \
                    /tmp/harness "$root" time "$word" > "$out/ncu-${word//[,=]/_}.txt" 2>&1
            done ;;
        sass)
            mkdir -p /tmp/cubins; TABU_CUBINS=/tmp/cubins /tmp/harness "$root" compile $PROFILE
            i=0; for word in $PROFILE; do cuobjdump --dump-sass /tmp/cubins/$i.cubin | grep -E '^\s+/\*[0-9a-f]{4}\*/|\.L_|Function' > "$out/sass-${word//[,=]/_}.txt"; i=$((i+1)); done ;;
    esac
done
exit $failed

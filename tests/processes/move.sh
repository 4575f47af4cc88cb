#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# move.sh <program> <folder of the emulated CUDA libraries>: tests two processes that begin on the CPU and move to
# emulated GPUs together. The digest must be that of one process on the CPU, even if one process has no GPU or its
# compiler fails. QAPFW_MPIRUN: command to start processes, default "mpirun --oversubscribe".
set -u
binary=$(realpath "$1") emulated=$(realpath "$2") failures=0
read -ra launcher <<<"${QAPFW_MPIRUN:-mpirun --oversubscribe}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=$work XDG_CACHE_HOME=$work/cache
export QAPFW_LIBCUDA=$emulated/libcuda.so QAPFW_NVRTC=$emulated/libnvrtc.so QAPFW_EMULATED_GPUS=2

arguments=(run --json --threads 1 --seed 7 --set problem.plugin=qap --set problem.instance=tai12a --set output.record=false
    --set algorithm.plugin=ga_distributed --set algorithm.subpopulations=4 --set algorithm.size=16
    --set algorithm.exchange_every=5)
moving=(--set device.start_on_cpu=true --time-limit 1s)
field() { sed -n "s/^  \"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1" | head -1; }
complain() { echo "FAILED $1: $2"; failures=$((failures + 1)); sed 's/^/  /' "$work/err" "$work/out"; }

# two <environment of rank 1> <argument of run...>: starts a run of two processes
two() {
    local environment
    read -ra environment <<<"$1"
    shift
    "${launcher[@]}" -n 1 "$binary" "${arguments[@]}" "$@" : -n 1 env "${environment[@]}" "$binary" "${arguments[@]}" "$@" \
        >"$work/out" 2>"$work/err"
}
check_moved() {  # name
    local iterations
    iterations=$(field "$work/out" iterations)
    [ "$(field "$work/out" backend)" = cuda ] || complain "$1" "it did not move"
    "$binary" "${arguments[@]}" --backend cpu --iterations "$iterations" >"$work/one" 2>/dev/null
    [ -n "$iterations" ] && [ "$(field "$work/out" digest)" = "$(field "$work/one" digest)" ] ||
        complain "$1" "digest $(field "$work/out" digest), on one CPU $(field "$work/one" digest)"
    echo "$1: $iterations iterations, $(grep -c 'moved to cuda' "$work/err") told"
}

"$binary" "${arguments[@]}" --backend cuda --set device.start_on_cpu=false --iterations 5 >"$work/out" 2>"$work/err" || complain "kernels" "exit code $?"
two "QAPFW_EMULATED_LOAD_SECONDS=0.1" "${moving[@]}" --backend cuda && check_moved "one is ready later" ||
    complain "one is ready later" "it failed"
two "QAPFW_LIBCUDA=/nonexistent/libcuda.so" "${moving[@]}" && check_moved "one has no GPU" ||
    complain "one has no GPU" "it failed"
two "QAPFW_EMULATED_COMPILE_ERROR=wrong XDG_CACHE_HOME=$work/empty" "${moving[@]}" && check_moved "one cannot compile" ||
    complain "one cannot compile" "it failed"
two "QAPFW_EMULATED_COMPILE_ERROR=wrong XDG_CACHE_HOME=$work/empty" --set device.start_on_cpu=true --backend cuda
status=$?
[ $status = 3 ] && grep -q "error: wrong" "$work/err" || complain "one must have a GPU and cannot compile" "exit code $status"
exit $((failures > 0))

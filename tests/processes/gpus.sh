#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gpus.sh <program> <folder of emulated GPUs>: tests processes together with GPUs. A run of several processes on the CPU
# is resumed by one process on a GPU, and the other way round. Two processes divide GPUs among them, and use the same
# GPU only on request. The value of "auto" depends on the GPUs of all processes.
set -u
binary=$(realpath "$1") emulated=$(realpath "$2") failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=$work
export QAPFW_LIBCUDA=$emulated/libcuda.so QAPFW_NVRTC=$emulated/libnvrtc.so XDG_CACHE_HOME=$work/cache
searches=(--set problem.plugin=qap --set problem.instance=tai12a --set algorithm.plugin=tabu --set algorithm.searches=6
    --set algorithm.round=5 --set algorithm.share_after=10 --set device.start_on_cpu=false --seed 7 --threads 1)
complain() { echo "FAILED: $1"; failures=$((failures + 1)); sed 's/^/  /' "$work/err"; }
qapfw_on() {  # number of processes, number of GPUs, arguments...
    local launcher=()
    [ "$1" = 1 ] || launcher=(mpirun --oversubscribe -n "$1")
    QAPFW_EMULATED_GPUS=$2 ${launcher[@]+"${launcher[@]}"} "$binary" "${@:3}" >"$work/out" 2>"$work/err"
}
begin() { qapfw_on "$1" "$2" run --quiet "${searches[@]}" "${@:4}" --out "$work/$3" || complain "$3: the run fails"; }
go_on() { qapfw_on "$1" "$2" resume --quiet "$work/$3" "${@:4}" || complain "$3: the resume fails"; }
value() { grep -oE "\"$2\": [^,]*" "$work/$1/result.json" | head -1; }
# Prints a trace without the "offered" lines and the seconds, which depend on time.
lines_of() { sed '/"offered"/d; s/"seconds":[^,]*,//' "$work/$1/trace.jsonl"; }
ends_as() {  # record, the record that it must end like
    [ "$(value "$1" digest)" = "$(value "$2" digest)" ] || complain "$1: $(value "$1" digest), $2 has $(value "$2" digest)"
    cmp -s <(lines_of "$1") <(lines_of "$2") || complain "$1: not the trace of $2"
}

begin 1 0 whole --backend cpu --iterations 60
begin 2 1 there --backend cpu --iterations 20
go_on 1 1 there --backend cuda --iterations 40
[ "$(value there backend)" = '"backend": "cuda"' ] || complain "there: it does not run on a GPU"
go_on 2 1 there --backend cpu --iterations 60
ends_as there whole
begin 1 1 back --backend cuda --iterations 20
go_on 2 1 back --backend cpu --iterations 40
go_on 1 1 back --backend cuda --iterations 60
ends_as back whole

# Two processes have a GPU each. They share one GPU only on request.
begin 2 2 one-each --backend cuda --iterations 60
ends_as one-each whole
qapfw_on 2 1 run "${searches[@]}" --backend cuda --iterations 60 --out "$work/refused" && complain "one GPU for two is not refused"
[ "$(grep -c "2 processes of this host would share 1 GPU: start at most one for each GPU" "$work/err")" = 1 ] ||
    complain "wanted one message on the GPU"
[ ! -e "$work/refused" ] || complain "a run that is refused leaves a record"
begin 2 1 shared --backend cuda --set device.shared=true --iterations 60
ends_as shared whole

# "auto" chooses the number of searches that fills the GPUs. It does so in four cases: one process on one GPU, one
# process on two GPUs, two processes on a GPU each, and two processes on the same GPU.
searches=(--set problem.plugin=qap --set problem.instance=tai12a --set algorithm.plugin=tabu --set algorithm.round=5
    --set algorithm.share_after=10 --set device.start_on_cpu=false --seed 7 --threads 1 --backend cuda --iterations 20)
searches_of() { grep -oE "^searches = [0-9]+" "$work/$1/config.toml"; }
begin 1 1 auto-one
begin 1 2 auto-both
begin 2 2 auto-one-each
begin 2 1 auto-shared --set device.shared=true
ends_as auto-one-each auto-both
ends_as auto-shared auto-one
echo "one GPU: $(searches_of auto-one), two: $(searches_of auto-both)"
[ "$(searches_of auto-one)" != "$(searches_of auto-both)" ] || complain "two GPUs have no more searches than one"
[ $failures -eq 0 ] && echo passed
exit $((failures > 0))

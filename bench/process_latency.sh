#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# process_latency.sh [<build folder> [<trials> [<seconds>]]]: what a latency of 10 ms costs a run on two processes of one
# core each, synchronous and asynchronous. The four runs of a trial follow each other; shown are evaluations per second and,
# of the trials, the median of rate with latency / rate without.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "${1:-$here/build/release}") trials=${2:-5} seconds=${3:-4}
component=$build/lib/qapfw/exchange/mpi.so delayed=$build/tests/processes/delayed.so
for file in "$component" "$delayed"; do [ -f "$file" ] || { echo "there is no $file: build with MPI and tests"; exit 1; }; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=$work
export QAPFW_MPI_COMPONENT=$delayed QAPFW_DELAYED_COMPONENT=$component
rate() {  # mode, milliseconds
    QAPFW_DELAY_MS=$2 mpirun --oversubscribe --bind-to core -n 2 "$build/bin/qapfw" run --quiet --json --threads 1 --seed 3 \
        --set problem.plugin=qap --set problem.instance=tai100a --set algorithm.plugin=imga --set algorithm.islands=2 \
        --set algorithm.size=64 --set algorithm.migrate_every=10 --set algorithm.round=10 --set run.exchange="$1" \
        --set output.record=false --time-limit "${seconds}s" |
        awk -F'[:,]' '/^  "evaluations"/ { e = $2 } /^  "seconds"/ { s = $2 } END { printf "%.0f\n", e / s }'
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
for trial in $(seq "$trials"); do
    for mode in synchronous asynchronous; do
        none=$(rate $mode 0) late=$(rate $mode 10)
        ratio=$(awk -v a="$late" -v b="$none" 'BEGIN { printf "%.3f", a / b }')
        echo "$ratio" >>"$work/$mode"
        echo "trial $trial $mode: $none ev/s without, $late ev/s with 10 ms: $ratio"
    done
done
for mode in synchronous asynchronous; do echo "$mode: median $(median <"$work/$mode")"; done

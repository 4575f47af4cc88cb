#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gpu_ga_generations.sh [BUILD]: prints how many microseconds a generation of the base GA takes on one GPU. Each
# instance has 528 subpopulations of 128 individuals and is measured twice. In generations 1 to 2000 children are mostly
# new. From generation 8000 on most are copies of a parent, which cost no evaluation. The last two rows are for one
# subpopulation alone, and for 30 subpopulations of 2000 individuals, which do not fit shared memory.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
qapfw=${1:-$root/build/release}/bin/qapfw
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# seconds <instance> <subpopulations> <individuals of each> <generations>: prints the seconds of the search.
seconds() {
    "$qapfw" run --quiet --json --backend cuda --set device.start_on_cpu=false --set output.record=false \
        --set problem.plugin=qap \
        --set "problem.instance=$1" --set algorithm.plugin=ga_distributed --set algorithm.exchange_every=500 \
        --set "algorithm.subpopulations=$2" --set "algorithm.size=$3" --set algorithm.round=500 \
        --set run.seed=1 --set "run.iterations=$4" | sed -nE 's/^  "seconds": ([0-9.e-]+),$/\1/p' | head -1
}
row() {  # name, instance, subpopulations, size
    seconds "$2" "$3" "$4" 500 >/dev/null  # compiles and warms up
    local early later whole
    early=$(seconds "$2" "$3" "$4" 2000)
    later=$(seconds "$2" "$3" "$4" 8000)
    whole=$(seconds "$2" "$3" "$4" 10000)
    awk -v name="$1" -v early="$early" -v later="$later" -v whole="$whole" 'BEGIN {
        printf "%-44s %10.1f %10.1f us\n", name, early * 1e6 / 2000, (whole - later) * 1e6 / 2000 }'
}
printf '%-44s %10s %10s\n' 'subpopulations x individuals' 'early' 'late'
for instance in tai20b tai40a tai60a tai100a; do row "$instance, 528 x 128" "$instance" 528 128; done
row 'tai40a, 1 x 128' tai40a 1 128
row 'tai40a, 30 x 2000, in device memory' tai40a 30 2000

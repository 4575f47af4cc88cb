#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gpu_imga_rates.sh [BUILD]: compares the speed of the island model GA for layouts on one GPU and on one CPU core.
# The first rows show millions of children per second, made and evaluated, including all steps of a generation and
# migrations. There are 1056 islands of 256 individuals on F60. Every pair is crossed and every child mutated, so
# nearly all children are new. The last row shows the milliseconds of the fastest of five searches with
# configs/uaflp/imga-symmetry2019.toml (F120, 16 islands of 256 individuals, 128 generations). These searches have two
# tournament rounds, and Philox draws the tournaments.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
qapfw=${1:-$root/build/release}/bin/qapfw

# search <options...>: runs a search, and prints its number of evaluations and its seconds.
search() {
    "$qapfw" run --quiet --json --set output.record=false --set run.seed=1 "$@" |
        sed -nE 's/^  "(evaluations|seconds)": ([0-9.e-]+),$/\2/p' | tr '\n' ' '
}
# many <generations> <options...>: a search with many individuals.
many() {
    local generations=$1
    shift
    search --set problem.plugin=uaflp --set problem.instance=F60 --set algorithm.plugin=imga \
        --set algorithm.islands=1056 --set algorithm.size=256 --set algorithm.crossover_rate=1 \
        --set algorithm.mutation_rate=1 --set "run.iterations=$generations" "$@"
}
# rate <few> <more> <options...>: makes a search of <few> generations and a search of <more> generations. Prints
# millions of children per second, from the differences between the two.
rate() {
    local few=$1 more=$2
    shift 2
    many "$few" "$@" >/dev/null  # compiles and warms up
    echo "$(many "$few" "$@") $(many "$more" "$@")" | awk '{ printf "%.4g", ($3 - $1) / ($4 - $2) / 1e6 }'
}
# paper <options...>: prints the milliseconds of the fastest of five runs with the paper's setting.
paper() {
    local run
    for run in 1 2 3 4 5; do
        search "$root/configs/uaflp/imga-symmetry2019.toml" --set run.runs=1 --set algorithm.tournament_rounds=2 \
            --set algorithm.tournament_generator=philox "$@" | awk '{ print $2 * 1e3 }'
    done | sort -g | head -1
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.0f", a / b }'; }

core=(--backend cpu --threads 1)
gpu=(--backend cuda --set device.start_on_cpu=false --set 'device.devices=[0]')
printf '%-36s %12s %12s %10s\n' '' 'GPU' 'one core' 'ratio'
cpu_rate=$(rate 2 10 "${core[@]}")
for precision in double float; do
    gpu_rate=$(rate 150 900 "${gpu[@]}" --set "problem.precision=$precision")
    printf '%-36s %12s %12s %10s\n' "million children/s, $precision" "$gpu_rate" "$cpu_rate" \
        "$(ratio "$gpu_rate" "$cpu_rate")"
done
cpu_time=$(paper "${core[@]}")
gpu_time=$(paper "${gpu[@]}")
printf '%-36s %12s %12s %10s\n' "paper's setting, ms" "$gpu_time" "$cpu_time" "$(ratio "$cpu_time" "$gpu_time")"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gpu_linear_rates.sh BUILD_FOLDER [PAIRS, default 3] [SECONDS a run, default 4]: measures tabu search on a GPU,
# alternately without and with linear costs, whose entries are as large as those of the matrices. Prints a line for each
# size. First checks that a short search of each instance has the same trajectory on the CPU and on the GPU.
set -euo pipefail
qapfw=$1/bin/qapfw pairs=${2:-3} seconds=${3:-4}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
numbers() {  # prints a random matrix; arguments: size, seed, and 1 if it is symmetric, else 0
    awk -v n="$1" -v seed="$2" -v symmetric="$3" 'BEGIN {
        srand(seed)
        for (i = 0; i < n; ++i) for (j = 0; j < n; ++j) m[i, j] = symmetric && i == j ? 0 : int(100 * rand())
        for (i = 0; i < n; ++i) for (j = 0; j < n; ++j)
            printf "%d%s", (symmetric && j < i ? m[j, i] : m[i, j]), (j < n - 1 ? "," : "\n")
    }'
}
for n in 50 100; do
    numbers $n 1 1 >"$work/flow.csv"
    numbers $n 2 1 >"$work/distance.csv"
    numbers $n 3 0 >"$work/linear.csv"
    cat >"$work/cross.toml" <<EOF
run.seed = 5
run.iterations = 2000
[problem]
plugin = "qap"
instance = "$work/flow.csv"
matrix_b = "$work/distance.csv"
linear = "$work/linear.csv"
[algorithm]
plugin = "tabu"
searches = 40
EOF
    if ! "$qapfw" verify --cross "$work/cross.toml" --set device.backend=cuda >"$work/cross.txt" 2>&1; then
        cat "$work/cross.txt"
        exit 1
    fi
    rate() {
        "$qapfw" solve "$work/flow.csv" "$work/distance.csv" "$@" --algorithm tabu --backend cuda --time "${seconds}s" \
            --json --quiet --no-record --set device.start_on_cpu=false |
            python3 -c 'import json, sys; print(json.load(sys.stdin)["rates"]["evaluations_per_second"])'
    }
    for ((k = 0; k < pairs; ++k)); do printf '%s %s\n' "$(rate)" "$(rate --linear "$work/linear.csv")"; done |
        awk -v n=$n '{ printf "%s%.4g/%.4g", (NR > 1 ? ", " : "n = " n ": with/without linear costs "), $2, $1; sum += $2 / $1 }
            END { printf "; mean ratio %.3f\n", sum / NR }'
done

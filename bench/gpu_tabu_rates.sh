#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gpu_tabu_rates.sh [BUILD] [SECONDS]: prints how many million tabu iterations the program makes per second, in all
# concurrent searches together. All features of the search are on. Columns: this machine's GPU with default settings,
# with one search, with algorithm.assignment mata and plain; then the CPU.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
qapfw=${1:-$root/build/release}/bin/qapfw
seconds=${2:-3}

rate() {  # rate <instance> <n> <arguments of run>...: prints millions of iterations per second
    local instance=$1 n=$2
    shift 2
    "$qapfw" run --quiet --json --set output.record=false --set problem.plugin=qap --set "problem.instance=$instance" \
        --set algorithm.plugin=tabu --set device.start_on_cpu=false --time-limit "${seconds}s" "$@" 2>/dev/null |
        awk -v n="$n" -F'[:,]' '/"evaluations":/ && !e {e = $2} /^  "seconds":/ {s = $2}
                                END {printf "%.1f", e / (n * (n - 1) / 2) / s / 1e6}'
}

printf '%-10s %14s %14s %10s %10s %14s\n' instance 'tiled M it/s' 'one search' mata plain 'CPU M it/s'
for entry in tai20a:20 tai30a:30 tai40a:40 tai60a:60 tai80a:80 tai100a:100 tai150a:150 tai20b:20 tai40b:40 tai60b:60 \
             tai100b:100 tai256a:256 tai729a:729; do
    instance=${entry%%:*} n=${entry##*:}
    printf '%-10s %14s %14s %10s %10s %14s\n' "$instance" "$(rate "$instance" "$n" --backend cuda)" \
        "$(rate "$instance" "$n" --backend cuda --set algorithm.searches=1)" \
        "$(rate "$instance" "$n" --backend cuda --set algorithm.assignment=mata)" \
        "$(rate "$instance" "$n" --backend cuda --set algorithm.assignment=plain)" \
        "$(rate "$instance" "$n" --backend cpu)"
done

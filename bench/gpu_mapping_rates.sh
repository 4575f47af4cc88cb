#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gpu_mapping_rates.sh [BUILD] [GRAPH@TARGET:SEARCHES:ROUNDS:CORE_ROUNDS ...]: prints proposals per second of solver
# mapping on this machine's GPU and on one core, and whether both end with the same digest.
#   bench/gpu_mapping_rates.sh build/release rgg3:1000000@torus:100x100x100:1:2000:6
# A rate is computed from the difference between two runs; the longer one has four times the rounds. So starts,
# compilation and files do not count. ROUNDS: rounds of the shorter run on the GPU. CORE_ROUNDS: those of the shorter
# run on one core. Without GRAPH@..., seven usual cases are measured in some minutes. One case takes less than a minute.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
qapfw=${1:-$root/build/release}/bin/qapfw
[ $# -eq 0 ] || shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
usual=(regular:8000:7@torus:20x20x20:64:20000:1000
    regular:8000:7@torus:20x20x20:128:10000:1000
    rgg2:8000@torus:20x20x20:128:10000:1000
    rgg2:8000@torus:20x20x20:1:20000:1000
    rgg2:4096@tree:4:16:64/1:10:100:128:20000:1000
    rgg3:64000@torus:40x40x40:16:2000:100
    rgg3:1000000@torus:100x100x100:1:6000:6)

run() {  # arguments: target rounds backend searches [more]. Prints "evaluations seconds digest cost".
    local target=$1 rounds=$2 backend=$3 searches=$4
    shift 4
    "$qapfw" solve "$work/graph.graph" --distance "$target" --backend "$backend" --threads 1 --json --set algorithm=mapping \
        --set algorithm.rounds="$rounds" --set algorithm.constructions=1 --set algorithm.searches="$searches" \
        --iterations "$((rounds + 1))" --set device.start_on_cpu=false "$@" 2>>"$work/errors" |
        awk -F'[:,"]+' '/^  "evaluations":/ {e = $3} /^  "seconds":/ {s = $3} /^  "digest":/ {d = $4} /^  "best_cost":/ {c = $3}
                        END {print e + 0, s + 0, d == "" ? "none" : d, c + 0}'
}

rate() {  # arguments: target rounds backend searches. Prints how many million proposals are made in a second.
    read -r e1 s1 _ _ < <(run "$1" "$2" "$3" "$4" --no-record --initial "$work/start")
    read -r e2 s2 _ _ < <(run "$1" "$((4 * $2))" "$3" "$4" --no-record --initial "$work/start")
    awk -v e1="$e1" -v s1="$s1" -v e2="$e2" -v s2="$s2" 'BEGIN {printf "%.1f", (s2 > s1 ? (e2 - e1) / (s2 - s1) / 1e6 : 0)}'
}

# Makes the solution from which all runs start, and sets `short`, the number of rounds of the short runs. For a very
# large graph, the search for this solution lasts only 0.01 s, since a better start takes half a minute.
make_start() {  # argument: target
    local limit=()
    short=40
    if [ "$(head -c 20 "$work/graph.graph" | awk '{print $1; exit}')" -ge 200000 ]; then limit=(--time 0.01s) short=3; fi
    rm -rf "$work/record"
    run "$1" 16 cpu 1 --out "$work/record" ${limit[@]+"${limit[@]}"} >/dev/null
    cp "$work/record/mapping.txt" "$work/start"
}

[ $# -gt 0 ] || set -- "${usual[@]}"
printf '%-34s %9s %14s %14s  %s\n' 'graph onto target' searches 'GPU M prop/s' 'one core' 'digests of short runs'
for case in "$@"; do
    graph=${case%%@*} rest=${case#*@}
    few=${rest##*:} rest=${rest%:*}
    rounds=${rest##*:} rest=${rest%:*}
    searches=${rest##*:} target=${rest%:*}
    "$qapfw" instance export "$graph" --problem sparse_qap --set distance="$target" -o "$work/graph.graph" >/dev/null
    make_start "$target"
    gpu=$(rate "$target" "$rounds" cuda "$searches")
    cpu=$(rate "$target" "$few" cpu 1)
    read -r _ _ gpu_digest _ < <(run "$target" "$short" cuda 2 --no-record --initial "$work/start")
    read -r _ _ cpu_digest _ < <(run "$target" "$short" cpu 2 --no-record --initial "$work/start")
    same=DIFFERENT
    [ "$gpu_digest" != "$cpu_digest" ] || [ "$gpu_digest" = none ] || same="the same"
    printf '%-34s %9s %14s %14s  %s\n' "$graph@$target" "$searches" "$gpu" "$cpu" "$same"
done
cat "$work/errors" >&2

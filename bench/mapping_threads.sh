#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mapping_threads.sh [BUILD] [THREADS [GRAPH@TARGET:ROUNDS ...]]: prints proposals per second of solver mapping on 1, 2,
# ... threads of this machine, and whether all end with the same digest.
#   bench/mapping_threads.sh build/release "1 2 4" rgg3:1000000@torus:100x100x100:40
# A rate is computed from the difference between two runs; the longer one has four times the rounds. So startup and
# the reading of files do not count. The best of three rates is printed, since other programs can only lower a rate.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
qapfw=${1:-$root/build/release}/bin/qapfw
threads=${2:-1 2}
[ $# -eq 0 ] || shift
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- regular:8000:7@torus:20x20x20:4000 rgg3:1000000@torus:100x100x100:12
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() {  # arguments: target, rounds, threads; prints the run's evaluations, seconds and digest
    "$qapfw" solve "$work/graph.graph" --distance "$1" --backend cpu --threads "$3" --json --no-record --set algorithm=mapping \
        --set algorithm.rounds="$2" --set algorithm.searches=1 --iterations "$(($2 + 1))" --initial "$work/start" \
        2>>"$work/errors" |
        awk -F'[:,"]+' '/^  "evaluations":/ {e = $3} /^  "seconds":/ {s = $3} /^  "digest":/ {d = $3}
                        END {print e + 0, s + 0, d == "" ? "none" : d}'
}

echo "load $(cut -d' ' -f1 /proc/loadavg) on $(nproc) cores"
printf '%-34s %8s %10s %8s  %s\n' 'graph onto target' threads 'M prop/s' factor digest
for case in "$@"; do
    graph=${case%%@*} rest=${case#*@}
    rounds=${rest##*:} target=${rest%:*}
    "$qapfw" instance export "$graph" --problem sparse_qap --set distance="$target" -o "$work/graph.graph" >/dev/null
    rm -rf "$work/record"
    "$qapfw" solve "$work/graph.graph" --distance "$target" --backend cpu --threads 1 --time 2s --out "$work/record" \
        >/dev/null 2>>"$work/errors"
    cp "$work/record/mapping.txt" "$work/start"
    one='' first=''
    for t in $threads; do
        best=0
        for _ in 1 2 3; do
            read -r e1 s1 _ < <(run "$target" "$rounds" "$t")
            read -r e2 s2 digest < <(run "$target" "$((4 * rounds))" "$t")
            best=$(awk -v e="$((e2 - e1))" -v a="$s1" -v b="$s2" -v best="$best" \
                'BEGIN {r = b > a ? e / (b - a) / 1e6 : 0; print (r > best ? r : best)}')
        done
        [ -n "$one" ] || one=$best
        [ -n "$first" ] || first=$digest
        said=DIFFERENT
        [ "$digest" != "$first" ] || said="the same"
        printf '%-34s %8s %10.1f %8.2f  %s\n' "$graph@$target" "$t" "$best" \
            "$(awk -v a="$best" -v b="$one" 'BEGIN {print (b > 0 ? a / b : 0)}')" "$said"
    done
done
cat "$work/errors" >&2

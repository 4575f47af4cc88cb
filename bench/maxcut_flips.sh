#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# maxcut_flips.sh QAPFW FOLDER [SECONDS]: prints flips per second of tabu search on a maximum cut (sdk/maxcut_plugin),
# on one CPU thread and on this machine's GPU: first the evaluated flips, then the flips made. FOLDER holds
# maxcut.qapfw.so.
set -u
qapfw=$1 folder=$2 seconds=${3:-3}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

graph() {  # n, mean degree of the vertices, seed: prints a random graph whose edges have weight 1
    awk -v n="$1" -v degree="$2" -v seed="$3" 'BEGIN {
        srand(seed); m = int(n * degree / 2); print n, m
        while (made < m) {
            i = 1 + int(rand() * n); j = 1 + int(rand() * n)
            if (i == j || (i, j) in seen) continue
            seen[i, j] = seen[j, i] = 1; print i, j, 1; ++made
        }
    }'
}
rates() {  # instance, n, arguments of run: prints millions of evaluated and thousands of made flips per second
    local instance=$1 n=$2
    shift 2
    "$qapfw" run --quiet --json --set output.record=false --plugin-path "$folder" --set problem.plugin=maxcut \
        --set "problem.instance=$instance" --set algorithm.plugin=tabu --time-limit "${seconds}s" "$@" 2>/dev/null |
        awk -v n="$n" -F'[:,]' '/"evaluations":/ && !e {e = $2} /^  "seconds":/ {s = $2}
                                END {if (s > 0) printf "%12.1f %12.1f", e / s / 1e6, e / n / s / 1e3; else printf "%12s %12s", "-", "-"}'
}

printf '%-8s %-8s %12s %12s %12s %12s\n' n degree 'CPU M/s' 'made k/s' 'GPU M/s' 'made k/s'
for one in 800:48 2000:20 2000:4; do
    n=${one%:*} degree=${one#*:}
    graph "$n" "$degree" 1 >"$place/graph.txt"
    printf '%-8s %-8s %s' "$n" "$degree" "$(rates "$place/graph.txt" "$n" --backend cpu --threads 1 --set algorithm.searches=1)"
    printf ' %s\n' "$(rates "$place/graph.txt" "$n" --backend cuda --set device.start_on_cpu=false)"
done

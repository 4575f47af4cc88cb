#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slicing_gpu.sh [SECONDS]: prints how many trees per second slicing_local_search evaluates on one GPU, including all
# steps of a search, for n = 20, 30 and 62 and several numbers of searches. A row has instance, searches, million trees
# per second, best cost. The variable QAPFW may name another program. Needs a GPU and QAPFW_DATA.
set -eu
cd "$(dirname "$0")/.."
qapfw=${QAPFW:-build/release/bin/qapfw}
seconds=${1:-5}
printf '%-10s %9s %12s %14s\n' instance searches 'M trees/s' cost
for name in ab20_ar3 sc30 du62; do
    for searches in auto 1056 2112 4224 8448; do
        "$qapfw" solve "$name" --set problem.structure=slicing --set run.stop_at_optimum=false --backend cuda --seed 1 \
            --set device.start_on_cpu=false --set algorithm=slicing_local_search --set "algorithm.searches=$searches" \
            --time "${seconds}s" --no-record --quiet --json |
            python3 -c 'import json, sys
run = json.load(sys.stdin)
seconds = run.get("search_seconds") or run["seconds"]
print("%-10s %9s %12.1f %14.2f" % (sys.argv[1], sys.argv[2], run["evaluations"] / seconds / 1e6, run["best_cost"]))' \
                "$name" "$searches"
    done
done

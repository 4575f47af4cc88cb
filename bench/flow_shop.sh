#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# flow_shop.sh <program> <folder with the plugins> [jobs] [seeds]: compares the default search with an iterated greedy
# search on the blocking flow shop, 100,000 evaluations each. The plugins are those of tests/consume_sdk/authors. Prints
# the mean costs. The exit code is 1 if the default search ends more than 0.3 % above the iterated greedy search.
# Defaults: 60 jobs, 24 seeds.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: flow_shop.sh <program> <folder with the plugins> [jobs] [seeds]" >&2; exit 2; }
program=$1 plugins=$2 jobs=${3:-60} seeds=${4:-24} evaluations=100000

# mean <options...>: prints the mean cost over the seeds.
mean() {
    for seed in $(seq "$seeds"); do
        "$program" run --set problem.plugin=flow_shop --set problem.jobs="$jobs" --evaluations $evaluations --seed "$seed" \
            --backend cpu --threads 1 --plugin-path "$plugins" --no-record --quiet "$@" 2>/dev/null | head -n 1
    done | awk '{ sum += $1 } END { if (NR == 0) exit 1; printf "%.1f\n", sum / NR }'
}
greedy=$(mean --algorithm random_restart --set algorithm.batch=1 --set algorithm.improver.plugin=insertion_greedy \
    --set algorithm.improver.evaluations=$evaluations)
default=$(mean)
awk -v jobs="$jobs" -v seeds="$seeds" -v greedy="$greedy" -v found="$default" 'BEGIN {
    gap = 100 * (found - greedy) / greedy
    printf "%d jobs, %d seeds: iterated greedy %.1f, default search %.1f (%+.2f %%)\n", jobs, seeds, greedy, found, gap
    exit gap > 0.3
}'

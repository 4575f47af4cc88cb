#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gqap.sh <program> <gqap_anneal_bench> [seconds] [seeds]: compares the default search with simulated annealing on
# generated instances of the generalised QAP. Both have one thread and the same time; the annealing computes a delta in
# O(items). Prints a line for each instance and seed. The exit code is 1 if the default search is worse on any line.
set -eu
program=$1 annealer=$2 seconds=${3:-10} seeds=${4:-2} worse=0
for size in 30x8 50x10 60x20 100x10 100x30; do
    for percent in 75 90; do
        for seed in $(seq "$seeds"); do
            instance=gqap:$size:$percent:$seed
            annealed=$("$annealer" "$instance" "$seconds" "$seed")
            found=$("$program" solve "$instance" --backend cpu --threads 1 --seed "$seed" --time-limit "${seconds}s" \
                --set run.stop_at_optimum=false --set output.record=false --quiet 2>/dev/null | head -n 1)
            verdict=equal
            [ "$found" -lt "$annealed" ] && verdict=better
            [ "$found" -gt "$annealed" ] && verdict=WORSE && worse=1
            echo "$instance  annealing $annealed  search $found  $verdict"
        done
    done
done
exit "$worse"

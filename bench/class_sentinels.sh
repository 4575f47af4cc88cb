#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# class_sentinels.sh [--quick] BUILD [DATA]
# Runs `memetic` with its defaults on an instance of each class, on one thread with seed 1. Runs are limited by
# evaluations, so the results do not depend on the machine's load. Prints a line for each instance: class, instance,
# percent above the best known value, largest allowed percentage. Exit code: 1 if a percentage is larger than allowed, 2
# if the arguments are wrong. Instances that the data folder lacks are skipped.
#   --quick: only generated instances, in about 2 s. All instances take two to three minutes on one core.
#   bench/class_sentinels.sh build/release /data
set -eu
quick=
[ "${1:-}" = --quick ] && { quick=1; shift; }
[ $# -ge 1 ] && [ -x "$1/bin/qapfw" ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$(realpath "$1")/bin/qapfw
[ $# -lt 2 ] || { QAPFW_DATA=$(realpath "$2"); export QAPFW_DATA; }
failed=0 ran=0
sentinel() { # CLASS INSTANCE EVALUATIONS PERCENT
    local json cost best
    if ! json=$("$program" solve "$2" --set algorithm.plugin=memetic --backend cpu --threads 1 --evaluations "$3" --target best-known \
        --seed 1 --json --quiet --no-record 2>&1); then
        case $json in *"neither a file, nor an instance"*) echo "skipped  $2 ($1): not in the data folder"; return ;; esac
        echo "FAILED   $2 ($1): $json"
        failed=1
        return
    fi
    cost=$(sed -n 's/^  "best_cost": \([^,]*\),$/\1/p' <<<"$json") best=$(sed -n 's/^  "best_known": \([^,]*\),$/\1/p' <<<"$json")
    ran=$((ran + 1))
    awk -v c="$cost" -v b="$best" -v most="$4" -v name="$2 ($1)" 'BEGIN {
        gap = b > 0 ? 100 * (c - b) / b : c - b
        printf "%s  %s: %.3f %%, %s admitted\n", gap <= most ? "ok     " : "HIGHER ", name, gap, most
        exit !(gap <= most)
    }' || failed=1
}
table() {
    if [ -n "$quick" ]; then
        cat <<'TABLE'
uniform|tai20a|300000000|0
like real|tai25b|300000000|0
grey pattern|tai64c|300000000|0.01
queens|queens8|300000000|0
TABLE
    else
        cat <<'TABLE'
satisfiability|qapsatH70_1|6000000000|6
flow in clusters|treeflow80_Ddrez_21|6000000000|1.5
evolved flow|evoflow_xran70A1_4_1|6000000000|9
hypercube|hyp32_6|3000000000|0
microarray|ci049|3000000000|0.1
Palubeckis|xPalu60_2|6000000000|0.03
recombined|recomb81_Drand_Fpalu_3|6000000000|0.1
structured flow|stf80es4|6000000000|0.1
like real, generated|xtab35T1|3000000000|0
terminals|term105_10|6000000000|12
uniform|tai60a|6000000000|0.6
like real|tai80b|6000000000|0.05
grey pattern|tai256c|6000000000|0.15
grids with isolated optima|dre42|6000000000|0
clusters of clusters|tai75e02|6000000000|0.5
TABLE
    fi
}
while IFS='|' read -r class instance evaluations percent; do
    sentinel "$class" "$instance" "$evaluations" "$percent"
done < <(table)
[ "$ran" -gt 0 ] || { echo "no instance ran"; exit 1; }
exit $failed

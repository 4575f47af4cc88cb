#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# class_sentinels.sh [--quick] BUILD [DATA]
# Runs `memetic` with its defaults on an instance of each class, on one thread with seeds 1 to 4. Runs are limited by
# evaluations, so the results do not depend on the load. A line for each instance has verdict, instance, class, mean
# percent above the best known value, largest allowed percentage. The allowed values are some two standard errors
# above the means of November 2026. Exit code: 1 if a percentage is larger than allowed, or if a run fails or none runs;
# 2 if the arguments are wrong. Instances that the data folder lacks are skipped.
#   --quick: only generated instances, seed 1, in about 2 s. All instances take seven minutes on one core.
#   bench/class_sentinels.sh build/release /data
set -eu
quick=
[ "${1:-}" = --quick ] && { quick=1; shift; }
[ $# -ge 1 ] && [ -x "$1/bin/qapfw" ] || { sed -n '3,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$(realpath "$1")/bin/qapfw
[ $# -lt 2 ] || { QAPFW_DATA=$(realpath "$2"); export QAPFW_DATA; }
failed=0 ran=0
seeds="1 2 3 4"
[ -z "$quick" ] || seeds=1
gap() { # INSTANCE EVALUATIONS SEED: percent above the best known value, or the program's message
    local json
    json=$("$program" solve "$1" --set algorithm.plugin=memetic --backend cpu --threads 1 --evaluations "$2" \
        --target best-known --seed "$3" --json --quiet --no-record 2>&1) || { echo "$json"; return 1; }
    awk -F'[:,]' '/^  "best_cost":/ {c = $2} /^  "best_known":/ {b = $2}
                  END {print (b > 0 ? 100 * (c - b) / b : c - b)}' <<<"$json"
}
sentinel() { # CLASS INSTANCE EVALUATIONS PERCENT
    local seed gaps= one
    for seed in $seeds; do
        if ! one=$(gap "$2" "$3" "$seed"); then
            case $one in *"neither a file, nor an instance"*) echo "skipped  $2 ($1): not in the data folder"; return ;; esac
            echo "FAILED   $2 ($1): $one"
            failed=1
            return
        fi
        gaps="$gaps $one"
    done
    ran=$((ran + 1))
    awk -v most="$4" -v name="$2 ($1)" '{
        for (k = 1; k <= NF; ++k) mean += $k / NF
        printf "%s  %s: %.3f %%, %s admitted\n", mean <= most ? "ok     " : "HIGHER ", name, mean, most
        exit !(mean <= most)
    }' <<<"$gaps" || failed=1
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
satisfiability|qapsatH70_1|24000000000|3.8
flow in clusters|treeflow80_Ddrez_21|24000000000|0.32
evolved flow|evoflow_xran70A1_4_1|24000000000|3.4
hypercube|hyp32_6|3000000000|0
microarray|ci049|3000000000|0.01
Palubeckis|xPalu60_2|6000000000|0.016
recombined|recomb81_Drand_Fpalu_3|6000000000|0.05
structured flow|stf80es4|6000000000|0.01
like real, generated|xtab35T1|3000000000|0
terminals|term105_10|24000000000|4.7
uniform|tai60a|6000000000|0.51
like real|tai80b|6000000000|0.01
grey pattern|tai256c|6000000000|0.11
grids with isolated optima|dre42|6000000000|0
clusters of clusters|tai75e02|6000000000|0.2
TABLE
    fi
}
while IFS='|' read -r class instance evaluations percent; do
    sentinel "$class" "$instance" "$evaluations" "$percent"
done < <(table)
[ "$ran" -gt 0 ] || { echo "no instance ran"; exit 1; }
exit $failed

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check.sh <qapfw> <source folder> <work folder>: makes ten of the papers' reports from short runs (eight if
# instances are missing), and computes their numbers again with SciPy. Then changes one number, which must be noticed.
set -euo pipefail
qapfw=$(realpath "$1") source=$(realpath "$2") work=$3
here=$(dirname "$(realpath "$0")")
for python in python3 /usr/bin/python3; do
    "$python" -c 'import scipy.stats' 2>/dev/null && break
done
"$python" -c 'import scipy.stats' 2>/dev/null || { echo "SKIPPED: no SciPy"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"
made=()
for study in thesis2018-costs thesis2018-iterations symmetry2019-table4 symmetry2019-methods medal2011-table2 gecco2009-table1 \
    cec2010-table1 medal2011-table5 cec2010-table2 cec2010-sizes; do
    seeds=6 more=()
    case $study in
        gecco2009-table1) more=(--time-limit 0.2s) ;;
        cec2010-table1) seeds=5 more=(--time-limit 0.1s --set run.target=best-known+9%) ;;  # some runs reach the target
        medal2011-table5) seeds=4 more=(--paper --set run.iterations=2 --only '*/tai40a') ;;
        cec2010-table2) seeds=4 ;;
        symmetry2019-methods | cec2010-sizes) seeds=2 ;;
    esac
    if ! "$qapfw" study run "$source/configs/studies/$study.toml" --quick --seeds $seeds --backend cpu --jobs 2 --work $study --quiet \
        --skip-missing "${more[@]}" 2>said; then
        grep -q 'none of the instances was found' said || { cat said; exit 1; }
        echo "left out: $study, whose instances are files (QAPFW_DATA)"
        continue
    fi
    "$qapfw" study report $study >/dev/null
    made+=("$study")
done
[ ${#made[@]} -ge 8 ]
"$python" "$here/recompute.py" "${made[@]}"
# Adds 1 to the third column (runs) of the first row.
awk -F, 'NR == 2 { $3 += 1; OFS = "," } { print }' OFS=, medal2011-table2/tables/results.csv >changed.csv
mv changed.csv medal2011-table2/tables/results.csv
if "$python" "$here/recompute.py" medal2011-table2 >changed.txt; then
    echo "FAILED: a changed figure was not noticed"
    exit 1
fi
grep -q 'WRONG: medal2011-table2: results: tai40a CPU: runs: printed 7, computed 6' changed.txt || { cat changed.txt; exit 1; }

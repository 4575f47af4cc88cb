#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slicing.sh [PATTERN]: compares the costs of layouts made from slicing trees with the published costs. Each instance
# runs with seeds 1 to 5, 20 s each on two threads. A row has the value to reach, the cost of each seed, and how many
# seeds reached the value.
# PATTERN: a regular expression; only instances that match are run. Exit code 1 if too few seeds of a row reached its
# value.
# Environment variables: SECONDS_EACH, SEEDS and THREADS replace the numbers above, and QAPFW names another program. OUT
# names a folder that keeps the best layout.json of each instance. Needs QAPFW_DATA.
set -u
cd "$(dirname "$0")/.."
qapfw=${QAPFW:-build/release/bin/qapfw}
pattern=${1:-.}
seconds=${SECONDS_EACH:-20} seeds=${SEEDS:-1 2 3 4 5} threads=${THREADS:-2} out=${OUT:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missed=0

# Instance, value to reach, and how many of five runs must reach it. In the instance files vc10*, flow(9,10) is 59.2.
# The published layouts were made for a flow of 59, so with these files they cost a little more than published.
values='vc10ra 18522.79 4
vc10rs 19973.67 4
vc10ea 16321.11 4
vc10es 18066.96 4
ba12 8067 4
ba14 4576.72 4
mb12 123.67 4
ab20_ar3 5111.88 4
ab20_ar5 4751.69 4
ab20_ar10 3556.22 4
ab20_ar50 2169.13 4
sc30 3431.1 3
du62 3600000 3'

printf '%-10s %12s %7s  %s\n' instance value reached costs
while read -r name value wanted; do
    [[ $name =~ $pattern ]] || continue
    reached=0 runs=0 costs='' best=
    for seed in $seeds; do
        record=$work/$name-$seed
        "$qapfw" solve "$name" --set problem.structure=slicing --set run.stop_at_optimum=false --backend cpu \
            --seed "$seed" --threads "$threads" --time "${seconds}s" --out "$record" --quiet --json >"$work/json" </dev/null
        cost=$(sed -n 's/^  "best_cost": \([^,]*\),$/\1/p' "$work/json" | head -1)
        costs="$costs $cost"
        runs=$((runs + 1))
        awk "BEGIN { exit !(${cost:-1e99} <= $value) }" && reached=$((reached + 1))
        if [ -z "$best" ] || awk "BEGIN { exit !(${cost:-1e99} < $best) }"; then
            best=$cost
            [ -n "$out" ] && mkdir -p "$out" && find "$record" -name layout.json -exec cp {} "$out/$name.json" \;
        fi
    done
    printf '%-10s %12s %3d of %d %s\n' "$name" "$value" "$reached" "$runs" "$costs"
    [ "$reached" -lt $((wanted * runs / 5)) ] && missed=1
done <<<"$values"
exit $missed

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# time_limits.sh [PATTERN]: checks how soon runs end at a time limit or after a signal, even if single steps take long.
# Prints a table of every solver with every improver that it supports, on tai2000a (qap, n = 2000, generated) and F1000
# (uaflp), on one thread:
#   limit   seconds from the beginning of the search to the program's end with --time-limit 2s (wanted: at most 2.3)
#   signal  seconds from SIGINT to the program's end; SIGINT comes after a second of search (wanted: at most 0.3)
#   best    two columns: the cost of each of these two runs' best solution (wanted: both runs have a solution)
#   start   seconds from the program's start to the beginning of the search
# PATTERN: a regular expression; only rows that match are run ("tai2000a .*two_opt"). Exit code 1 if a row misses. A row
# that misses is measured again, up to twice, since the machine may have been busy.
# LIMITS_QAP and LIMITS_UAFLP name other instances; QAPFW another program.
set -u
cd "$(dirname "$0")/.."
qapfw=${QAPFW:-build/release/bin/qapfw}
pattern=${1:-.}
qap=${LIMITS_QAP:-tai2000a} uaflp=${LIMITS_UAFLP:-F1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missed=0

now() { date +%s.%N; }
field() { sed -n "s/^  \"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1" | head -1; }
command() {
    printf '%s\n' "$qapfw" run --threads 1 --backend cpu --quiet --json --set output.record=false "$@"
}

# measure limit|signal ARGUMENT...: runs qapfw once. Sets `best` and `seconds`, the value for the table's column `limit`
# or `signal`. With `limit`, also sets `start`.
measure() {
    local kind=$1 begun ended pid words
    shift
    mapfile -t words < <(command "$@")
    begun=$(now)
    if [ "$kind" = limit ]; then
        "${words[@]}" --time-limit 2s >"$work/out" 2>"$work/err"
        ended=$(now)
        start=$(field "$work/out" startup_seconds)
        seconds=$(awk "BEGIN { print $ended - $begun - ${start:-0} }")
    else
        "${words[@]}" --time-limit 60s >"$work/out" 2>"$work/err" &
        pid=$!
        sleep "$(awk "BEGIN { print ${start:-1} + 1 }")"
        begun=$(now)
        kill -INT "$pid"
        wait "$pid"
        ended=$(now)
        seconds=$(awk "BEGIN { print $ended - $begun }")
    fi
    best=$(field "$work/out" best_cost)
}

# try limit|signal MOST ARGUMENT...: measures up to three times, until the seconds are at most MOST and there is a
# solution.
try() {
    local kind=$1 most=$2
    shift 2
    for _ in 1 2 3; do
        measure "$kind" "$@"
        awk "BEGIN { exit !($seconds <= $most) }" && [ -n "$best" ] && [ "$best" != null ] && return 0
    done
    return 1
}

row() {
    local name=$1 verdict='' limit limit_best
    shift
    grep -qE -- "$pattern" <<<"$name" || return 0
    start=
    try limit 2.3 "$@" || verdict=' MISSED'
    limit=$seconds limit_best=$best
    try signal 0.3 "$@" || verdict=' MISSED'
    [ -z "$verdict" ] || missed=1
    printf '%-52s %7.2f %7.2f %14s %14s %7.2f%s\n' "$name" "$limit" "$seconds" "${limit_best:--}" "${best:--}" \
        "${start:-0}" "$verdict"
    [ -z "$verdict" ] || sed -n 1,3p "$work/err"
}

printf '%-52s %7s %7s %14s %14s %7s\n' 'instance solver improver' limit signal best 'best' start
mapfile -t solvers < <("$qapfw" plugin list | awk '$1 == "solver" { print $2 }')
mapfile -t improvers < <("$qapfw" plugin list | awk '$1 == "improver" { print $2 }')
for instance in "$qap" "$uaflp"; do
    for solver in "${solvers[@]}"; do
        for improver in none "${improvers[@]}"; do
            words=(--set "problem.instance=$instance" --set "algorithm.plugin=$solver")
            [ "$improver" = none ] || words+=(--set "algorithm.improver.plugin=$improver")
            "$qapfw" run "${words[@]}" --set "problem.instance=${instance%%[0-9]*}20${instance##*[0-9]}" \
                --backend cpu --iterations 1 --quiet --set output.record=false >/dev/null 2>&1 || continue
            row "$instance $solver $improver" "${words[@]}"
        done
    done
done
for solver in imga memetic; do
    row "$qap $solver none, trace" --set "problem.instance=$qap" --set "algorithm.plugin=$solver" \
        --set problem.formulation=trace
done
row "$qap random_restart none, a batch of a million" --set "problem.instance=$qap" \
    --set algorithm.plugin=random_restart --set algorithm.batch=1000000
row "$uaflp random_restart none, a batch of a million" --set "problem.instance=$uaflp" \
    --set algorithm.plugin=random_restart --set algorithm.batch=1000000
exit "$missed"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# combinations.sh [--check] <qapfw binary>: writes docs/combinations.md from short runs of every solver with every
# improver on the problems qap, gqap and uaflp. --check changes nothing and fails if the page is not current.
set -euo pipefail
check=
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi
[ $# -eq 1 ] || { echo "usage: combinations.sh [--check] <qapfw binary>" >&2; exit 2; }
binary=$(realpath "$1")
cd "$(dirname "$0")/.."
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
unset QAPFW_PLUGIN_PATH
export XDG_DATA_HOME="$new/none"

of_kind() { "$binary" plugin list | awk -v kind="$1" '$1 == kind { print $2 }' | LC_ALL=C sort; }
mapfile -t solvers < <(of_kind solver)
mapfile -t improvers < <(of_kind improver)
reasons=()

# Sets `cell` to "yes" if a run of two iterations (at most 0.1 s) succeeds, else to "no" and the number of the refusal.
# Adds a new refusal's message to `reasons`, the list at the end of the page.
cell() { # problem, instance, solver, improver or -, structure or nothing
    local arguments=(--set "problem.plugin=$1" --set "problem.instance=$2" --set "algorithm.plugin=$3") said k
    [ "$4" = - ] || arguments+=(--set "algorithm.improver.plugin=$4")
    [ -z "$5" ] || arguments+=(--set "problem.structure=$5")
    if "$binary" run --quiet --set output.record=false "${arguments[@]}" --backend cpu --threads 1 --iterations 2 --time-limit 0.1s \
        >"$new/out" 2>"$new/err"; then
        cell=yes
        return
    fi
    said=$(sed -E '/^qapfw: /!d; s/^qapfw: //; q' "$new/err")
    for k in "${!reasons[@]}"; do
        [ "${reasons[k]}" != "$said" ] || { cell="no ($((k + 1)))"; return; }
    done
    reasons+=("$said")
    cell="no (${#reasons[@]})"
}
table() { # problem, instance, structure or nothing
    local solver improver
    printf '\n## %s\n\n| solver | alone |' "$1${3:+, structure = \"$3\"}"
    printf ' %s |' "${improvers[@]}"
    printf '\n| --- | --- |'
    printf ' --- |%.0s' "${improvers[@]}"
    printf '\n'
    for solver in "${solvers[@]}"; do
        printf '| [%s](reference/solver_%s.md) |' "$solver" "$solver"
        for improver in - "${improvers[@]}"; do
            cell "$1" "$2" "$solver" "$improver" "${3:-}"
            printf ' %s |' "$cell"
        done
        printf '\n'
    done
}
{
    printf '# What runs with what\n\ndocs/tools/combinations.sh makes this page. It runs every solver alone and with every'
    printf ' improver, for at most two iterations on\nthe CPU. Each table is for one problem and one [form](#refusals) of its'
    printf ' solutions: rows are solvers, columns are improvers.\n"yes": the run ended well.'
    printf ' "no (3)": the program refused the run with message 3 below. The problem `sparse_qap` has no table.\n'
    table qap tai12a
    table gqap gqap:12x4:80:1
    table uaflp F8 bays
    table uaflp F8 slicing
    printf '\n## Refusals\n\nA solution has one or more segments, such as a permutation, bay bits (`bays`) or a list of values.'
    printf ' Its form names the segments,\njoined by `+`. In `permutation32` an element has 32 bits instead of 16.'
    printf ' If a message lists several forms, blanks separate them.\n\n'
    for k in "${!reasons[@]}"; do printf '%d. %s\n' $((k + 1)) "${reasons[k]}"; done
} >"$new/combinations.md"

if [ -n "$check" ]; then
    diff "$new/combinations.md" combinations.md && echo "docs/combinations.md is current" && exit 0
    echo "docs/combinations.md is not current; run docs/tools/combinations.sh build/release/bin/qapfw"
    exit 1
fi
cp "$new/combinations.md" combinations.md

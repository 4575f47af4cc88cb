#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# complete_fish.sh <qapfw> <share folder>: checks what fish offers after some words.
set -euo pipefail
command -v fish >/dev/null || { echo "SKIPPED: no fish"; exit 77; }
PATH="$(dirname "$1"):$PATH"
export HOME
HOME=$(mktemp -d)
trap 'rm -rf "$HOME"' EXIT
cd "$HOME"
mkdir folder

# offers <wanted words, sorted> <command line>: checks which words fish offers to complete the command line.
offers() {
    local found
    found=$(fish --no-config -c "source '$file'; complete -C '$2'" | cut -f 1 | LC_ALL=C sort | paste -sd ' ')
    [ "$found" = "$1" ] || { echo "$2: wanted $1, found $found"; exit 1; }
}
file=$2/fish/vendor_completions.d/qapfw.fish
offers "run runs" "qapfw ru"
offers "check describe install list new remove" "qapfw plugin "
offers "--seed --set" "qapfw run --se"
offers "folder/" "qapfw run --data fol"
offers "improver problem solver" "qapfw plugin describe tabu --kind "
offers "pga_grid" "qapfw plugin describe pga"
offers "" "qapfw run --seed "

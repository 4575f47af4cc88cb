#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# complete_bash.sh <qapfw> <share folder>: checks what bash offers after some words.
set -euo pipefail
qapfw=$1
. "$2/bash-completion/completions/qapfw"
compopt() { :; }  # the real compopt works only within a completion
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
mkdir folder
touch folder.toml

# offers <wanted words, sorted> <words of the command line...>: checks what bash offers for the last word
offers() {
    local wanted=$1
    shift
    COMP_WORDS=("$qapfw" "$@")
    COMP_CWORD=$#
    _qapfw
    local found
    found=$(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | paste -sd ' ')
    [ "$found" = "$wanted" ] || { echo "qapfw $*: wanted $wanted, found $found"; exit 1; }
}
offers "run runs" ru
offers "check describe install list new remove" plugin ""
offers "--seed --set" run --se
offers "--version" doctor --ver
offers "folder folder.toml" run fol
offers "folder" run folder.toml --data fol
offers "improver problem solver" plugin describe tabu --kind ""
offers "pga_grid" plugin describe pga
offers "" run --seed ""
offers "folder" resume fol
echo "every option of run is offered"
for option in $("$qapfw" run --help | grep -oE -- "^  [-a-z,]*--[a-z-]+" | grep -oE -- "--[a-z-]+"); do
    COMP_WORDS=("$qapfw" run --) COMP_CWORD=2
    _qapfw
    [[ " ${COMPREPLY[*]} " == *" $option "* ]] || { echo "$option is not offered"; exit 1; }
done

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# complete_zsh.sh <qapfw> <share folder>: checks what zsh offers after some words. Each question is asked in a new
# terminal.
set -euo pipefail
command -v zsh >/dev/null || { echo "SKIPPED: no zsh"; exit 77; }
zsh -n "$2/zsh/vendor-completions/_qapfw"
PATH="$(dirname "$1"):$PATH"
export HOME
HOME=$(mktemp -d)
trap 'rm -rf "$HOME"' EXIT
cat >"$HOME/ask.zsh" <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
() {
    zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; PS1='%%'; zstyle ':completion:*' list-separator '##'"
    zpty -w shell "LISTMAX=1000; stty cols 200; bindkey '^I' expand-or-complete; bindkey '^X' list-choices"
    zpty -w shell "print READY"
} $1
zpty -r shell text '*READY*READY*'
zpty -w -n shell "$2"$'\x18'
sleep 1.5
zpty -r -t shell text '*' ; print -r -- $text
while zpty -r -t shell text; do print -r -- $text; done
zpty -d shell
END
# offers <wanted word> <command line>: checks that zsh offers the wanted word to complete the command line
offers() {
    local found
    found=$(zsh -f "$HOME/ask.zsh" "$share" "$2")
    grep -qF -- "$1" <<<"$found" || { echo "$2: wanted $1, found $found"; exit 1; }
}
share=$2/zsh/vendor-completions
offers "validate" "qapfw "
offers "describe" "qapfw plugin "
offers "--seed" "qapfw run --se"
offers "improver" "qapfw plugin describe tabu --kind "

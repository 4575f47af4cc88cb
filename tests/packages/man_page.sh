#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# man_page.sh <qapfw> <share folder>: checks that the page is the one that the program prints. The page must name
# commands, options, the folder of plugins and all exit codes, and man must show the page without a warning.
set -euo pipefail
qapfw=$1 page=$2/man/man1/qapfw.1
test -s "$page"
cmp <("$qapfw" self-description man) "$page"
for words in "qapfw run" "qapfw plugin check" "qapfw instance export" "time\\-limit" "plugin\\-path"; do
    grep -qF "$words" "$page" || { echo "the page lacks $words"; exit 1; }
done
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(grep -oE 'kFolderName = "plugins-[0-9]+' "$root/framework/plugin/search.cpp" | grep -oE 'plugins-[0-9]+')
grep -qF "qapfw/${folder/-/\\-}" "$page" || { echo "the page lacks the folder $folder"; exit 1; }
for code in $(grep -oE '^\| [0-9]+ \|' "$root/docs/exit-codes.md" | grep -oE '[0-9]+'); do
    grep -qE "(^| )$code: " "$page" || { echo "the page lacks the exit code $code"; exit 1; }
done
command -v man >/dev/null || { echo "SKIPPED: no man"; exit 77; }
warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
echo "$warnings"
test -z "$warnings"
text=$(MANWIDTH=120 man -l "$page" | col -bx)
grep -qF -- "--time-limit DURATION" <<<"$text"
grep -qF "qapfw resume RUN_DIR [OPTION...]" <<<"$text"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# man_page.sh <qapfw> <share folder>: checks that the page shows what --help shows, and that its formatter gives no
# warning.
set -euo pipefail
qapfw=$1 page=$2/man/man1/qapfw.1
test -s "$page"
cmp <("$qapfw" self-description man) "$page"
for words in "qapfw run" "qapfw plugin check" "qapfw instance export" "time\\-limit" "plugin\\-path"; do
    grep -qF "$words" "$page" || { echo "the page lacks $words"; exit 1; }
done
command -v man >/dev/null || { echo "SKIPPED: no man"; exit 77; }
warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
echo "$warnings"
test -z "$warnings"
text=$(MANWIDTH=120 man -l "$page" | col -bx)
grep -qF -- "--time-limit DURATION" <<<"$text"
grep -qF "qapfw resume RUN_DIR [OPTION...]" <<<"$text"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_links.sh <source folder>: checks that every relative link and picture of every document leads to a file of the
# tree.
set -euo pipefail
cd "$1"
status=0 count=0
while IFS= read -r document; do
    while IFS= read -r target; do
        count=$((count + 1))
        [ -e "$(dirname "$document")/${target%%#*}" ] || { echo "$document: no such file: $target"; status=1; }
    # Skips code, since brackets in code are no links.
    done < <(awk '/^```/ { code = !code } !code' "$document" | grep -o -e '](\([^)]*\))' -e '<img src="[^"]*"' |
        sed 's/^](//; s/)$//; s/^<img src="//; s/"$//' | grep -v -E '^(https?:|#|mailto:)')
done < <(find . -name '*.md' -not -path './build/*' -not -path './.git/*')
echo "$count links"
[ $count -gt 0 ] || status=1
exit $status

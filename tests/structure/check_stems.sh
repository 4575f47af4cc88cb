#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_stems.sh <source folder>
# Checks that every stem of the product (x.cpp, x.hpp and x.cuh are one stem) has a test: tests/unit/<its
# folder>/x_test.cpp, a test that includes its header, or a line of tests/structure/held_by.txt that names the test.
set -euo pipefail
cd "$1"
list=tests/structure/held_by.txt status=0
plain='s/\.[a-z]+$//; s|^kernels/include/qapfw/kernels/|kernels/|; s|^sdk/include/qapfw/(sdk/)?|sdk/|; s|^qapfw/||'
stems=$(find $(ls -d common framework kernels plugins problems sdk/include 2>/dev/null) \
    \( -name '*.h' -o -name '*.hpp' -o -name '*.c' -o -name '*.cpp' -o -name '*.cuh' \) | sed -E "$plain" | sort -u)
named=$(find tests/unit -name '*_test.cpp' | sed -E 's|^tests/unit/||; s/_test\.cpp$//' | sort -u)
tested=$({
    echo "$named"
    grep -rhoE '#include "[^"]+"' $(ls -d tests bench 2>/dev/null) --include='*.cpp' --include='*.hpp' --include='*.cuh' --include='*.c' |
        sed -E "s/#include \"([^\"]+)\"/\1/; $plain"
} | sort -u)
# The list has entries: "[test] why", then lines "folder: stem stem ...".
held=$(awk '/^#/ || /^$/ || /^\[/ { next } { folder = $1; sub(/:$/, "/", folder); for (k = 2; k <= NF; ++k) print folder $k }' "$list" | sort)
while IFS= read -r test; do
    [ -e "tests/$test" ] || { echo "$list: there is no tests/$test"; status=1; }
done < <(sed -nE 's/^\[([^]]+)\].*/\1/p' "$list")
while IFS= read -r stem; do
    echo "$stem has no test: add tests/unit/${stem}_test.cpp, or a line to $list that names its test"
    status=1
done < <(comm -23 <(comm -23 <(echo "$stems") <(echo "$tested")) <(echo "$held" | sort -u))
while IFS= read -r stem; do
    echo "$list: $stem has a test of its own or is gone: remove it from the list"
    status=1
done < <(comm -13 <(comm -23 <(echo "$stems") <(echo "$named")) <(echo "$held"))
echo "$(echo "$stems" | wc -l) stems, $(echo "$held" | wc -l) of them held by tests of other names"
exit $status

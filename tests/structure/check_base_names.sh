#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_base_names.sh <source folder>
# Checks that studies and reports use the last part of a path only in the lines listed below, for texts that they show
# and files that they make. The last part is not a key: two instances may have the same last part, and the path of one
# instance has several spellings.
set -euo pipefail
cd "$1"
allowed='^framework/laboratory/report/archive\.cpp:.*(whole|place)\.filename\(\)|^framework/laboratory/study/(plan\.cpp:.*cell\.instance = printable\(|claims\.cpp:.*split\(|child_process\.cpp:.*said\.|index\.cpp:.*folder\.index\(\)|study_file\.cpp:.*"title")'
status=0
while IFS= read -r line; do
    [ -n "$line" ] || continue
    echo "$line: the last part of a path is no key"
    status=1
done < <(grep -rnE "rfind\('/'\)|\.filename\(\)|\.stem\(\)" framework/laboratory/study framework/laboratory/report --include='*.cpp' --include='*.hpp' 2>/dev/null |
         sed 's/:[0-9]*:/: /' | grep -vE "$allowed")
exit $status

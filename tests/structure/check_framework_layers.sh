#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_framework_layers.sh <source folder>
# Each folder of framework/ includes only folders that stand before it in this list, and of those only the ones named.
set -euo pipefail
cd "$1"
allowed=$(
    cat <<'EOF'
statistics:
host:
processes: host
mpi: processes
plugin: host
config: plugin host
device: host
problem: config plugin host
record: problem config plugin host
engine: record processes problem device config plugin host
conformance: engine problem device config plugin host
study: engine record problem config plugin host statistics
report: study record host statistics
library: engine record problem config plugin host
cli: conformance report study engine processes record problem device config plugin host statistics
EOF
)
status=0 count=0 before=
while IFS=: read -r folder below; do
    for other in $below; do
        [[ " $before " == *" $other "* ]] || { echo "WRONG: the list names $other for $folder before it comes"; status=1; }
    done
    before="$before $folder"
    [ -d "framework/$folder" ] || continue
    while IFS=: read -r file line include; do
        count=$((count + 1))
        other=${include#*\"framework/}
        other=${other%%/*}
        if [ "$other" != "$folder" ] && [[ " $below " != *" $other "* ]]; then
            echo "$file:$line: framework/$folder must not include framework/$other"
            status=1
        fi
    done < <(grep -rn '^#include "framework/' "framework/$folder")
done <<<"$allowed"
for path in framework/*/; do
    folder=$(basename "$path")
    [[ " $before " == *" $folder "* ]] || { echo "framework/$folder: not in the list of layers"; status=1; }
done
echo "$count includes"
[ $count -gt 0 ] || status=1
exit $status

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_framework_layers.sh <source folder>
# Checks that each folder of framework/ includes only the folders in its line, which come before it in the list. Each
# folder of laboratory/ has a line of its own. Neither engine/ nor library/ may include any folder of laboratory/.
set -euo pipefail
cd "$1"
allowed=$(
    cat <<'EOF'
host:
processes: host
mpi: processes
plugin: host
config: plugin host
device: host
problem: config plugin host
record: problem config plugin host
answers: record problem host
engine: answers record processes problem device config plugin host
conformance: engine problem device config plugin host
library: engine record problem config plugin host
laboratory/statistics:
laboratory/study: laboratory/statistics engine record problem config plugin host
laboratory/report: laboratory/statistics laboratory/study record host
laboratory/verify: engine answers record problem config plugin host
cli: laboratory/statistics laboratory/study laboratory/report laboratory/verify conformance engine answers processes record problem device config plugin host
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
        rest=${other#laboratory/}
        if [ "$rest" != "$other" ]; then other=laboratory/${rest%%/*}; else other=${other%%/*}; fi
        if [ "$other" != "$folder" ] && [[ " $below " != *" $other "* ]]; then
            echo "$file:$line: framework/$folder must not include framework/$other"
            status=1
        fi
    done < <(grep -rn '^#include "framework/' "framework/$folder")
done <<<"$allowed"
for path in framework/*/ framework/laboratory/*/; do
    [ -d "$path" ] || continue
    folder=${path#framework/}
    folder=${folder%/}
    [ "$folder" = laboratory ] && continue
    [[ " $before " == *" $folder "* ]] || { echo "framework/$folder: not in the list of layers"; status=1; }
done
echo "$count includes"
[ $count -gt 0 ] || status=1
exit $status

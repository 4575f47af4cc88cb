#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_classes.sh <source folder>
# Checks that classes of the framework stay small: at most 20 fields, in framework/engine/run at most 14. Fields of
# classes with behaviour end in an underscore. Fields of plain structs do not, and are not counted. Also checks that no
# code compares `processes` with null: a run of a single process has this object too.
set -euo pipefail
cd "$1"
status=0 count=0
while read -r file line name fields; do
    count=$((count + 1))
    most=20
    [[ $file == framework/engine/run/* ]] && most=14
    if [ "$fields" -gt $most ]; then
        echo "$file:$line: $name has $fields fields, at most $most are wanted"
        status=1
    fi
done < <(find framework -name '*.hpp' -o -name '*.cpp' | sort | xargs awk '
    FNR == 1 { depth = 0 }
    {
        text = $0
        sub(/\/\/.*/, "", text)
        match(text, /^ */)
        indent = RLENGTH
    }
    match(text, /^ *(class|struct) [A-Za-z_:]+/) && text ~ /\{$/ {
        split(substr(text, indent + 1), words, /[ :{]+/)
        ++depth
        name[depth] = words[2]; line[depth] = FNR; at[depth] = indent; fields[depth] = 0
        next
    }
    depth && indent == at[depth] && text ~ /^ *\};/ {
        if (fields[depth]) print FILENAME, line[depth], name[depth], fields[depth]
        --depth
        next
    }
    depth && indent == at[depth] + 4 {
        while (gsub(/<[^<>]*>/, "", text)) continue
        if (!match(text, /[A-Za-z0-9]_( = |;|,|\{|\[)/)) next
        if (index(substr(text, 1, RSTART), "(")) next
        while (match(text, /[A-Za-z0-9]_( = |;|,|\{|\[)/)) {
            ++fields[depth]
            text = substr(text, RSTART + RLENGTH)
        }
    }')
while IFS= read -r place; do
    echo "$place: processes are never null: a run of one process has such an object too"
    status=1
done < <(grep -rnE 'processes_? *[!=]= *nullptr' framework || true)
echo "$count classes"
[ $count -gt 0 ] || status=1
exit $status

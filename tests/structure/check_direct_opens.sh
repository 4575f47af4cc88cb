#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_direct_opens.sh <source folder> <list of exceptions>
# The program opens files through framework/record/folder.hpp. That code follows no link, waits for no FIFO and writes
# only into regular files. A file of the framework that opens files another way must be in the list, with the reason.
set -euo pipefail
cd "$1"
list=$2
status=0
found=$(grep -rlE '\b[io]?fstream\b|\bfopen ?\(|\bO_(RDONLY|WRONLY|RDWR)\b|\bsqlite3_open' framework --include='*.cpp' --include='*.hpp' | sort)
allowed=$(sed -n 's/^\(framework[^ ]*\): .*/\1/p' "$list" | sort)
while read -r file; do
    [ -n "$file" ] || continue
    echo "$file: it opens files past framework/record/folder.hpp; use Folder, or give the reason in $list"
    status=1
done < <(comm -23 <(echo "$found") <(echo "$allowed"))
while read -r file; do
    [ -n "$file" ] || continue
    echo "$list: $file opens no file by itself; take it off the list"
    status=1
done < <(comm -13 <(echo "$found") <(echo "$allowed"))
exit $status

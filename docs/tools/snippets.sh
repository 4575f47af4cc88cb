#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# snippets.sh [--check] [document...]: fills the code between
#     <!-- snippet: path/of/file#name -->   and   <!-- end -->
# with the part of the file between the lines that hold "[name]" and "[name-end]". If "#name" is missing, takes the
# whole file.
# --check changes nothing and fails if a document and its files differ.
set -euo pipefail
cd "$(dirname "$0")/../.."
check=
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi
if [ $# -eq 0 ]; then
    mapfile -t documents < <(grep -rl --include='*.md' '^<!-- snippet: ' README.md CONTRIBUTING.md docs sdk | sort)
else
    documents=("$@")
fi

language() {
    case $1 in
        *.cpp | *.hpp | *.cuh | *.h) echo cpp ;;
        *.c) echo c ;;
        *.toml) echo toml ;;
        *.txt | *CMakeLists*) echo cmake ;;
        *.sh) echo bash ;;
        *) echo text ;;
    esac
}

# part <file> <name>: prints the lines between the marks [name] and [name-end], or the whole file if <name> is empty.
# Fails if it prints none.
part() {
    if [ -z "$2" ]; then
        grep -v -E '^(//|#|/\*) SPDX-License-Identifier' "$1"
        return
    fi
    awk -v begin="[$2]" -v end="[$2-end]" '
        index($0, end) { on = 0 }
        on && !/^[ \t]*(\/\/|#|\/\*) \[[a-z-]+\]/ { print; lines++ }
        index($0, begin) { on = 1 }
        END { exit lines > 0 ? 0 : 1 }' "$1"
}

status=0
for document in "${documents[@]}"; do
    new=$(mktemp)
    inside=
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
            '<!-- snippet: '*)
                reference=${line#'<!-- snippet: '}
                reference=${reference%' -->'}
                file=${reference%%#*}
                name=
                if [ "$file" != "$reference" ]; then name=${reference#*#}; fi
                printf '%s\n```%s\n' "$line" "$(language "$file")"
                if ! part "$file" "$name"; then
                    echo "$document: nothing to insert for $reference" >&2
                    exit 1
                fi
                printf '```\n'
                inside=1
                ;;
            '<!-- end -->')
                inside=
                printf '%s\n' "$line"
                ;;
            *) [ -n "$inside" ] || printf '%s\n' "$line" ;;
        esac
    done <"$document" >"$new"
    if ! cmp -s "$new" "$document"; then
        if [ -n "$check" ]; then
            echo "$document is not in step with its sources; run docs/tools/snippets.sh"
            diff "$document" "$new" | head -20 || true
            status=1
        else
            cat "$new" >"$document"
            echo "updated $document"
        fi
    fi
    rm -f "$new"
done
[ ${#documents[@]} -gt 0 ] || { echo "no document has snippets"; status=1; }
exit $status

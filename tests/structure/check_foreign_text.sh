#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_foreign_text.sh <source folder>
# Checks that texts of users' files cannot become markup. The page's scripts build elements and set their text; they
# parse no markup. Templates are filled by with_marks_filled, and characters are escaped by with_characters_replaced.
# Both go over a text only once; a loop of replacements would also find marks in inserted text.
set -euo pipefail
cd "$1"
status=0
# told <what to do> <lines of grep>: if there are lines, prints each with what to do; the check then fails.
told() {
    [ -z "$2" ] && return
    sed "s|\$|: $1|" <<<"$2"
    status=1
}
mapfile -t scripts < <(find framework/laboratory/report/page -maxdepth 1 -type f \( -name '*.js' -o -name '*.html' \) | sort)
[ ${#scripts[@]} -gt 0 ] || { echo "framework/laboratory/report/page has no scripts"; exit 1; }
told "build elements and set textContent" "$(grep -nE \
    'innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|setHTML|srcdoc|\beval\(|new Function|setAttribute\("(on|style)' \
    "${scripts[@]}" /dev/null || true)"
# Calls that replace a whole file, such as Folder::replace, are allowed. The check knows them by the words before
# `.replace`.
told "use host/substitution.hpp" "$(grep -rnE '[a-z_)]\.replace\(|boost::.*replace|regex_replace' framework \
    --include='*.cpp' --include='*.hpp' | grep -vE '\b(files\.|folder\.|Folder\(.*\)\.)replace\(' || true)"
told "use report/encoders.hpp or study/csv.hpp" "$(grep -rnE '"\\\\textbackslash|"&lt;|"&amp;|"\\\\\|"' framework \
    --include='*.cpp' --include='*.hpp' | grep -vE '^framework/laboratory/report/encoders\.cpp:' || true)"
exit $status

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_compile_cases.sh <C++ compiler>: checks that compile_cases.sh reports each case that does not behave as said,
# and no other case.
set -euo pipefail
. "$(dirname "$0")/compile_cases.sh"
checked() { printf 'struct S@n@ { static constexpr int kSize = %s; };\nconstexpr int kValue@n@ = half<S@n@>();' "$1"; }
cases_begin
case_right 'even' "$(checked 2)"
case_right 'odd, said to compile' "$(checked 3)"
case_wrong 'odd' 'size is even' "$(checked 5)"
case_wrong 'even, said not to compile' 'size is even' "$(checked 4)"
case_wrong 'odd, with other words' 'size is small' "$(checked 7)"
case_wrong 'odd again' 'size is even' "$(checked 9)"
if said=$(cases_end 'template <class T> constexpr int half() { static_assert(T::kSize % 2 == 0, "size is even"); return T::kSize / 2; }' \
    "$1" -std=c++20); then
    printf '%s\nFAILED: nothing was noticed\n' "$said"
    exit 1
fi
diff <(sed -nE 's/(this does not compile|this compiles|the compiler does not say).*: /\1: /; /^(WRONG|size)/p' <<<"$said") - <<EOF
WRONG: this does not compile: odd, said to compile
size is even: odd
WRONG: this compiles: even, said not to compile
WRONG: the compiler does not say: odd, with other words
size is even: odd again
EOF

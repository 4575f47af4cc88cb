#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_device_problem.sh <C++ compiler> <source folder>
# Checks that a problem's device text without a required part does not compile, with one error that names the part. The
# host's compiler compiles the device text, as it does for the emulated GPUs.
set -euo pipefail
cxx=$1 source=$2
. "$(dirname "$0")/compile_cases.sh"
cases_begin
cases_have_one_error=1

good='namespace n@n@ {
struct Problem {
    struct View { const int32_t* data; };
    using Cost = int64_t;
    static constexpr int kPositions = 9;
    template <class Group, class Solution>
    static QAPFW_DEVICE Cost cost(Group, const View& view, Solution solution) { return view.data[solution(0)]; }
    // MORE
};
}'

checked() { printf '%s\nstatic_assert(qapfw::kernels::check_device_text<n@n@::Problem>());\n' "$1"; }
# wrong <words of the error> <text>: adds a case. The text must not compile, and an error must have these words.
wrong() {
    case_wrong "$(diff <(echo "$good") <(echo "$2") | grep '^[<>]')" "$1" "$(checked "$2")"
}
without() { grep -vF -- "$1" <<<"$good"; }
with() { sed "s|// MORE|$1|" <<<"$good"; }

case_right 'a complete problem' "$(checked "$good")"
wrong 'needs a type View' "$(sed 's/struct View { const int32_t\* data; };//; s/const View& view/const int\& view/; s/view.data\[solution(0)\]/0/' <<<"$good")"
wrong 'needs a type View' "$(sed 's/const int32_t\* data;/const int32_t* data; View(const View\&);/' <<<"$good")"
wrong 'which is int64_t or double' "$(sed 's/using Cost = int64_t/using Cost = int16_t/; s/return view/return (Cost)view/' <<<"$good")"
wrong 'a constant kPositions' "$(without kPositions)"
wrong 'static Cost cost(Group' "$(without 'static QAPFW_DEVICE Cost cost' | grep -v 'template <class Group')"
wrong 'both kBits and kBitsOffset' "$(with 'static constexpr int kBits = 8;')"
wrong 'cost_in(WarpGroup' "$(with 'static constexpr uint64_t kScratchBytes = 16;')"
wrong 'Problem::ChildCosts needs load' "$(with 'struct ChildCosts { void load(const View\&) {} };')"
wrong 'needs the types Value, Total' "$(with 'struct SwapNeighbourhood { using Value = int; };')"
cases_end '#include "tests/emulated_cuda/program_prefix.hpp"
#include "qapfw/kernels/problem_concept.hpp"' "$cxx" -std=c++20 -Wno-unknown-pragmas -I"$source" -I"$source/kernels/include" \
    -I"$source/sdk/include"

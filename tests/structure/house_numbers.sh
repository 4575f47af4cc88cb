#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# house_numbers.sh [source folder]: prints numbers that describe the source tree, one per line. The numbers should
# become smaller. They help those who tidy up; no test compares them.
set -euo pipefail
cd "${1:-$(dirname "$0")/../..}"

# tell <number> <what>: prints one line.
tell() { printf '%7d  %s\n' "$1" "$2"; }

# sources <folder...>: lists their C and C++ files and device texts.
sources() { find "$@" -name '*.h' -o -name '*.hpp' -o -name '*.c' -o -name '*.cpp' -o -name '*.cuh' | sort; }

# Lists the optional members of a solver on the population engine: the engine's headers ask by `requires` or a concept
# whether the solver has them. Members under "Always" in population/contract.hpp are not optional.
optional_members() {
    cat sdk/include/qapfw/sdk/population_solver.hpp sdk/include/qapfw/sdk/population/*.hpp | awk '
        /^concept .*requires|if constexpr \(requires/ { asks = 1 }
        asks { text = text " " $0 }
        /[};]$/ { asks = 0 }
        END { print text }' | grep -oE '(algorithm_?\.|Algorithm::)[A-Za-z_]+' | sed -E 's/.*[.:]//' | sort -u
}

# Lists steps that a solver declares twice, for the places of the host and for those of GPUs.
twofold_steps() {
    local header
    for header in plugins/*/*.hpp; do
        comm -12 <(grep -oE '[a-z_]+\(Host&' "$header" | sed 's/(.*//' | sort -u) \
                 <(grep -oE '[a-z_]+\(Device&' "$header" | sed 's/(.*//' | sort -u) | sed "s|^|$header |"
    done
}

# Lists the numbers above 2 in the file that plans searches on GPUs, except those in structs named ...Tuning.
plan_literals() {
    awk '/^(inline|struct|constexpr)/ { in_tuning = /Tuning/ } /^};/ { in_tuning = 0 } !in_tuning' \
        problems/qap/device/qap_device_plan.hpp | sed 's|//.*||' | grep -oE '\b([3-9]|[1-9][0-9]+)(u|ull|\.0)?\b' || true
}

# Lists the product's stems without a test file of that name. x.cpp, x.hpp and x.cuh are one stem.
stems_without_test() {
    comm -23 <(sources common framework kernels plugins problems sdk/include |
                   sed -E 's/\.[a-z]+$//; s|kernels/include/qapfw/kernels/|kernels/|; s|sdk/include/qapfw/(sdk/)?|sdk/|' | sort -u) \
             <(find tests/unit -name '*_test.cpp' | sed -E 's|^tests/unit/||; s/_test\.cpp$//' | sort -u)
}

tell "$(sources sdk/include kernels/include | wc -l)" "installed headers of the SDK"
tell "$(sources sdk/include kernels/include | xargs cat | wc -l)" "lines in them"
tell "$(sources common framework kernels plugins problems sdk/include | xargs cat | wc -l)" "lines of the product"
tell "$(sources tests | xargs cat | wc -l)" "lines of tests"
tell "$(optional_members | wc -l)" "optional members of a solver on the population engine"
tell "$(twofold_steps | wc -l)" "steps that solvers have twice, for host and GPU"
tell "$(plan_literals | wc -l)" "numbers in the code that plans searches on GPUs"
tell "$(stems_without_test | wc -l)" "stems of the product without a test of their name"

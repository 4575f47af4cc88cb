#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_parameter_mistakes.sh <C++ compiler> <source folder>
# A wrong declaration of a parameter does not compile, and the compiler names the mistake.
set -euo pipefail
cxx=$1 source=$2
status=0

# table <declarations>: compiles a table of them; prints what the compiler says.
table() {
    printf '#include "qapfw/sdk/parameter_table.hpp"\nusing namespace qapfw::sdk;\nconstexpr ParameterTable kTable{%s};\n' "$1" |
        "$cxx" -std=c++20 -I"$source/sdk/include" -fsyntax-only -x c++ - 2>&1
}

wrong() {  # wrong <mistake> <declarations>
    local said
    if said=$(table "$2"); then
        echo "WRONG: this compiles: $2"
        status=1
    elif ! grep -q "$1" <<<"$said"; then
        echo "WRONG: the compiler does not name $1 for: $2"
        head -5 <<<"$said"
        status=1
    else
        echo "$1: $2"
    fi
}

right='integer("a", 1).range(1, 2).summary("A."), size("b", "16n").range(1, 2).summary("B.")'
table "$right" || { echo "WRONG: this does not compile: $right"; status=1; }
wrong name_is_not_snake_case 'integer("Size", 1).summary("A.")'
wrong name_is_declared_twice 'integer("a", 1).summary("A."), real("a", 1).summary("A.")'
wrong summary_is_missing 'integer("a", 1)'
wrong summary_is_missing 'integer("a", 1).summary("")'
wrong range_is_of_no_number 'flag("a", true).range(0, 1).summary("A.")'
wrong range_is_empty 'integer("a", 1).range(2, 0).summary("A.")'
wrong range_has_no_end 'real("a", 1).range(0, __builtin_inf()).summary("A.")'
wrong range_from_0_to_0_means_none 'integer("a", 0).range(0, 0).summary("A.")'
wrong choices_are_empty_or_repeated 'choice("a", "x", "x||y").summary("A.")'
wrong choices_are_empty_or_repeated 'choice("a", "x", "x|y|x").summary("A.")'
wrong default_is_missing 'integer("a").summary("A.")'
wrong default_is_never_used 'integer("a", 1).required().summary("A.")'
wrong default_is_never_used 'integer("a", 1).optional().summary("A.")'
wrong default_is_outside_the_range 'integer("a", 3).range(1, 2).summary("A.")'
wrong default_is_outside_the_range 'real("a", 0.5).range(1, 2).summary("A.")'
wrong default_is_not_among_the_choices 'choice("a", "z", "x|y").summary("A.")'
wrong default_is_no_size 'size("a", "16m").summary("A.")'
wrong default_has_too_many_digits 'real("a", 1.0 / 3).summary("A.")'
wrong path_is_of_no_text 'integer("a").required().path().summary("A.")'
wrong both_required_and_optional 'integer("a").required().optional().summary("A.")'
exit $status

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_parameter_mistakes.sh <C++ compiler> <source folder>
# Checks that a wrong declaration of a parameter does not compile, and that the compiler names the mistake.
set -euo pipefail
cxx=$1 source=$2
. "$(dirname "$0")/compile_cases.sh"
cases_begin

table() { printf 'constexpr ParameterTable kTable@n@{%s};\n' "$1"; }
wrong() {  # wrong <mistake> <declarations>
    case_wrong "$2" "$1" "$(table "$2")"
}

right='integer("a", 1).range(1, 2).summary("A."), size("b", "16n").range(1, 2).summary("B.")'
case_right "$right" "$(table "$right")"
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
cases_end '#include "qapfw/sdk/parameter_table.hpp"
using namespace qapfw::sdk;' "$cxx" -std=c++20 -I"$source/sdk/include"

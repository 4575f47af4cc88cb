# SPDX-License-Identifier: Apache-2.0
# Compiles code that must compile and code that must not, all in one compilation. The checks in this folder source this
# file. The compiler takes each case for a separate file, so that each error names its case.
#
#   cases_begin
#   case_right <what it is> <text>
#   case_wrong <what it is> <words of the error> <text>
#   cases_end <first lines> <compiler...>: the exit status says whether all is as wanted
#
# A case can have its own namespace: @n@ in <text> becomes the number of the case.

cases_begin() {
    case_names=() case_words=() case_texts=()
}
case_right() {
    case_names+=("$1") case_words+=('') case_texts+=("$2")
}
case_wrong() {
    case_names+=("$1") case_words+=("$2") case_texts+=("$3")
}

# errors_of_cases: prints the compiler's messages, each line with the number of its case. GCC prints the origin of an
# error before the error, clang after it. So the error and its origin form a block of lines. All lines of a block get
# the number of the last case that the block names.
errors_of_cases() {
    awk '
        function flush(k) {
            for (k = 1; k <= lines; ++k) print number "\t" line[k]
            lines = errors = 0
        }
        errors && (/error: / || /: In (instantiation|substitution|function|member function|static member function|constructor) / ||
                   /^In file included from / || /^case_[0-9]+:.* expansion of /) { flush() }
        /error: / { ++errors }
        match($0, /case_[0-9]+:/) { number = substr($0, RSTART + 5, RLENGTH - 6) }
        { line[++lines] = $0 }
        END { flush() }'
}

cases_end() {
    local before=$1 all=-fmax-errors=0 work k said errors bad=0
    shift
    if "$1" --version | grep -q clang; then all=-ferror-limit=0; fi
    work=$(mktemp -d)
    {
        printf '%s\n' "$before"
        for k in "${!case_names[@]}"; do
            printf '# 1 "case_%d"\n%s\n' "$k" "${case_texts[k]//@n@/$k}"
        done
    } >"$work/cases.cpp"
    "$@" "$all" -fsyntax-only "$work/cases.cpp" 2>&1 | errors_of_cases >"$work/said" || true
    for k in "${!case_names[@]}"; do
        said=$(grep "^$k	" "$work/said" | cut -f 2- || true)
        errors=$(grep -c 'error: ' <<<"$said" || true)
        if [ -z "${case_words[k]}" ]; then
            [ "$errors" -eq 0 ] && continue
            printf 'WRONG: this does not compile: %s\n%s\n' "${case_names[k]}" "$said"
        elif [ "$errors" -eq 0 ]; then
            printf 'WRONG: this compiles: %s\n' "${case_names[k]}"
        elif ! grep -qF -- "${case_words[k]}" <<<"$said"; then
            printf 'WRONG: the compiler does not say "%s" for: %s\n%s\n' "${case_words[k]}" "${case_names[k]}" "$(head -5 <<<"$said")"
        elif [ -n "${cases_have_one_error:-}" ] && [ "$errors" -ne 1 ]; then
            printf 'WRONG: one error was wanted for: %s\n%s\n' "${case_names[k]}" "$said"
        else
            printf '%s: %s\n' "${case_words[k]}" "${case_names[k]}"
            continue
        fi
        bad=1
    done
    if grep -q '^	.*error: ' "$work/said"; then
        printf 'WRONG: errors of no case\n'
        cat "$work/said"
        bad=1
    fi
    rm -rf "$work"
    return $bad
}

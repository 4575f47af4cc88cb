# SPDX-License-Identifier: Apache-2.0
# Reads the table of cases and the table of their ends. check.sh sources this file.
shopt -s extglob

declare -A where way problem solver improver run expected
names=()
read_cases() {  # reads cases.txt: the names go into `names`; each other column gets an array with names as keys
    local number=0 line k columns name
    while IFS= read -r line; do
        number=$((number + 1))
        [[ $line =~ ^[[:space:]]*(#|$) ]] && continue
        IFS='|' read -ra columns <<<"$line"
        [ ${#columns[@]} -eq 7 ] || die "cases.txt:$number: 7 columns are wanted, found ${#columns[@]}"
        columns=("${columns[@]##+([[:space:]])}")
        columns=("${columns[@]%%+([[:space:]])}")
        for k in "${!columns[@]}"; do
            [ -n "${columns[k]}" ] || die "cases.txt:$number: column $((k + 1)) is empty"
        done
        name=${columns[0]}
        [[ $name =~ ^[a-z0-9_-]+$ ]] || die "cases.txt:$number: a name of a-z, 0-9, - and _ is wanted, found \"$name\""
        [ -z "${where[$name]:-}" ] || die "cases.txt:$number: there are two cases \"$name\""
        [[ ${columns[1]} =~ ^(quick|full|full,cpu)$ ]] ||
            die "cases.txt:$number: quick, full or full,cpu is wanted in the second column, found \"${columns[1]}\""
        names+=("$name")
        where[$name]=${columns[1]} way[$name]=${columns[2]} problem[$name]=${columns[3]}
        solver[$name]=${columns[4]} improver[$name]=${columns[5]} run[$name]=${columns[6]}
    done <"$here/cases.txt"
}
read_digests() {  # reads digests.txt into `expected`
    local name end
    [ -f "$here/digests.txt" ] || return 0
    while read -r name end; do
        [[ $name != '#'* ]] || continue
        [ $mode = regenerate ] || [ -n "${where[$name]:-}" ] || die "digests.txt: there is no case \"$name\""
        expected[$name]=$end
    done <"$here/digests.txt"
}
write_digests() {
    local name
    {
        echo "# SPDX-License-Identifier: Apache-2.0"
        echo "# Where the cases of cases.txt end: digest, best cost, iterations, evaluations."
        echo "# Written by check.sh --regenerate."
        for name in "${names[@]}"; do
            [ ! -s "$work/$name.end" ] || expected[$name]=$(<"$work/$name.end")
            [ -z "${expected[$name]:-}" ] || printf '%s %s\n' "$name" "${expected[$name]}"
        done
    } >"$work/digests" && cp "$work/digests" "$here/digests.txt"
}
chosen() {  # name: whether the options ask for this case
    [ -z "$quick" ] || [ "${where[$1]}" = quick ] || return 1
    [ "$backend" = cpu ] || [ "${where[$1]}" != full,cpu ] || return 1
    [[ $1 =~ $only ]]
}
arguments_of() {  # name of a case: sets the case's `iterations` and its `arguments` for `qapfw run`
    local words
    arguments=()
    read -ra words <<<"${problem[$1]}"
    set_words problem "plugin=${words[0]%%:*}" "${words[@]:1}"
    [[ ${words[0]} != *:* ]] || set_words problem "instance=${words[0]#*:}"
    [[ ${words[0]} != *_alone ]] || arguments+=(--plugin-path "$build/tests/bad_plugins/${words[0]}.qapfw.so")
    read -ra words <<<"${solver[$1]}"
    set_words algorithm "plugin=${words[0]}" "${words[@]:1}"
    read -ra words <<<"${improver[$1]}"
    [ "${words[0]}" = - ] || set_words algorithm.improver "plugin=${words[0]}" "${words[@]:1}"
    read -ra words <<<"${run[$1]}"
    iterations=${words[0]}
    set_words run seed=5 "${words[@]:1}"
    arguments+=(--backend "$backend" --threads "$threads")
    [ "$backend" = cpu ] || arguments+=(--set device.start_on_cpu=false --set "device.devices=[$(seq -s, 0 $((gpus - 1)))]")
}
# set_words <table> <key=value>...: appends an option --set TABLE.KEY=VALUE to `arguments` for each key=value. In a
# key=value, @ stands for the folder of instances, and ~ for a blank.
set_words() {
    local table=$1 word
    shift
    for word; do
        word=${word/@/$here/instances}
        arguments+=(--set "$table.${word//\~/ }")
    done
}

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the configurations of cases.txt and compares the digest of each with digests.txt; see README.md.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/table.sh"
. "$here/sessions.sh"
. "$here/../processes/ranks.sh"

usage() {
    cat <<END
check.sh [options]    Runs the cases of tests/trajectories/cases.txt and compares their ends with digests.txt.
  --backend NAME      cpu (the default) or cuda, which leaves out the cases without device code
  --threads N[,N]     CPU threads of each run, one pass over the cases for each number; default 1,2
  --gpus N[,N]        with cuda: number of GPUs, one pass for each number; default 1
  --emulated          like --backend cuda, on GPUs emulated by the program's build tree; needs the build's C++ compiler
  --processes N[,N]   number of processes under mpirun, one pass for each number (with cuda only one); default: no mpirun
  --quick             only the cases marked quick
  --only REGEX        only the cases whose names match
  --jobs N            number of cases that run at the same time; default: the number of cores
  --binary FILE       the program; default: QAPFW_BINARY_UNDER_TEST, else build/release/bin/qapfw
  --verbose           shows passed cases too, with their milliseconds
  --list              shows the names of the chosen cases and runs nothing
  --regenerate        writes the ends of the chosen cases into digests.txt; only for intended changes of trajectories
END
}
die() { printf 'check.sh: %s\n' "$1" >&2; exit 2; }

backend=cpu gpus=1 threads=1,2 processes=none emulated='' quick='' only='' jobs=$(nproc) verbose='' mode=check
binary=${QAPFW_BINARY_UNDER_TEST:-$here/../../build/release/bin/qapfw}
read_options() {
    while [ $# -gt 0 ]; do
        case $1 in
            --emulated) emulated=1 backend=cuda ;;
            --quick) quick=1 ;;
            --verbose) verbose=1 ;;
            --list) mode=list ;;
            --regenerate) mode=regenerate threads=1 ;;
            --help) usage; exit 0 ;;
            --backend | --threads | --gpus | --processes | --only | --jobs | --binary)
                [ $# -gt 1 ] || die "$1 needs a value"
                printf -v "${1#--}" %s "$2"
                shift ;;
            *) die "unknown option \"$1\"; --help shows all" ;;
        esac
        shift
    done
    local number='[1-9][0-9]*' option
    for option in threads gpus; do
        [[ ${!option} =~ ^$number(,$number)*$ ]] || die "--$option takes numbers from 1 on, found \"${!option}\""
    done
    [[ $processes =~ ^(none|$number(,$number)*)$ ]] ||
        die "--processes takes numbers from 1 on, found \"$processes\""
    [ $processes = none ] || command -v mpirun >/dev/null || die "there is no mpirun"
    [[ $jobs =~ ^$number$ ]] || die "--jobs takes a number from 1 on, found \"$jobs\""
    [[ $backend =~ ^(cpu|cuda)$ ]] || die "--backend is cpu or cuda, found \"$backend\""
    [ $mode != regenerate ] || [ "$backend" = cpu ] || die "digests are recorded on the CPU"
    [ -x "$binary" ] || die "there is no program $binary; --binary names one"
    binary=$(realpath "$binary")
    build=$(dirname "$(dirname "$binary")")
}
use_emulated_gpus() {
    local library
    for library in cuda nvrtc; do
        [ -f "$build/tests/emulated_cuda/lib$library.so" ] ||
            die "no emulated GPUs: $build/tests/emulated_cuda/lib$library.so is missing"
    done
    export QAPFW_LIBCUDA=$build/tests/emulated_cuda/libcuda.so QAPFW_NVRTC=$build/tests/emulated_cuda/libnvrtc.so
    export XDG_CACHE_HOME=$work/cache
}

run_case() {  # name: writes $work/NAME.verdict. With regenerate, also writes how the case's run ended to $work/NAME.end
    local folder=$work/$1.case begin=${EPOCHREALTIME/./} found status=FAILED note='' kind=${way[$1]}
    local plugin=$build/tests/bad_plugins/${problem[$1]%% *}.qapfw.so
    if [[ ${problem[$1]%% *} == *_alone ]] && [ ! -f "$plugin" ]; then
        echo "SKIPPED $1: $plugin was not built" >"$work/$1.verdict"
        return
    fi
    rm -rf "$folder"
    mkdir "$folder"
    # Each mpirun gets its own folder for temporary files: two that run at the same time would disturb each other.
    [ ${#launch[@]} -eq 0 ] || export TMPDIR=$folder
    arguments_of "$1"
    [ $mode = check ] || kind=whole
    session "$kind" "$folder" >"$folder/out" 2>"$folder/err"
    found=$(essence <"$folder/out")
    if [ $mode = regenerate ]; then
        [ -z "$found" ] || { status='ok'; echo "$found" >"$work/$1.end"; }
    elif [ -n "$found" ] && [ "$found" = "${expected[$1]:-}" ]; then
        status='ok'
    fi
    [ ! -f "$folder/uncut" ] || note=' (over before it could be cut short)'
    {
        printf '%-7s %s: %d ms%s\n' $status "$1" $(((${EPOCHREALTIME/./} - begin) / 1000)) "$note"
        [ $status = ok ] || explain "$1" "$folder/err" "$found"
    } >"$work/$1.verdict"
    rm -rf "$folder"
}
# Prints how the search of a failed case should end and how it ended, and commands that run the case again.
explain() {  # name of the case, file of its messages, end that was found
    printf '  wanted: %s\n  found:  %s\n' "${expected[$1]:-nothing is recorded}" "${3:-nothing}"
    tail -5 "$2" | sed 's/^/  /'
    local again=("$here/check.sh" --binary "$binary" --only "^$1\$" --threads "$threads") environment=()
    [ "$processes" = none ] || again+=(--processes "$processes")
    [ "$backend" = cpu ] || again+=(--backend cuda --gpus "$gpus")
    if [ -n "$emulated" ]; then
        again+=(--emulated)
        environment=("QAPFW_LIBCUDA=$QAPFW_LIBCUDA" "QAPFW_NVRTC=$QAPFW_NVRTC" "QAPFW_EMULATED_GPUS=$gpus"
            "XDG_CACHE_HOME=/tmp/emulated-$gpus")
    fi
    printf '  this case again:%s\n' "$(printf ' %q' "${again[@]}")"
    printf '  without a cut:%s\n' "$(printf ' %q' ${environment[@]+env "${environment[@]}"} ${launch[@]+"${launch[@]}"} "$binary" run --json \
        --set output.record=false "${arguments[@]}" --iterations "$iterations")"
}

# Runs all chosen cases on the given number of threads or GPUs. Succeeds if all passed.
pass_over() {
    local name passed=0 failed=0 skipped=0 cut=0 over=0 verdict where_run="$threads threads" launch=()
    if [ "$processes" != none ]; then
        where_run="$processes processes of $where_run"
        read -ra launch <<<"${QAPFW_MPIRUN:-mpirun --oversubscribe} -n $processes"
    fi
    [ "$backend" = cpu ] || where_run="$gpus ${emulated:+emulated }GPUs"
    rm -f "$work"/*.verdict
    for name in "${picked[@]}"; do
        while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
        run_case "$name" &
    done
    wait
    for name in "${picked[@]}"; do
        verdict=$(cat "$work/$name.verdict" 2>/dev/null || echo "FAILED  $name: check.sh did not finish it")
        case $verdict in
            ok*) passed=$((passed + 1)) ;;
            SKIPPED*) skipped=$((skipped + 1)) ;;
            *) failed=$((failed + 1)) ;;
        esac
        [[ ${way[$name]} =~ ^(whole|extended:.*)$ ]] || cut=$((cut + 1))
        [[ $verdict != *'over before it could'* ]] || over=$((over + 1))
        [[ $verdict == ok* && -z $verbose ]] || printf '%s\n' "$verdict"
    done
    printf '%s, %s: %d passed, %d failed, %d skipped' "$backend" "$where_run" $passed $failed $skipped
    [ $cut -eq 0 ] || [ $mode != check ] || printf '; %d of %d cases that should be cut short ended before' $over $cut
    printf '\n'
    if [ $mode = check ] && [ $cut -gt 0 ] && [ $cut -eq $over ]; then
        echo "FAILED  all cases that should be cut short ended before: raise their iterations"
        return 1
    fi
    [ $failed -eq 0 ]
}

read_options "$@"
read_cases
read_digests
picked=()
for name in "${names[@]}"; do chosen "$name" && picked+=("$name"); done
[ ${#picked[@]} -gt 0 ] || die "no case is chosen"
if [ $mode = list ]; then
    printf '%s\n' "${picked[@]}"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
unset QAPFW_DATA  # the cases need no data folder, and a user's folder must not change them
[ -z "$emulated" ] || use_emulated_gpus

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
status=0
if [ "$backend" = cpu ]; then
    numbers=${processes//,/ }
    for threads in ${threads//,/ }; do
        for processes in $numbers; do pass_over || status=1; done
    done
else
    threads=${threads##*,}
    for gpus in ${gpus//,/ }; do
        [ -z "$emulated" ] || export QAPFW_EMULATED_GPUS=$gpus
        pass_over || status=1
    done
fi
[ $mode = check ] || write_digests
exit $status

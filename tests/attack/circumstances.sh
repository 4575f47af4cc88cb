#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# circumstances.sh <qapfw>: checks what happens if files, processes, threads or memory are limited, or the working
# directory was deleted. The program must end with a message and a known exit code, and still do what is possible.
set -euo pipefail
qapfw=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work"
export HOME=$work XDG_CACHE_HOME=$work/cache
unset XDG_DATA_HOME QAPFW_PLUGIN_PATH
printf '3\n0 1 2\n1 0 3\n2 3 0\n0 5 6\n5 0 7\n6 7 0\n' >small.dat
short=(solve tai20a --iterations 50 --set output.record=false --set run.threads=1 --quiet)
failed=0

# ends <what> <exit codes, joined by |> <wanted words, joined by |> <command...>: the command must end with one of the
# codes and print one of the words.
ends() {
    local what=$1 codes=$2 words=$3 code=0
    shift 3
    timeout 60 bash -c '"$@"' call "$@" >said 2>&1 || code=$?
    if [[ "|$codes|" == *"|$code|"* ]] && grep -qE -- "$words" said; then
        echo "passed: $what ($code)"
    else
        echo "FAILED: $what: wanted exit code $codes and \"$words\", found $code:"
        tail -n 5 said
        failed=1
    fi
}
# limited <ulimit option> <value> <command...>: runs the command with this limit.
limited() { bash -c 'ulimit "$1" "$2"; shift 2; exec "$@"' limited "$@"; }
# gone <command...>: runs the command in a folder that was deleted.
gone() { bash -c 'mkdir gone; cd gone; rmdir ../gone; exec "$@"' gone "$@"; }
export -f limited gone

ends "a deleted working directory, absolute paths" 0 '^cost +68' \
    gone "$qapfw" solve "$work/small.dat" --iterations 5 --out "$work/record"
test -s "$work/record/result.json" || failed=1
ends "a deleted working directory, a name" 0 '^cost +224416' gone "$qapfw" solve tai12a --iterations 5 --out "$work/record2"
ends "a deleted working directory, a relative file" 2 'small.dat' gone "$qapfw" solve ./small.dat --iterations 5
ends "a deleted working directory, a relative record" '2|6' 'runs/x.*(No such file|working directory)' \
    gone "$qapfw" solve tai12a --iterations 5 --out runs/x
ends "a deleted working directory, a list" 0 'tai12a' gone "$qapfw" instance show tai12a
ends "a deleted working directory, a report" '2|6' 'working directory|No such file|not a run record' \
    gone "$qapfw" report runs/x

for files in 4 5; do
    ends "$files open files" '0|3|6|127' 'best|ulimit -n|Error 24' \
        limited -n $files "$qapfw" "${short[@]}"
    if grep -q 'neither a file, nor an instance' said; then echo "FAILED: a limit is taken for an unknown name"; failed=1; fi
done
ends "no memory for threads" 5 'ulimit -v' limited -v 30000 "$qapfw" "${short[@]}"
printf 'p edge 16384 1\ne 1 2\n' >large.col
for reduction in linear_arrangement 'clique --set problem.clique_size=3' 'partition --set problem.parts=2'; do
    # shellcheck disable=SC2086  # $reduction may hold a name and further options
    ends "a graph of 16384 vertices, $reduction" 5 'n = [0-9]+ wants about [0-9.]+ GB of memory, but [0-9.]+ GB are available within' \
        limited -v 3000000 "$qapfw" run --set problem.plugin=qap --set problem.instance="$work/large.col" \
        --set algorithm.plugin=tabu --set output.record=false --time-limit 1s --set problem.reduction=$reduction
done
ends "a board of 16384 squares" 5 'wants about' limited -v 3000000 "$qapfw" solve queens128 --set output.record=false

# A limit on the number of processes does not apply to root, so another user starts the program.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    user=(setpriv --reuid=54321 --regid=54321 --clear-groups)
    if "${user[@]}" "$qapfw" --version >/dev/null 2>&1; then
        for processes in 1 2 3 4 5; do
            ends "$processes processes" '0|5' 'best|ulimit -u' \
                limited -u $processes "${user[@]}" "$qapfw" "${short[@]}" --set run.threads=4
        done
        ends "one process: why no plugin could be tried" 5 'cannot be tried: a process cannot be created' \
            limited -u 1 "${user[@]}" "$qapfw" "${short[@]}"
    else
        echo "skipped: another user cannot read the program here"
    fi
else
    echo "skipped: limits of processes: needs root and setpriv"
fi
exit $failed

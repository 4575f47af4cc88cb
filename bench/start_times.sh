#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# start_times.sh [ARGUMENT...]: measures how long runs take from the program's start to their end, for all QAPLIB
# instances, with the best known cost as target. Each row is a combination of a backend, a kernel cache (cold: empty;
# warm: filled) and a start (wait: runs wait for the GPUs; now: runs begin on the CPU, device.start_on_cpu = true).
# Columns:
#   runs, solved   instances, and those that reached the target within the limit
#   total          median of the program's seconds
#   first, latest  median and largest of the seconds from the program's start to the first iteration
#   easy           median of the seconds of those instances that the CPU row solved
#   on the CPU     runs that ended there
#   differ         runs with another digest than in the CPU's row, if both reached the target (wanted: 0)
# Parameters that are "auto" may depend on the GPUs, as memetic's islands do. Give them numbers; otherwise the digests
# differ.
# ARGUMENTs go to `qapfw run` and choose the algorithm (default: cas with two_opt). Variables:
#   START_TIMES_LIMIT     seconds for each run (default 5)
#   START_TIMES_ONLY      a regular expression for instances
#   START_TIMES_BACKENDS  backends besides the CPU, which need a GPU: "auto", "cuda", "auto cuda" (default) or ""
#   START_TIMES_STARTS    "wait", "now" or "wait now" (default)
#   START_TIMES_JOBS      runs at the same time (default 1, so that none disturbs another)
#   QAPFW, QAPFW_DATA     another program; the folder that holds qaplib/
# Exit code 1 if a digest differs.
set -u
cd "$(dirname "$0")/.."
qapfw=${QAPFW:-build/release/bin/qapfw}
limit=${START_TIMES_LIMIT:-5} only=${START_TIMES_ONLY:-.} jobs=${START_TIMES_JOBS:-1}
read -ra backends <<<"${START_TIMES_BACKENDS-auto cuda}"
read -ra starts <<<"${START_TIMES_STARTS:-wait now}"
[ $# -gt 0 ] || set -- --set algorithm.plugin=cas --set algorithm.improver.plugin=two_opt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -d "${QAPFW_DATA:?names no folder with qaplib/}/qaplib" ] || { echo "start_times.sh: no $QAPFW_DATA/qaplib"; exit 2; }

field() { sed -n "s/^  \"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1" | head -1; }
median() { sort -g | awk '{ v[NR] = $1 } END { if (NR == 0) print "-"; else printf "%.3f\n", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

# one ROW CACHE INSTANCE ARGUMENT...: runs an instance and adds a line to the file $work/ROW: instance, total, first,
# solved, backend, digest. If the run fails, prints its error instead.
one() {
    local row=$1 cache=$2 instance=$3 begun ended out=$work/$3.out err=$work/$3.err
    shift 3
    begun=$(date +%s.%N)
    XDG_CACHE_HOME=$cache "$qapfw" run --quiet --json --set output.record=false --set "problem.instance=$instance" \
        --set run.target=best-known --time-limit "${limit}s" "$@" >"$out" 2>"$err" ||
        { echo "start_times.sh: $instance: $(tail -1 "$err")"; return; }
    ended=$(date +%s.%N)
    echo "$instance $(awk "BEGIN { print $ended - $begun }") $(field "$out" startup_seconds)" \
        "$(field "$out" target_reached) $(field "$out" backend) $(field "$out" digest)" >>"$work/$row"
}

# row BACKEND cold|warm now|wait ARGUMENT...: runs all instances and prints one row of the table
row() {
    local backend=$1 temperature=$2 start=$3 name=$1-$2-$3 cache=$work/cache instance
    shift 3
    local words=(--backend "$backend" "$@")
    words+=(--set "device.start_on_cpu=$([ "$start" = wait ] && echo false || echo true)")
    : >"$work/$name"
    for instance in "${instances[@]}"; do
        [ "$temperature" = warm ] || { cache=$work/cold-$instance && rm -rf "$cache"; }
        while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
        one "$name" "$cache" "$instance" "${words[@]}" &
    done
    wait
    tell "$name" "$backend" "$temperature" "$start"
}

tell() {
    local file=$work/$1 base=$work/cpu-warm-wait
    printf '%-8s %-5s %-5s %5d %6d %8s %8s %8.3f %8s %10d %6d\n' "$2" "$3" "$4" "$(wc -l <"$file")" \
        "$(awk '$4 == "true"' "$file" | wc -l)" "$(awk '{ print $2 }' "$file" | median)" \
        "$(awk '{ print $3 }' "$file" | median)" "$(awk '{ print $3 }' "$file" | sort -g | tail -1)" \
        "$(awk 'NR == FNR { if ($4 == "true") easy[$1]; next } $1 in easy { print $2 }' "$base" "$file" | median)" \
        "$(awk '$5 == "cpu"' "$file" | wc -l)" "$(differing "$base" "$file")"
}
differing() {
    awk 'NR == FNR { if ($4 == "true") digest[$1] = $6; next }
        $4 == "true" && $1 in digest && digest[$1] != $6 { n++ } END { print n + 0 }' "$1" "$2"
}

mapfile -t instances < <(cd "$QAPFW_DATA/qaplib" && ls -- *.dat | sed 's/\.dat$//' | grep -E -- "$only")
printf '%-8s %-5s %-5s %5s %6s %8s %8s %8s %8s %10s %6s\n' \
    backend cache start runs solved total first latest easy 'on the CPU' differ
row cpu warm wait "$@"
for backend in "${backends[@]}"; do
    for start in "${starts[@]}"; do row "$backend" cold "$start" "$@"; done
done
# Fills the kernel cache beforehand, by runs that wait for their kernels.
[ ${#backends[@]} -eq 0 ] || for instance in "${instances[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    one fill "$work/cache" "$instance" --backend cuda --set device.start_on_cpu=false --iterations 1 "$@" &
done
wait
for backend in "${backends[@]}"; do
    for start in "${starts[@]}"; do row "$backend" warm "$start" "$@"; done
done
for file in "$work"/*-now "$work"/*-wait; do
    [ ! -f "$file" ] || [ "$(differing "$work/cpu-warm-wait" "$file")" = 0 ] || exit 1
done

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# same_everywhere.sh <program> <folder with the plugin> <configuration> <iterations of the run that is killed>
# Checks that the search is the same on one thread, on many threads and on a GPU. Also checks that a run that was killed
# and resumed ends like an undisturbed one. Uses the emulated GPUs of the SDK if they are installed.
set -eu
program=$1 plugins=$2 config=$3 iterations=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

emulated=$(dirname "$program")/../lib/qapfw/emulated_cuda
if [ -e "$emulated/libcuda.so" ] && [ -z "${QAPFW_LIBCUDA:-}" ]; then
    export QAPFW_LIBCUDA="$emulated/libcuda.so" QAPFW_NVRTC="$emulated/libnvrtc.so" XDG_CACHE_HOME="$work/cache"
fi
"$program" verify --cross "$config" --plugin-path "$plugins" --set run.iterations=45 | tee "$work/cross"
grep -q 'the trajectories are the same' "$work/cross"

# digest <folder>: prints the digest of a run's last round.
digest() { grep -o '"digest": *"[0-9a-f]*"' "$1/result.json" | head -1; }
run="--plugin-path $plugins --set device.backend=cpu --set output.checkpoint_interval=20ms --quiet"
"$program" run "$config" $run --set run.iterations=$iterations --set "output.folder=$work/whole"
"$program" run "$config" $run --set run.iterations=$iterations --set "output.folder=$work/killed" &
child=$!
until [ -e "$work/killed/checkpoint.bin" ] || ! kill -0 $child; do sleep 0.02; done
kill -9 $child
wait $child && status=0 || status=$?
[ $status = 137 ] || { echo "the run ended by itself with $status before it was killed"; exit 1; }
"$program" resume "$work/killed" --plugin-path "$plugins" --quiet
echo "whole: $(digest "$work/whole")  resumed: $(digest "$work/killed")"
[ "$(digest "$work/whole")" = "$(digest "$work/killed")" ]

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# same_everywhere.sh <program> <folder with the plugin> <configuration>
# Checks that the search is the same on one thread, on many threads and on a GPU. Uses the emulated GPUs of the SDK if
# they are installed.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
emulated=$(dirname "$1")/../lib/qapfw/emulated_cuda
if [ -e "$emulated/libcuda.so" ] && [ -z "${QAPFW_LIBCUDA:-}" ]; then
    export QAPFW_LIBCUDA="$emulated/libcuda.so" QAPFW_NVRTC="$emulated/libnvrtc.so" XDG_CACHE_HOME="$work/cache"
fi
"$1" verify --cross "$3" --plugin-path "$2" | tee "$work/cross"
grep -q 'the trajectories are the same' "$work/cross"

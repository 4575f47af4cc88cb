#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# same_everywhere.sh <program> <folder with the plugin> <configuration>
# The trajectory is the same on one thread, on many and on a GPU (emulated ones of the SDK if they are installed).
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
emulated=$(dirname "$1")/../lib/qapfw/emulated_cuda
if [ -e "$emulated/libcuda.so" ] && [ -z "${QAPFW_LIBCUDA:-}" ]; then
    export QAPFW_LIBCUDA="$emulated/libcuda.so" QAPFW_NVRTC="$emulated/libnvrtc.so" XDG_CACHE_HOME="$work/cache"
fi
"$1" verify --cross "$3" --plugin-path "$2" | tee "$work/cross"
grep -q 'the trajectories are the same' "$work/cross"

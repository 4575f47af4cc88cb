#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_abi.sh same|runs <C compiler> <source folder> <program> <work folder>
#   same: checks by abidiff that the C interface is that of the newest stored version, and that no stored version was
#   edited
#   runs: checks that plugins built from the stored headers of every version run in this program
set -euo pipefail
case=$1 cc=$2 source=$3 program=$4 work=$5
stored=$source/tests/abi
rm -rf "$work"
mkdir -p "$work"

# library <include folder> <source> <file>: builds a shared library.
library() { "$cc" -std=c11 -g -O1 -shared -fPIC -fvisibility=hidden -I"$1" "$2" -o "$3"; }

case $case in
    same)
        for version in "$stored"/*/; do  # the folder must have exactly the files that SHA256SUMS names
            (cd "$version" && sha256sum --quiet --strict -c SHA256SUMS &&
                diff <(find . -type f ! -name SHA256SUMS | sort) <(cut -c67- SHA256SUMS | sort)) || {
                echo "WRONG: tests/abi/$(basename "$version") is frozen; docs/decisions/0010-interface-frozen.md has the rules"
                exit 1
            }
        done
        command -v abidiff >/dev/null || { echo "skipped: no abidiff (Debian package abigail-tools)"; exit 0; }
        newest=$(find "$stored" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort -V | tail -1)
        for type in $(grep -hoE '^} qapfw_[a-z_]+;' "$source"/sdk/include/qapfw/abi/*.h | tr -d '};'); do
            grep -q "SHOW($type)" "$stored/types.c" || { echo "WRONG: $type is missing in tests/abi/types.c"; exit 1; }
        done
        library "$stored/$newest/include" "$stored/types.c" "$work/stored.so"
        # Removes a member. abidiff must notice that.
        cp -r "$stored/$newest/include" "$work/changed"
        sed -i '/uint64_t best_search;/d' "$work/changed/qapfw/abi/solver.h"
        library "$work/changed" "$stored/types.c" "$work/changed.so"
        if abidiff "$work/stored.so" "$work/changed.so" >/dev/null; then echo "WRONG: abidiff misses a change"; exit 1; fi
        library "$source/sdk/include" "$stored/types.c" "$work/present.so"
        if ! abidiff "$work/stored.so" "$work/present.so"; then
            echo "WRONG: the C interface differs from the stored $newest; docs/decisions/0010-interface-frozen.md has the rules"
            exit 1
        fi
        echo "the C interface is $newest"
        ;;
    runs)
        for version in "$stored"/*/; do
            name=$(basename "$version")
            mkdir "$work/$name"
            library "$version/include" "$version/weighted_tardiness.c" "$work/$name/weighted_tardiness.qapfw.so"
            library "$version/include" "$version/minimal.c" "$work/$name/minimal.qapfw.so"
            cp "$version/jobs10.txt" "$version/tabu.toml" "$work/$name/"
            cd "$work/$name"
            "$program" plugin check weighted_tardiness.qapfw.so --set instance=jobs10.txt --only "problem weighted_tardiness"
            "$program" run tabu.toml --plugin-path . --set output.record=false --json | grep '"target_reached": *true' >/dev/null
            "$program" run --plugin-path . --set problem.plugin=minimal --set algorithm.plugin=minimal \
                --set run.iterations=3 --set output.record=false --json | grep '"best_cost": *0,' >/dev/null
            echo "plugins built for $name run"
        done
        ;;
esac

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# consume.sh <case> <source folder> <build folder> <work folder>: uses the installed SDK as a third party does. The
# cases are below. Run `install` first, since it installs the SDK for the other cases.
set -euo pipefail
case=$1 source=$2 build=$3 work=$4
prefix="$work/moved"  # the SDK was installed elsewhere first, and must not depend on that folder

# configure <folder> <build folder> [options...]: configures a project against the moved SDK. Plugins are compiled with
# -O1 only, because here compiling takes longer than running.
configure() {
    cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
        -DCMAKE_PREFIX_PATH="$prefix" "${@:3}"
}

# none <command...>: the command must find nothing. (bash ignores the failure of a plain "! command".)
none() { if "$@"; then echo "must find nothing: $*"; exit 1; fi; }

# copy <folder> <name>: copies a folder into the work folder, so that it is built outside the source tree.
copy() {
    rm -rf "${work:?}/$2"
    cp -r "$1" "$work/$2"
}

# Uses the emulated GPUs of the build tree, which compile kernels faster. Only the maximum cut plugin uses the installed
# emulated GPUs.
use_emulated_gpus_of_the_build() {
    local emulated="$build/tests/emulated_cuda"
    [ -e "$emulated/libcuda.so" ] || return 0
    export QAPFW_LIBCUDA="$emulated/libcuda.so" QAPFW_NVRTC="$emulated/libnvrtc.so" XDG_CACHE_HOME="$work/$case.cache"
}

case $case in
    install)
        rm -rf "$work"
        mkdir -p "$work/first"
        (cd "$build" && cpack -G TGZ -B "$work/first")
        tar -xf "$work"/first/qapfw-*.tar.gz -C "$work/first"
        mv "$work"/first/qapfw-*/ "$prefix"
        none grep -rlF "$work/first" "$prefix"
        none grep -rlF "$source" "$prefix/lib/cmake" "$prefix/share" "$prefix/include"
        test -f "$prefix/share/qapfw/template_plugin/CMakeLists.txt"
        test -f "$prefix/share/qapfw/configs/quickstart.toml"
        "$prefix/bin/qapfw" run quickstart --set problem.instance=tai12a --set output.record=false
        "$prefix/bin/qapfw" plugin list | tee "$work/plugins.txt"
        grep -q qap "$work/plugins.txt"
        grep -q tabu "$work/plugins.txt"
        ;;
    template)
        copy "$prefix/share/qapfw/template_plugin" template
        cd "$work/template"
        configure . build -DCMAKE_CXX_COMPILER=g++ -DCMAKE_UNITY_BUILD=ON
        cmake --build build
        use_emulated_gpus_of_the_build
        ctest --test-dir build --output-on-failure
        ;;
    solver_on_qap)
        plugins="$work/template/build"
        "$prefix/bin/qapfw" run "$prefix/share/qapfw/template_plugin/configs/qap.toml" --plugin-path "$plugins" \
            --set output.record=false --json | tee "$work/solver_on_qap.json"
        grep -q '"target_reached": *true' "$work/solver_on_qap.json"
        ;;
    plain_c)
        copy "$prefix/share/qapfw/plain_c_plugin" plain_c
        cd "$work/plain_c"
        configure . build
        cmake --build build
        ctest --test-dir build --output-on-failure
        ;;
    authors)
        copy "$source/tests/consume_sdk/authors" authors
        cd "$work/authors"
        # An author's source must stay short.
        while read -r name most; do
            lines=$(wc -l <"$name.cpp")
            [ "$lines" -le "$most" ] || { echo "authors/$name.cpp has $lines lines, at most $most were wanted"; exit 1; }
        done <<EOF
srflp 60
flow_shop 40
semi_assignment 50
late_acceptance 60
insertion_greedy 50
vnd 40
EOF
        configure . build
        cmake --build build --target all pack
        ctest --test-dir build --output-on-failure
        "$source/bench/flow_shop.sh" "$prefix/bin/qapfw" build 60
        # Installs a packed plugin as a user does, and removes it again.
        export XDG_DATA_HOME="$work/authors/data"
        "$prefix/bin/qapfw" plugin install build/packed/srflp-1.2.3-abi2-linux-x86_64.qapfw.so | tee installed
        grep -q 'with problem srflp' installed
        none grep -q 'not compared' installed
        "$prefix/bin/qapfw" run --set problem.plugin=srflp --set algorithm.plugin=tabu --iterations 10 --backend cpu --no-record
        "$prefix/bin/qapfw" plugin remove srflp
        none "$prefix/bin/qapfw" plugin remove srflp
        ;;
    maxcut | alignment)
        copy "$prefix/share/qapfw/${case}_plugin" "$case"
        cd "$work/$case"
        configure . build
        cmake --build build
        [ "$case" = maxcut ] || use_emulated_gpus_of_the_build
        ctest --test-dir build --output-on-failure
        ;;
    library)
        mkdir -p "$work/library"
        cp "$prefix/share/qapfw/examples/solve.c" "$work/library/"
        cd "$work/library"
        if command -v pkg-config >/dev/null; then
            PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --cflags --libs qapfw >flags
            # shellcheck disable=SC2046
            cc -std=c11 -Wall -Wextra -Werror solve.c $(cat flags) -o by_pkg_config
            LD_LIBRARY_PATH="$prefix/lib" ./by_pkg_config
        fi
        cat >CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.25)
project(solve LANGUAGES C)
find_package(qapfw REQUIRED)
add_executable(solve solve.c)
target_link_libraries(solve PRIVATE qapfw::qapfw)
EOF
        configure . build
        cmake --build build
        build/solve | tee answer.txt
        [ "$(grep -c ' s: ' answer.txt)" -ge 1 ] && [ "$(grep -c ' s: ' answer.txt)" -le 10 ]
        grep -qE '^cost [0-9.e+]+ \((cancelled|time_limit|optimal)\): ([0-9]+ ?){30}$' answer.txt
        ;;
    subdirectory)
        rm -rf "$work/subdirectory"
        mkdir -p "$work/subdirectory"
        cp -r "$source/sdk/template_plugin/src" "$source/sdk/template_plugin/device" "$work/subdirectory/"
        cat >"$work/subdirectory/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C CXX)
add_subdirectory("$source" qapfw)
qapfw_add_plugin(NAME linear_ordering
    SOURCES src/plugin.cpp src/linear_ordering.cpp src/instance.cpp src/iterated_swap.cpp src/island_ga.cpp
    DEVICE_SOURCES device/linear_ordering.cuh device/islands.hpp device/islands.cuh
    DEVICE_NAMESPACE linear_ordering::device_texts)
target_include_directories(qapfw-plugin-linear_ordering PRIVATE device)
target_compile_options(qapfw-plugin-linear_ordering PRIVATE -Wall -Wextra -Wpedantic -Werror)
EOF
        # The second compiler only checks that the headers compile without a warning, so its code is not optimised.
        compiler=$(command -v clang++ || command -v g++)
        configure "$work/subdirectory" "$work/subdirectory/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER="$compiler"
        cmake --build "$work/subdirectory/build"
        "$prefix/bin/qapfw" plugin check "$work/subdirectory/build/linear_ordering.qapfw.so" \
            --set "instance=$prefix/share/qapfw/template_plugin/instances/random12.lop"
        ;;
    wrong_version)
        rm -rf "$work/wrong_version"
        mkdir -p "$work/wrong_version"
        printf 'cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\nfind_package(qapfw-sdk 99 REQUIRED)\n' \
            >"$work/wrong_version/CMakeLists.txt"
        if configure "$work/wrong_version" "$work/wrong_version/build" >"$work/wrong_version/log" 2>&1; then
            echo "version 99 was accepted"
            exit 1
        fi
        grep -q 'compatible with requested version "99"' "$work/wrong_version/log"
        ;;
esac

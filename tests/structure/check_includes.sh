#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_includes.sh <compiler> <source folder> <file with lines "layer|include folder;include folder;...">
# For each layer, tries one or two headers that the layer may include, and some that it must not include. The include
# path is that of the layer's target. Also refuses relative includes that leave a folder: they bypass the include
# path.
set -euo pipefail
compiler=$1 source=$2 layers=$3
status=0

# compiles <header>: true if the header compiles with $flags.
compiles() { printf '#include "%s"\n' "$1" | "$compiler" -std=c++20 "${flags[@]}" -fsyntax-only -x c++ - 2>/dev/null; }

expect() {  # expect <layer> <may|must not> <header>
    if compiles "$3"; then found=may; else found="must not"; fi
    printf '%-12s %-8s include %s\n' "$1" "$found" "$3"
    if [ "$found" != "$2" ]; then
        echo "  WRONG: $1 $2 include $3"
        status=1
    fi
}

while IFS='|' read -r layer folders; do
    flags=()
    IFS=';' read -ra list <<<"$folders"
    for folder in "${list[@]}"; do [ -z "$folder" ] || flags+=("-I$folder"); done
    expect "$layer" may qapfw/abi/plugin.h
    case $layer in
        sdk) refused="common/nearest_names.hpp qapfw/kernels/philox.hpp framework/plugin/registry.hpp problems/qap/matrices.hpp plugins/tabu/searches.hpp" ;;
        kernels) refused="common/nearest_names.hpp framework/plugin/registry.hpp problems/qap/matrices.hpp plugins/tabu/searches.hpp" ;;
        problem) refused="framework/plugin/registry.hpp plugins/tabu/searches.hpp" ;;
        algorithm) refused="common/nearest_names.hpp framework/plugin/registry.hpp problems/qap/matrices.hpp plugins/local_search/two_opt.hpp" ;;
        framework) refused="framework/laboratory/study/study_file.hpp framework/cli/commands.hpp qapfw/kernels/philox.hpp problems/qap/matrices.hpp plugins/tabu/searches.hpp" ;;
        device) refused="problems/qap/matrices.hpp plugins/tabu/searches.hpp framework/config/config.hpp" ;;
    esac
    [ "$layer" = sdk ] || [ "$layer" = framework ] || expect "$layer" may qapfw/kernels/philox.hpp
    for header in $refused; do
        [ -e "$source/$header" ] || [ -e "$source/kernels/include/$header" ] || { echo "WRONG: no such header: $header"; status=1; }
        expect "$layer" "must not" "$header"
    done
done <"$layers"

if grep -rn '#include "\.\./' "$source"/{sdk,kernels,framework,problems,plugins} --include='*.[hc]*'; then
    echo "WRONG: an include climbs out of its folder"
    status=1
fi
exit $status

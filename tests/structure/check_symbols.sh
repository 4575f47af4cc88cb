#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_symbols.sh <library>...: checks that each library exports qapfw_plugin_entry and nothing else.
set -euo pipefail
[ $# -gt 0 ] || { echo "no library given"; exit 2; }
status=0
for library in "$@"; do
    symbols=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort | tr '\n' ' ')
    echo "$(basename "$library"): $symbols"
    if [ "$symbols" != "qapfw_plugin_entry " ]; then
        echo "$library: expected the one exported symbol qapfw_plugin_entry, found: ${symbols:-none}"
        status=1
    fi
done
exit $status

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Proposals per second of solver mapping on this machine's GPU and on one core, and whether both end with the same digest:
#   bench/gpu_mapping_rates.sh [BUILD]
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
qapfw=${1:-$root/build/release}/bin/qapfw

run() {  # graph target rounds backend: "million proposals a second, digest"
    "$qapfw" solve "$1" --distance "$2" --backend "$4" --threads 1 --no-record --json --set algorithm=mapping \
        --set algorithm.rounds="$3" --set algorithm.constructions=1 --iterations "$(($3 + 1))" --set device.start_on_cpu=false \
        2>/dev/null |
        awk -F'[:,"]+' '/^  "evaluations":/ {e = $3} /^  "seconds":/ {s = $3} /^  "digest":/ {d = $3}
                        END {if (s > 0) printf "%.1f %s", e / s / 1e6, d; else printf "0 none"}'
}

printf '%-34s %14s %14s  %s\n' 'graph onto target' 'GPU M prop/s' 'one core' 'digests'
while read -r graph target rounds; do
    read -r gpu gpu_digest <<<"$(run "$graph" "$target" "$rounds" cuda)"
    read -r cpu cpu_digest <<<"$(run "$graph" "$target" "$rounds" cpu)"
    same=DIFFERENT
    [ "$gpu_digest" != "$cpu_digest" ] || [ "$gpu_digest" = none ] || same="the same"
    printf '%-34s %14s %14s  %s\n' "$graph@$target" "$gpu" "$cpu" "$same"
done <<END
rgg2:8000 torus:20x20x20 40000
rgg3:64000 torus:40x40x40 8000
rgg2:4096 tree:4:16:64/1:10:100 20000
rgg3:1000000 torus:100x100x100 1000
END

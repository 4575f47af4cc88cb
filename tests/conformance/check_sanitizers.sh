#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_sanitizers.sh <program> <folder of sanitized libraries> <library without sanitizers>
# Checks that `plugin check --sanitize` restarts itself with the sanitizers' runtime and reports their findings.
set -uo pipefail
program=$1 folder=$2 plain=$3
status=0
unset LD_PRELOAD ASAN_OPTIONS UBSAN_OPTIONS QAPFW_LIBCUDA QAPFW_NVRTC

# says <code> <message> <library> [option...]: the check must end with this exit code and message.
says() {
    local said code
    said=$("$program" plugin check "${@:3}" 2>/dev/null)
    code=$?
    [ -n "$said" ] || said=$("$program" plugin check "${@:3}" 2>&1)
    if [ $code != "$1" ] || ! grep -qE -- "$2" <<<"$said"; then
        printf 'WRONG: code %s and "%s" were wanted, found code %s and:\n%s\n' "$1" "$2" $code "$said"
        status=1
    fi
}
says 8 '^ +AddressSanitizer: heap-buffer-overflow .*reads_beyond.c:[0-9]+ in evaluate_wrongly$' \
    "$folder/reads_beyond.qapfw.so" --sanitize --only "problem reads_beyond batch-is-single"
says 8 '^ +.*reads_beyond.c:[0-9:]+ runtime error: signed integer overflow' \
    "$folder/overflows.qapfw.so" --sanitize --only "problem reads_beyond batch-is-single"
says 0 '^pass +problem reads_beyond leaks-nothing' "$folder/sound.qapfw.so" --sanitize --only leaks-nothing
says 0 '^pass +library device-code-sanitized' "$folder/sound.qapfw.so" --sanitize --only leaks-nothing
QAPFW_NVRTC=libnvrtc.so says 0 'device code ran without sanitizers, because QAPFW_LIBCUDA or QAPFW_NVRTC is set; unset both' \
    "$folder/sound.qapfw.so" --sanitize --only leaks-nothing
says 2 'it was not compiled with -fsanitize=address; build it once more' "$plain" --sanitize
exit $status

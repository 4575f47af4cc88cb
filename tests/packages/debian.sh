#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# debian.sh <source folder> <build folder> <work folder>: makes the packages and installs them into an empty root.
set -euo pipefail
source=$1 build=$2 work=$3
# none <command...>: the command must find nothing. (bash ignores the failure of a plain "! command".)
none() { if "$@"; then echo "must find nothing: $*"; exit 1; fi; }
holds() { dpkg-deb -c "$1" | grep -E "$2"; }
command -v dpkg-deb >/dev/null || { echo "SKIPPED: no dpkg-deb"; exit 77; }
rm -rf "$work"
mkdir -p "$work/packages"
(cd "$build" && cpack -G DEB -B "$work/packages")
root="$work/root"
packages=("$work"/packages/qapfw_*.deb "$work"/packages/qapfw-dev_*.deb)

if [ "$(id -u)" -eq 0 ]; then
    # dpkg fails if both packages have the same file.
    mkdir -p "$root/etc" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info"
    touch "$root/var/lib/dpkg/status"
    dpkg --root="$root" --force-depends --force-script-chrootless --no-triggers --install "${packages[@]}"
    ldconfig -p -C "$root/etc/ld.so.cache" | grep 'libqapfw\.so\.1 '
else
    for package in "${packages[@]}"; do dpkg-deb -x "$package" "$root"; done
fi
dpkg-deb -f "${packages[0]}" Depends | grep 'libc6'
if grep -q '^QAPFW_STATIC_SQLITE:.*=OFF' "$build/CMakeCache.txt"; then dpkg-deb -f "${packages[0]}" Depends | grep 'libsqlite3-0'; fi
dpkg-deb -f "${packages[1]}" Depends | grep 'qapfw (= '
# The program comes without the SDK.
none holds "${packages[0]}" '/usr/(include|lib/cmake)/'
none holds "${packages[1]}" '/usr/bin/'
# The library belongs to the program's package. Files for compiling programs with it belong to the SDK's package.
holds "${packages[0]}" '/usr/lib/libqapfw\.so\.1 '
holds "${packages[1]}" '/usr/lib/libqapfw\.so '
holds "${packages[1]}" '/usr/include/qapfw/'
# No installed file contains a path of the source tree or the build.
none grep -rlF -e "$source" -e "$build" "$root/usr/share" "$root/usr/lib" "$root/usr/include"

export HOME="$work/home"
unset QAPFW_PLUGIN_PATH XDG_DATA_HOME
mkdir -p "$HOME"
cd "$HOME"
qapfw="$root/usr/bin/qapfw"
# The hashes are those of the installed files, which are stripped.
"$qapfw" --plugin-hashes "$root/usr/lib/qapfw/plugins-2" | cmp - "$root/usr/lib/qapfw/plugins-2/plugins.hashes"
test -z "$(QAPFW_DATA='' "$qapfw" 2>&1 >/dev/null)"
"$qapfw" | grep -F "$root/usr/share/doc/qapfw"
"$qapfw" run quickstart --set problem.instance=tai12a --set output.record=false --json | grep '"target_reached": *true'
"$qapfw" run qap/queens --set output.record=false --json | grep '"target_reached": *true'
for file in share/doc/qapfw/copyright share/doc/qapfw-dev/copyright share/doc/qapfw/guides/config.md share/man/man1/qapfw.1 \
            share/bash-completion/completions/qapfw; do
    test -s "$root/usr/$file"
done
if command -v python3 >/dev/null && python3 -c 'import tomllib' 2>/dev/null; then
    PYTHONPATH="$root/usr/lib/python3/dist-packages" QAPFW_PROGRAM=$qapfw \
        python3 -B -c 'import qapfw; print(qapfw.solve([[0, 1], [2, 0]], [[0, 3], [4, 0]], iterations=9).cost)' | grep -x 10
fi

# Makes a new plugin of each kind and carries out the steps that `qapfw plugin new` prints. A problem is also tested on
# an emulated GPU. Then `qapfw plugin list` must find the installed plugin without a path.
export XDG_DATA_HOME="$work/home/data" XDG_CACHE_HOME="$work/home/cache" CMAKE_GENERATOR=Ninja
for kind in problem solver improver; do
    options=()
    if [ "$kind" = problem ]; then options=(--device); fi
    "$qapfw" plugin new "$kind" "my_$kind" "${options[@]}" | tee steps
    none grep -rl '@name@\|@Name@\|@kind@\|@device' "my_$kind"
    (sed -n 's/^  //p' steps | bash -euo pipefail) | tee said
    grep 'Passed' said
    if [ "$kind" = problem ]; then grep 'runs_on_an_emulated_gpu .*Passed' said; fi
    cd "$HOME"
    "$qapfw" plugin list | grep "my_$kind"
    if "$qapfw" plugin new "$kind" "my_$kind" --out again 2>refusal; then exit 1; fi
    grep "the name my_$kind is taken: .*my_$kind.qapfw.so has a $kind of that name" refusal
done
# Without --device, a new problem has no device code.
"$qapfw" plugin new problem plain
test ! -e plain/device
none grep -ri 'device\|cuda' plain

# The template plugin finds the installed SDK. Here it is only configured; tests/consume_sdk builds and tests it.
cp -r "$root/usr/share/qapfw/template_plugin" plugin
cmake -S plugin -B plugin/build -G Ninja -DCMAKE_PREFIX_PATH="$root/usr"

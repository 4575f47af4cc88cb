#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bootstrap.sh <source folder>: checks which packages ./bootstrap installs, with a fake apt-get that installs nothing.
set -euo pipefail
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Imitates a machine that has only these commands, a user id of root, and an apt-get that prints the removals listed in
# $work/removals.
mkdir "$work/bin"
for tool in bash dirname cat sed mktemp paste nproc rm grep tail; do ln -s "$(command -v "$tool")" "$work/bin/$tool"; done
printf '#!/bin/bash\necho 0\n' >"$work/bin/id"
cat >"$work/bin/apt-get" <<'END'
#!/bin/bash
folder=$(dirname "$0")/..
case " $* " in
    *" -s "*)
        for word in "$@"; do sed -n "s/^$word: /Remv /p" "$folder/removals"; done ;;
    *" install "*) echo "$*" >>"$folder/installed" ;;
esac
END
chmod +x "$work/bin/id" "$work/bin/apt-get"
: >"$work/removals"
bootstrap() { PATH="$work/bin" "$work/bin/bash" ./bootstrap "$@"; }
fails() { if "$@"; then echo "must fail: $*"; exit 1; fi; }
holds() { grep -qF -- "$1" "$2" || { echo "wanted: $1; found:"; tail -n 20 "$2"; exit 1; }; }

echo "what is missing is installed, without removals"
fails bootstrap build >"$work/said" 2>&1  # the installer is a fake and installs nothing
holds "still missing after installation" "$work/said"
holds "--no-remove" "$work/installed"
packages=$(sed 's/.*--no-install-recommends //' "$work/installed")
for package in g++ cmake libboost-dev libsqlite3-dev; do [[ " $packages " == *" $package "* ]]; done
# A Boost of another version would conflict with the distribution's Boost.
fails grep -q 'libboost[0-9]' "$work/installed"

echo "nothing is installed where a package would be removed"
rm "$work/installed"
printf 'libboost-dev: python3-scipy [1.10.1-2]\nlibboost-dev: python3-pythran [0.11.0]\n' >"$work/removals"
fails bootstrap build >"$work/said" 2>&1
holds "bootstrap: installing libboost-dev would remove python3-scipy python3-pythran" "$work/said"
holds "nothing was installed" "$work/said"
test ! -e "$work/installed"

echo "the tools of the tests are installed, except those that conflict"
printf 'doxygen: my-doxygen [1]\n' >"$work/removals"
cat >"$work/tools.sh" <<END
set -euo pipefail
say() { :; }
$(sed -n '/^would_remove()/p; /^install_packages()/,/^}/p' bootstrap)
$(sed -n '/^have()/p; /^can_fuzz()/,/^}/p; /^install_tools()/,/^}/p' tests/run_all.sh)
install_tools
END
PATH="$work/bin" "$work/bin/bash" "$work/tools.sh" >"$work/said" 2>&1
holds "bootstrap: installing doxygen would remove my-doxygen" "$work/said"
holds "--no-remove" "$work/installed"
holds " clang" "$work/installed"
holds " python3-scipy" "$work/installed"
fails grep -q ' doxygen' "$work/installed"
packages+=" $(sed 's/.*--no-install-recommends //' "$work/installed" | paste -s -d ' ') doxygen doxygen-awesome-css"

echo "no apt-get install in the tree may remove packages"
for file in $(grep -rlE "apt-get (-[^ ]+ )*install -y" bootstrap tests sdk docs/guides); do
    case $file in */packages/bootstrap.sh) continue ;; esac
    if grep -E 'apt-get (-[^ ]+ )*install -y' "$file" | grep -v -- '--no-remove'; then echo "$file: wants --no-remove"; exit 1; fi
done

# Asks the real apt-get which packages it would install and remove on a machine that has SciPy and nothing else.
command -v apt-get >/dev/null && command -v apt-cache >/dev/null || { echo "SKIPPED: no apt"; exit 77; }
apt() { LC_ALL=C apt-get -s --no-install-recommends -o Dir::State::status="$work/status" "$@"; }
: >"$work/status"
if ! apt install python3-scipy python3-numpy >"$work/plan" 2>&1; then
    echo "SKIPPED: apt knows no python3-scipy (no package lists, or another distribution)"
    exit 77
fi
sed -nE 's/^Inst ([^ ]+) \(([^ ]+) .*/\1=\2/p' "$work/plan" | xargs apt-cache show --no-all-versions |
    sed 's/^\(Package: .*\)/\1\nStatus: install ok installed/' >"$work/installed-status"
mv "$work/installed-status" "$work/status"
echo "the packages can be installed beside SciPy"
# shellcheck disable=SC2086  # a list of words
apt install $packages >"$work/plan" 2>&1 || { tail -n 20 "$work/plan"; exit 1; }
holds "python3-scipy is already the newest version" "$work/plan"
holds "Inst doctest-dev" "$work/plan"
if grep '^Remv' "$work/plan"; then exit 1; fi
echo "a Boost of another version would remove SciPy: the test can fail"
if apt install libboost1.81-dev >"$work/plan" 2>&1; then holds "Remv python3-scipy" "$work/plan"; fi

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# site.sh <version> <output folder>: the documents and the API reference as one static site, in <output folder>/html.
# Fails if a public symbol of the SDK is not documented (docs/site/Doxyfile says which are public) or a link is dead.
# Needs doxygen and python3. With doxygen-awesome-css the site looks better. Debian's packages have these names.
set -euo pipefail
[ $# -eq 2 ] || { echo "usage: site.sh <version> <output folder>" >&2; exit 2; }
version=$1
mkdir -p "$2"
out=$(realpath "$2")
cd "$(dirname "$0")/../.."
rm -rf "$out/pages" "$out/html" "$out/xml"
python3 -B docs/tools/site.py stage . "$out/pages"
style=/usr/share/doxygen-awesome-css
{
    cat docs/site/Doxyfile
    printf 'PROJECT_NUMBER = %s\nINPUT = "%s" docs/site/namespaces.dox sdk/include kernels/include\nOUTPUT_DIRECTORY = "%s"\nHTML_OUTPUT = html\nIMAGE_PATH = docs/guides\n' \
        "$version" "$out/pages" "$out"
    printf 'USE_MDFILE_AS_MAINPAGE = "%s"\nWARN_LOGFILE = "%s"\n' "$out/pages/index.md" "$out/warnings.txt"
    if [ -f "$style/doxygen-awesome.css" ]; then
        printf 'HTML_EXTRA_STYLESHEET = %s/doxygen-awesome.css docs/site/site.css\n' "$style"
    else
        printf 'HTML_EXTRA_STYLESHEET = docs/site/site.css\n'
    fi
} | doxygen -
if [ -s "$out/warnings.txt" ]; then
    cat "$out/warnings.txt"
    exit 1
fi
python3 -B docs/tools/site.py symbols "$out/xml"
python3 -B docs/tools/site.py check "$out/html"

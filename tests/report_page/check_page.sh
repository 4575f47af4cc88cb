#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_page.sh <qapfw>: makes the report of a small study and opens it in a browser without a screen. Every plot must
# be drawn, the console must stay empty, and the page must load nothing. Skipped without chromium.
set -euo pipefail
qapfw=$1
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "skipped: no chromium is installed"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >small.toml <<'TOML'
title = "A page </script> with everything & more @SCRIPT@"
seeds = 4
notes = ["One note.", "See @UPLOT@ and @DATA@.", "<img src='data:,' onerror='document.body.dataset.attacked = 1'>"]
[run]
iterations = 40
threads = 1
[device]
backend = "cpu"
[[instances]]
names = ["tai20a", "tai20b", "queens8"]
set = { problem.plugin = "qap" }
[[instances]]
names = ["F40"]
set = { problem.plugin = "uaflp", run.iterations = 5 }
[[algorithms]]
name = "random"
set = { algorithm.plugin = "random_restart", run.evaluations = 20000 }
[[algorithms]]
name = "tabu"
instances = ["tai*", "queens8"]
set = { algorithm.plugin = "tabu" }
[[sweep]]
key = "algorithm.searches"
values = [1, 2]
algorithms = ["tabu"]
[[sweep]]
key = "algorithm.tenure"
values = ["n", "2n"]
algorithms = ["tabu"]
[[section]]
kind = "tournament"
rounds = [2, 4, 8]
threads = [32, 128]
[[section]]
kind = "speedup"
single = "tabu searches=1 tenure=n"
parallel = ["tabu searches=2 tenure=n"]
p = [2]
[[section]]
kind = "quality_time"
cpu = "random"
gpu = "tabu"
TOML
"$qapfw" study run small.toml --quiet
# Two harmful drawings next to the program's own drawings: a valid SVG, and an SVG with text behind its closing tag.
attack="document.body.dataset.attacked = 1"
for run in runs/small/runs/*F40*/s*; do
    cat >"$run/valid.svg" <<SVG
<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="top.$attack"><script>top.$attack</script>
<rect width="40" height="30" fill="#c33"/><image href="data:," onerror="top.$attack"/></svg>
SVG
    echo "<svg></svg><img src=\"data:,\" OnError=\"$attack\">" >"$run/wrong.svg"
done
"$qapfw" study report runs/small >/dev/null
page=$work/runs/small/report.html
"$browser" --headless --no-sandbox --disable-gpu --enable-logging=stderr --v=0 --virtual-time-budget=20000 \
    --user-data-dir="$work/profile" --dump-dom "file://$page" >dom.html 2>console.txt

fail() { echo "FAILED: $1"; exit 1; }
body=$(grep -o '<body[^>]*>' dom.html)
plots=$(sed -nE 's/.*data-plots="([0-9]+)".*/\1/p' <<<"$body")
drawn=$(sed -nE 's/.*data-drawn="([0-9]+)".*/\1/p' <<<"$body")
[ "${plots:-0}" -ge 15 ] || fail "at least 15 plots are wanted: $body"
[ "$plots" = "$drawn" ] || fail "$drawn of $plots plots are drawn: $body"
grep -q 'data-errors="0"' <<<"$body" || fail "the page reports errors: $body"
grep -q 'data-clipped="0"' <<<"$body" || fail "labels leave their drawings: $body"
grep -q '…' dom.html && fail "a label is cut"
if grep 'CONSOLE' console.txt; then fail "the console is not empty"; fi
grep -q '<p class="axis-label">Upwards: fraction of' dom.html || fail "a label longer than its axis stands above the drawing"
grep -q '<canvas' dom.html || fail "no curve is drawn"
grep -q '<rect' dom.html || fail "no box is drawn"
[ "$(grep -o '<title>tabu searches=1 tenure=n, tai20[ab]: [-0-9.e]*</title>' dom.html | wc -l)" -eq 8 ] ||
    fail "bars of NQ, NT, QTR and PQI on two instances are wanted"
grep -q 'data-images="3"' <<<"$body" || fail "three drawings are wanted, the layout, its flows and a valid one: $body"
grep -q 'data-broken="1"' <<<"$body" || fail "a drawing that is no SVG is wanted: $body"
grep -q 'data-attacked' <<<"$body" && fail "text of a record ran in the page"
grep -q 'See @UPLOT@ and @DATA@\.' dom.html || fail "a note with marks of the template is lost"
# CSV files saved by the page follow the program's rule: a text that a spreadsheet would take for a formula gets an
# apostrophe in front.
{
    echo '<!doctype html><meta charset="utf-8"><body><pre id="out"></pre><script>'
    sed -n '/<script>/d; /^const isFormula/,/^}/p' "$page"
    cat <<'JS'
const texts = ["plain", "=1+1", "+x", "-x", "@a", "-1.5", "+2e-3", "T+1", "a,b", "#1", "'=1", "\uff1d1", 'say "so"'];
document.getElementById("out").textContent = texts.map(csvField).join("|");
</script>
JS
} >csv.html
"$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --dump-dom "file://$work/csv.html" \
    >csv_dom.html 2>/dev/null
saved="plain|'=1+1|'+x|'-x|'@a|-1.5|+2e-3|T+1|\"a,b\"|\"#1\"|''=1|'＝1|\"say \"\"so\"\"\""
grep -qF ">$saved<" csv_dom.html || fail "CSV of the page: $(grep -o '<pre.*</pre>' csv_dom.html)"
# Nothing is loaded: the policy forbids it, and nothing on the page requests it.
grep -q "default-src 'none'" "$page" || fail "the page has no policy that forbids loading"
grep -q "unsafe-inline" "$page" && fail "the page's policy lets any script run"
if grep -oE '(src|href)="(https?:)?//[^"]*"' dom.html; then fail "the page names something to load"; fi
echo "$drawn plots drawn"

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/guides/mapping-cost.svg: cost over user seconds of `qapfw solve` on one thread, beside the variants of Scotch.

Usage: docs/tools/mapping_picture.py build/release/bin/qapfw     (needs Debian's package scotch; some two minutes)
"""
import os
import runpy
import subprocess
import sys
import tempfile
from html import escape
from math import log10
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PEER = runpy.run_path(str(ROOT / "bench/compare_with_scotch.py"))
CASES = [("rgg2:8000", "torus:20x20x20"), ("rgg3:8000", "torus:20x20x20"), ("regular:8000:8", "torus:20x20x20"), ("rgg2:4096", "tree:4:16:64/1:10:100")]
ROUNDS = [100, 600, 3000, 16000, 60000]
STYLE = """<style>
.paper { fill: #fff } .axis { stroke: #889 } .grid { stroke: #e4e6ea } text { fill: #222 } .small { font-size: 11px; fill: #555 }
.ours { stroke: #2a6fb0; stroke-width: 2; fill: none } .dot { fill: #2a6fb0 } .peer { fill: #c0392b }
</style>"""
LEFT, TOP, WIDTH, HEIGHT, GAP = 56, 46, 216, 190, 40
LEAST, MOST, LOW, HIGH = 0.01, 10, 0.68, 1.22  # limits of the axes: user seconds, cost divided by Scotch's


def measured(program, name, spec):
    """Our points and Scotch's: user seconds, cost divided by Scotch's least cost."""
    with tempfile.TemporaryDirectory() as folder:
        graph = os.path.join(folder, "g.graph")
        subprocess.run([program, "instance", "export", name, "--problem", "sparse_qap", "--set", f"distance={spec}", "-o", graph],
                       check=True, capture_output=True)
        theirs = PEER["variants"](PEER["read_metis"](graph), spec, folder)
        least = min(theirs)[0]
        own = [PEER["ours"](program, graph, spec, ["--iterations", str(rounds + 1)], 1) for rounds in ROUNDS]
    return [(s, c / least) for c, s in own], [(s, c / least) for c, s in theirs]


def panel(left, title, own, theirs):
    def x(seconds):
        return left + WIDTH * (log10(min(max(seconds, LEAST), MOST)) - log10(LEAST)) / (log10(MOST) - log10(LEAST))

    def y(cost):
        return TOP + HEIGHT * (HIGH - min(cost, HIGH)) / (HIGH - LOW)
    parts = [f'<text x="{left + WIDTH / 2:.0f}" y="{TOP - 12}" text-anchor="middle">{escape(title)}</text>']
    for seconds in (0.01, 0.1, 1, 10):
        parts += [f'<line class="grid" x1="{x(seconds):.1f}" y1="{TOP}" x2="{x(seconds):.1f}" y2="{TOP + HEIGHT}"/>',
                  f'<text class="small" x="{x(seconds):.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{seconds:g} s</text>']
    for cost in (0.7, 0.8, 0.9, 1.0, 1.1, 1.2):
        parts += [f'<line class="{"axis" if cost == 1 else "grid"}" x1="{left}" y1="{y(cost):.1f}" x2="{left + WIDTH}" y2="{y(cost):.1f}"/>',
                  f'<text class="small" x="{left - 6}" y="{y(cost) + 4:.1f}" text-anchor="end">{cost:g}</text>']
    parts.append('<polyline class="ours" points="' + " ".join(f"{x(s):.1f},{y(c):.1f}" for s, c in own) + '"/>')
    parts += [f'<circle class="dot" cx="{x(s):.1f}" cy="{y(c):.1f}" r="4"><title>qapfw: {s:.2f} s, {c:.3f}</title></circle>' for s, c in own]
    parts += [f'<rect class="peer" x="{x(s) - 4:.1f}" y="{y(c) - 4:.1f}" width="8" height="8"><title>Scotch: {s:.2f} s, {c:.3f}</title></rect>'
              for s, c in theirs]
    return parts


def main():
    width, height = LEFT + len(CASES) * (WIDTH + GAP), TOP + HEIGHT + 62
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
             f'font-family="DejaVu Sans, Arial, sans-serif" font-size="13">', STYLE, f'<rect class="paper" width="{width}" height="{height}"/>']
    for k, (name, spec) in enumerate(CASES):
        own, theirs = measured(sys.argv[1], name, spec)
        print(name, spec, "ours", own, "Scotch", theirs, flush=True)
        parts += panel(LEFT + k * (WIDTH + GAP), f"{name} on {spec.split('/')[0]}", own, theirs)
    parts += [f'<circle class="dot" cx="{LEFT + 4}" cy="{height - 14}" r="4"/>',
              f'<text class="small" x="{LEFT + 14}" y="{height - 10}">qapfw, one thread, 100 to 60,000 rounds</text>',
              f'<rect class="peer" x="{LEFT + 290}" y="{height - 18}" width="8" height="8"/>',
              f'<text class="small" x="{LEFT + 304}" y="{height - 10}">Scotch, four variants; 1 is the cheapest of them, lower is better</text>',
              "</svg>", ""]
    (ROOT / "docs/guides/mapping-cost.svg").write_text("\n".join(parts))


if __name__ == "__main__":
    main()

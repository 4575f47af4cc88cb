#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of the Python guide: runs the four examples and writes docs/guides/python-*.svg from what they found.

Usage: QAPFW_LIBRARY=build/release/lib/libqapfw.so.1 docs/tools/python_pictures.py
"""
import runpy
import sys
from html import escape
from math import cos, pi, sin
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STYLE = """<style>
.paper { fill: #fff } .box { fill: #dce9f7; stroke: #667 } .set { fill: #f6e7c8; stroke: #667 }
.free { fill: #f4f4f4; stroke: #aaa; stroke-dasharray: 4 3 } .table { fill: #eef4ea; stroke: #667 }
.likes { stroke: #2a7d3c } .rivals { stroke: #c0392b; stroke-dasharray: 5 3 } .flow { stroke: #4a6fa5; stroke-opacity: 0.5; fill: none }
.edge { stroke: #4a6fa5; stroke-opacity: 0.35 } .lost { stroke: #c0392b } text { fill: #222; text-anchor: middle } .small { font-size: 11px; fill: #555 }
</style>"""


def page(width, height, parts):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans, Arial, sans-serif" font-size="14">', STYLE,
                      f'<rect class="paper" width="{width}" height="{height}"/>', *parts, "</svg>", ""])


def box(x, y, width, height, kind):
    return f'<rect class="{kind}" x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="5"/>'


def text(x, y, words, kind=""):
    return f'<text x="{x:.0f}" y="{y:.0f}"{kind and f" class={chr(34)}{kind}{chr(34)}"}>{escape(words)}</text>'


def line(p, q, kind, width=1.0):
    return (f'<line class="{kind}" x1="{p[0]:.1f}" y1="{p[1]:.1f}" x2="{q[0]:.1f}" y2="{q[1]:.1f}" '
            f'stroke-width="{width:.1f}"/>')


def keyboard(found):
    parts = []
    for key, (x, row) in found["KEYS"].items():
        letter = found["letter_at"].get(key)
        left, top = 20 + 52 * x, 20 + 52 * row
        parts += [box(left, top, 46, 46, "free" if letter is None else "set" if letter == key and key in "zxcv" else "box"),
                  text(left + 23, top + 28, letter or "")]
    return page(600, 190, parts + [text(300, 184, "yellow: keys that were fixed; dashed: keys that stay free", "small")])


def seating(found):
    place, parts = {}, []
    for table, middle in zip("AB", (150, 450)):
        parts.append(f'<circle class="table" cx="{middle}" cy="150" r="62"/>')
        parts.append(text(middle, 155, "table " + table))
        for chair in range(6):
            angle = pi * (chair / 3 - 0.5)
            place[f"{table}{chair + 1}"] = (middle + 100 * cos(angle), 150 + 100 * sin(angle))
    chair_of = found["result"].assignment
    for (a, b), much in found["LIKES"].items():
        parts.append(line(place[chair_of[a]], place[chair_of[b]], "likes" if much > 0 else "rivals", abs(much) / 1.5))
    for chair, (x, y) in place.items():
        guest = found["guest_on"].get(chair)
        parts += [box(x - 27, y - 15, 54, 30, "free" if guest is None else "set" if guest == "Ada" else "box"),
                  text(x, y + 5, guest or "")]
    return page(600, 310, parts + [text(300, 302, "green: like each other; red: rivals; yellow: Ada, who was fixed", "small")])


def graph_matching(found):
    """The known people and 30 more, in both networks: an edge of one network alone is red."""
    people = list(range(40))
    other = [int(found["result"].col_ind[i]) for i in people]
    parts = []
    for network, middle in ((0, 150), (1, 450)):
        at = [(middle + 120 * cos(2 * pi * i / 40), 140 + 120 * sin(2 * pi * i / 40)) for i in people]
        for i in people:
            for j in range(i):
                edges = found["first"][i][j], found["second"][other[i]][other[j]]
                if edges[network]:
                    parts.append(line(at[i], at[j], "edge" if edges[1 - network] else "lost"))
        parts += [f'<circle class="{"set" if i < found["SEEDS"] else "box"}" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'
                  for i, (x, y) in enumerate(at)]
    words = "40 of the 200 people as they were matched; yellow: known before; red: in one network alone"
    return page(600, 300, parts + [text(300, 292, words, "small")])


def wards(found):
    corner, parts, boxes, words = {}, [], [], []
    for floor, rooms in found["FLOORS"].items():
        top = 30 + 95 * (2 - floor)
        words.append(text(40, top + 38, f"floor {floor}"))
        for place, room in enumerate(rooms):
            left, ward = 90 + 170 * place, found["ward_in"].get(room)
            corner[room] = (left + 77, top + 32)
            boxes.append(box(left, top, 155, 64, "free" if ward is None else "set" if ward == "Emergency" else "box"))
            words += [text(left + 77, top + 29, ward or ""), text(left + 77, top + 50, room, "small")]
    room_of = found["result"].assignment
    for (a, b), ways in found["WAYS"].items():
        (x, y), (to_x, to_y) = corner[room_of[a]], corner[room_of[b]]
        up, left = 90 if y == to_y else 0, 90 if x == to_x and abs(y - to_y) > 95 else 0
        parts.append(f'<path class="flow" stroke-width="{ways / 6:.1f}" '
                     f'd="M{x:.0f} {y:.0f} Q{(x + to_x) / 2 - left:.0f} {(y + to_y) / 2 - up:.0f} {to_x:.0f} {to_y:.0f}"/>')
    return page(620, 330, boxes + parts + words +
                [text(310, 322, "the lines: ways a day; yellow: fixed; dashed: empty", "small")])


def main():
    sys.path.insert(0, str(ROOT / "python"))
    for draw in keyboard, seating, graph_matching, wards:
        name = draw.__name__
        found = runpy.run_path(str(ROOT / "python/examples" / (name + ".py")))
        (ROOT / "docs/guides" / f"python-{name.replace('_', '-')}.svg").write_text(draw(found), encoding="utf-8")


if __name__ == "__main__":
    main()

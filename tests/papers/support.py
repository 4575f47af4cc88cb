# SPDX-License-Identifier: Apache-2.0
"""What the tests of bench/papers share: its modules on the path, a folder for each test, a program in qapfw's place."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAPERS = ROOT / "bench/papers"
sys.path.insert(0, str(PAPERS))

# Each run of seed s costs 100 + s and takes s seconds; it writes the record that qapfw writes, counts its calls and
# keeps the settings of the last one.
# Instance "broken" fails, and "cut" is ended by a signal in its second run.
PROGRAM = """#!{python} -SE
import json, pathlib, sys
words = sys.argv[1:]
option = lambda name: words[words.index(name) + 1]
settings = dict(word.split("=", 1) for word in words if "=" in word)
out, first, count = pathlib.Path(option("--out")), int(option("--seed")), int(option("--runs"))
with open(pathlib.Path(__file__).with_name("calls"), "a") as calls:
    calls.write(f"{{first}} {{count}}\\n")
pathlib.Path(__file__).with_name("settings").write_text(json.dumps(settings))
if settings["problem.instance"] == "broken":
    sys.exit("error: it is broken")
for seed in range(first, first + count):
    folder = out / f"s{{seed}}" if count > 1 else out
    folder.mkdir(parents=True)
    cut = settings["problem.instance"] == "cut" and seed > first
    (folder / "result.json").write_text(json.dumps(dict(
        finished=not cut, signal=None, error=None, seed_text=str(seed), best_cost=100 + seed, best_known=100,
        gap=seed / 100, seconds=float(seed), iterations=10 * seed, best_found=dict(iteration=seed),
        target_reached=seed < 3, stop_reason="target", backend="cpu", devices=[], threads=2)))
    if cut:
        sys.exit(143)
"""


class FolderTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def program(self):
        (self.folder / "bin").mkdir(exist_ok=True)
        path = self.write("bin/qapfw", PROGRAM.format(python=sys.executable))
        path.chmod(0o755)
        return path

    def calls(self):
        return (self.folder / "bin/calls").read_text(encoding="utf-8").split("\n")[:-1]

    def settings(self):
        return json.loads((self.folder / "bin/settings").read_text(encoding="utf-8"))

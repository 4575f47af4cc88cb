#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: study_scale.py <qapfw> [runs]: measures a finished study of `runs` runs (default 10000). How long does qapfw
take to see that no run is left, to index the study and to report it? How long does a browser take to open the report?
One seed of each cell is run; the records of the other seeds are copies with other costs and times."""

import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CELLS = 100
STUDY = """title = "Many runs"
seeds = {seeds}
[problem]
plugin = "qap"
[run]
iterations = {iterations}
threads = 1
[device]
backend = "cpu"
[[instances]]
names = ["tai10a", "tai12a", "tai15a", "tai17a", "tai20a", "tai10b", "tai12b", "tai15b", "tai20b", "tai25b"]
[[algorithms]]
name = "tabu"
set = {{ algorithm.plugin = "tabu", algorithm.searches = 1 }}
[[sweep]]
key = "algorithm.tenure"
values = ["n/2", "n", "2n", "3n", "4n", "5n", "6n", "7n", "8n", "9n"]
"""


def timed(what, command, **options):
    begin = time.monotonic()
    ended = subprocess.run(command, check=True, **options)
    seconds = time.monotonic() - begin
    print(f"{what:<44} {seconds:7.2f} s", flush=True)
    return seconds, ended


def copy_record(source, seed, draws):
    """A copy of the record for another seed, with costs and times changed a little."""
    target = source.parent / f"s{seed}"
    target.mkdir()
    config = (source / "config.toml").read_text()
    (target / "config.toml").write_text(re.sub(r"(?m)^seed = 1$", f"seed = {seed}", config))
    result = json.loads((source / "result.json").read_text())
    factor = draws.uniform(0.9, 1.1)
    more = draws.randrange(1000)
    result["seed"], result["seed_text"] = seed, str(seed)
    result["seconds"] *= factor
    result["best_cost"] += more
    result["best_cost_text"] = result["cost_space"]["best_raw"] = str(result["best_cost"])
    (target / "result.json").write_text(json.dumps(result))
    head, *points = (source / "trace.jsonl").read_text().splitlines()
    lines = [head]
    for point in points:
        values = json.loads(point)
        values["seconds"] *= factor
        values["cost"] += more
        values["cost_text"] = str(values["cost"])
        lines.append(json.dumps(values))
    (target / "trace.jsonl").write_text("\n".join(lines) + "\n")


def open_page(page, work):
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        print("skipped: no chromium is installed")
        return
    # Opens an empty page first, so that the time to start the browser does not count.
    empty = work / "empty.html"
    empty.write_text("<!doctype html><title>empty</title>")
    seconds = []
    for name in (empty, page):
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={work}/profile",
                   "--timeout=60000", "--dump-dom", f"file://{name}"]
        subprocess.run(command, check=True, capture_output=True)  # not timed: brings the browser's files into memory
        seconds.append(timed(f"browser, {name.name}", command, capture_output=True))
    body = re.search(r"<body[^>]*>", seconds[1][1].stdout.decode()).group(0)
    print(f"opening the page{'':<28} {seconds[1][0] - seconds[0][0]:7.2f} s  {body}")


def main(words):
    binary = Path(words[0]).resolve()
    runs = int(words[1]) if len(words) > 1 else 10000
    seeds = max(1, runs // CELLS)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        study = work / "many.toml"
        study.write_text(STUDY.format(seeds=seeds, iterations=300))
        command = [binary, "study", "run", study, "--quiet", "--jobs", "2", "--work", work / "many"]
        timed("one seed of each cell", [*command, "--seeds", "1"])
        begin = time.monotonic()
        draws = random.Random(1)
        for cell in sorted((work / "many/runs").iterdir()):
            for seed in range(2, seeds + 1):
                copy_record(cell / "s1", seed, draws)
        print(f"{seeds * CELLS} records{'':<31} {time.monotonic() - begin:7.2f} s")
        timed("finding all runs done", command)
        first, _ = timed("first report", [binary, "study", "report", work / "many"], stdout=subprocess.DEVNULL)
        again, _ = timed("second report", [binary, "study", "report", work / "many"], stdout=subprocess.DEVNULL)
        print(f"indexing, their difference{'':<18} {first - again:7.2f} s")
        page = work / "many/report.html"
        print(f"page of {page.stat().st_size / 1e6:.1f} MB")
        open_page(page, work)


if __name__ == "__main__":
    main(sys.argv[1:])

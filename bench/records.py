#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Improves the lists docs/records/qap.csv and layouts.csv: looks for better solutions and merges them into the lists.

records.py run BUILD DATA OUT.jsonl [options] PATTERN...   solves the instances of DATA whose file matches a pattern, such as
                                                    isa/* or qaplib/tai?0a.dat, and appends one line a run to OUT.jsonl
    --backend cpu|cuda  --seconds S  --seeds 1,2,3  --jobs J  --threads T  --structure bays|slicing  --host "one NVIDIA H100"
    --set KEY=VALUE (repeated: further settings of the runs)     --limit S: starts no run that would end after S seconds
    With cuda each job has a GPU of its own: job k uses GPU k.
records.py merge DATA OUT.jsonl...                  puts into the lists each solution that is better than the row in the
                                                    list, or as good and found sooner. Then makes the files again that
                                                    are derived from the lists: the table of docs/records/README.md and
                                                    the built-in values (recorded_values.inc of qap and uaflp)
"""
import argparse
import csv
import datetime
import json
import os
import pathlib
import queue
import shlex
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDS = ROOT / "docs" / "records"
COLUMNS = ["instance", "kind", "n", "cost", "published", "status", "fingerprint", "seconds", "host", "date", "command", "solution"]


def instances(data, patterns):
    out = []
    for pattern in patterns:
        out += [path for path in sorted(pathlib.Path(data).glob(pattern)) if path.suffix in (".dat", ".json")]
    return [path for path in out if path.stem != "verified_solutions"]


def command_of(path, seed, options, iterations=None):
    words = ["qapfw", "solve", path.stem, "--backend", options.backend, "--seed", str(seed)]
    if options.structure == "bays":
        words += ["--set", "problem.structure=bays"]
    for setting in options.set:
        words += ["--set", setting]
    if iterations is not None:
        words += ["--iterations", str(iterations)]
    return words


def solve(path, seed, options, gpu):
    environment = dict(os.environ, QAPFW_DATA=options.data)
    if options.backend == "cuda":
        environment.setdefault("CUDA_VISIBLE_DEVICES", str(gpu))
    words = command_of(path, seed, options)
    words[0] = str(pathlib.Path(options.build) / "bin" / "qapfw")
    words += ["--json", "--no-record", "--threads", str(options.threads), "--time-limit", f"{options.seconds}s"]
    words[2] = str(path)
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        print(f"{path.stem} seed {seed}: exit code {done.returncode}: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    answer = json.loads(done.stdout)
    found = answer["best_found"]
    command = command_of(path, seed, options, found["iteration"])
    return {
        "instance": path.stem, "kind": "QAP" if path.suffix == ".dat" else options.structure, "n": answer["n"],
        "cost": answer["best_cost_text"], "known": answer["best_known_text"], "optimal": answer["optimal"],
        "fingerprint": answer["instance_fingerprint"], "seconds": round(found["seconds"], 2), "host": options.host,
        "date": datetime.date.today().isoformat(), "command": shlex.join(command), "solution": answer["solution"],
    }


def run(options):
    waiting, lock, begin = queue.Queue(), threading.Lock(), time.monotonic()
    for seed in options.seeds.split(","):
        for path in instances(options.data, options.patterns):
            waiting.put((path, int(seed)))

    def work(job):
        while time.monotonic() - begin + options.seconds < options.limit:
            try:
                path, seed = waiting.get_nowait()
            except queue.Empty:
                return
            row = solve(path, seed, options, job)
            if row is None:
                continue
            with lock, open(options.out, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
                print(f"{row['instance']} {row['kind']} seed {seed}: {row['cost']} (known {row['known']}) after {row['seconds']} s", flush=True)

    threads = [threading.Thread(target=work, args=(job,)) for job in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def published(data):
    """The values that the data's tables state: {(instance, kind): (value, status)}."""
    out = {}
    for path in sorted(pathlib.Path(data).glob("*/best_known*.csv")):
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if "best_known_fbs_cost" in row:
                    out[row["instance"], "bays"] = (row["best_known_fbs_cost"], row["status"])
                elif "best_known_slicing_cost" in row:
                    out[row["instance"], "slicing"] = (row["best_known_slicing_cost"], row["source"])
                else:
                    out[row["instance"], "QAP"] = (row["best_known"], row["status"])
    return out


def text_of(solution):
    """Returns a solution as text: segments separated by ';'. The first is a permutation, and its numbers start at 1."""
    segments = solution if isinstance(solution[0], list) else [solution]
    shifts = [1] + [0] * (len(segments) - 1)
    return ";".join(" ".join(str(value + shift) for value in part) for part, shift in zip(segments, shifts))


def merge(options):
    known = published(options.data)
    lists = []
    for name, kinds in (("qap.csv", ["QAP"]), ("layouts.csv", ["bays", "slicing"])):
        rows = {}
        path = RECORDS / name
        if path.exists():
            with open(path, encoding="utf-8", newline="") as file:
                rows = {(row["instance"], row["kind"]): row for row in csv.DictReader(file)}
        for raw in options.raw:
            with open(raw, encoding="utf-8") as file:
                for line in file:
                    take(json.loads(line), kinds, known, rows)
        lists.append([rows[key] for key in sorted(rows)])
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(lists[-1])
    write_values(*lists)
    write_page(lists[0] + lists[1])


def take(run_row, kinds, known, rows):
    if run_row["kind"] not in kinds:
        return
    key = run_row["instance"], run_row["kind"]
    old = rows.get(key)
    better = old is None or float(run_row["cost"]) < float(old["cost"])
    sooner = old is not None and run_row["cost"] == old["cost"] and run_row["seconds"] < float(old["seconds"])
    if not better and not sooner:
        return
    value, status = known.get(key, ("", ""))
    rows[key] = {column: run_row.get(column, "") for column in COLUMNS}
    rows[key].update(published=value, status=status_of(run_row, value, status), solution=text_of(run_row["solution"]))


def status_of(run_row, value, status):
    """Compares a cost with the published value. Returns optimal, new (nothing was published), better, equal or above.
    Published values of layouts are rounded, so small differences count as equal."""
    cost = float(run_row["cost"])
    if value == "":
        return "new"
    digits = len(value.partition(".")[2])
    small = 0 if run_row["kind"] == "QAP" else max(0.5 * 10**-digits, 1e-5 * float(value))
    if abs(cost - float(value)) <= small:
        return "optimal" if run_row["optimal"] or status.startswith("optimal") else "equal"
    return "better" if cost < float(value) else "above"


def write_values(qap, layouts):
    """Writes the values that the program knows without a file: those of layouts, and of QAPs that are not in QAPLIB."""
    with open(ROOT / "problems/qap/instances/best_known_values.cpp", encoding="utf-8") as file:
        named = {line.split('"')[1] for line in file if line.startswith('    {"')}
    head = "// SPDX-License-Identifier: Apache-2.0\n// Values of docs/records, written by bench/records.py.\n"
    with open(ROOT / "problems/qap/instances/recorded_values.inc", "w", encoding="utf-8") as file:
        file.write(head)
        for row in qap:
            if row["instance"] not in named and row["status"] != "above":
                optimal = "true" if row["status"] == "optimal" else "false"
                file.write(f'{{"{row["instance"]}", {row["n"]}, {row["cost"]}, {optimal}, 0x{row["fingerprint"]}u, kRecords, '
                           f'"{row["date"]}"}},\n')
    with open(ROOT / "problems/uaflp/recorded_values.inc", "w", encoding="utf-8") as file:
        file.write(head)
        for row in layouts:
            if row["status"] != "above":
                file.write(f'{{0x{row["fingerprint"]}u, {row["cost"]}, "{row["date"]}"}},  // {row["instance"]}, {row["kind"]}\n')


def write_page(rows):
    """Writes the table of the page docs/records/README.md, between two marks: the records that are better than
    published values."""
    path = RECORDS / "README.md"
    before, _, rest = path.read_text(encoding="utf-8").partition("<!-- better -->\n")
    after = rest.partition("<!-- end -->\n")[2]
    lines = ["| instance | cost | published | gain | found after | command |", "| --- | --- | --- | --- | --- | --- |"]
    kinds = {"QAP": "QAP", "bays": "bays", "slicing": "slicing trees"}
    for row in rows:
        if row["status"] == "better":
            cost = float(row["cost"])
            shown = row["cost"] if row["kind"] == "QAP" else f"{cost:.4f}"
            gain = f"{100 * (1 - cost / float(row['published'])):.3f} %"
            lines.append(f"| {row['instance']} ({kinds[row['kind']]}) | {shown} | {row['published']} | {gain} | "
                         f"{float(row['seconds']):g} s, {row['host']} | `{row['command']}` |")
    path.write_text(before + "<!-- better -->\n" + "\n".join(lines) + "\n<!-- end -->\n" + after, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    runs = commands.add_parser("run")
    for name in ("build", "data", "out"):
        runs.add_argument(name)
    runs.add_argument("patterns", nargs="+")
    runs.add_argument("--backend", default="cpu")
    runs.add_argument("--seconds", type=float, default=30)
    runs.add_argument("--limit", type=float, default=1e9)
    runs.add_argument("--seeds", default="1")
    runs.add_argument("--jobs", type=int, default=1)
    runs.add_argument("--threads", type=int, default=2)
    runs.add_argument("--structure", default="slicing")
    runs.add_argument("--host", default="one CPU")
    runs.add_argument("--set", action="append", default=[])
    runs.set_defaults(act=run)
    merges = commands.add_parser("merge")
    merges.add_argument("data")
    merges.add_argument("raw", nargs="+")
    merges.set_defaults(act=merge)
    options = parser.parse_args()
    options.act(options)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Repeats the experiments of the papers' tables with qapfw and compares the results with the papers' figures."""

import argparse
import contextlib
import fcntl
import fnmatch
import re
import sys
from pathlib import Path

from comparison import compare
from report import comma_separated, markdown
from runs import Runner, RunFailed
from table_file import InputError, parse_settings, read_table

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a positive integer is wanted, found '{text}'")
    return int(text)


def parse_arguments(words):
    names = sorted(path.stem for path in HERE.glob("*.csv"))
    parser = argparse.ArgumentParser(description=__doc__, epilog="Tables: " + ", ".join(names))
    parser.add_argument("tables", nargs="+", metavar="TABLE", help="a table of the list below, or all")
    parser.add_argument("--binary", type=Path, default=ROOT / "build/release/bin/qapfw", help="the program qapfw")
    parser.add_argument("--backend", choices=("auto", "cpu", "cuda"), default="auto",
                        help="where rows run that do not name a backend")
    parser.add_argument("--threads", type=positive, help="threads of rows that do not name their number")
    parser.add_argument("--runs", type=positive, help="runs of a row (as many as the paper)")
    parser.add_argument("--seed", type=positive, default=1, help="the first of the consecutive seeds")
    parser.add_argument("--searches", type=positive, metavar="COUNT",
                        help="subpopulations or blocks in place of the paper's: as many as the GPU holds")
    parser.add_argument("--time-limit", metavar="DURATION", help="of a run, in place of the paper's, such as 60s")
    parser.add_argument("--set", action="append", metavar="KEY=VALUE", default=[], dest="settings",
                        help="a setting of all rows in place of the paper's; repeatable")
    parser.add_argument("--quick", action="store_true", help="few runs with a small budget: shows that all works")
    parser.add_argument("--only", action="append", metavar="ROW", default=[],
                        help="rows by name, such as GPU/tai20b or 'GA-1/*'; repeatable (the GPU's rows)")
    parser.add_argument("--list", action="store_true", help="print the rows' names and end")
    parser.add_argument("--work", type=Path, default=ROOT / "runs/papers",
                        help="folder of the runs, which are kept, and of the reports")
    options = parser.parse_args(words)
    for name in options.tables:
        if name not in [*names, "all"]:
            parser.error(f"no table '{name}': one of {', '.join(names)} or all")
    if options.time_limit and not re.fullmatch(r"[0-9.]+(ms|s|m|h)", options.time_limit):
        parser.error(f"--time-limit is a number and ms, s, m or h, found '{options.time_limit}'")
    try:
        options.settings = parse_settings(" ".join(options.settings), "--set")
    except InputError as error:
        parser.error(str(error))
    options.tables = names if "all" in options.tables else list(dict.fromkeys(options.tables))
    return options


def chosen_rows(table, patterns):
    if not patterns:
        return [row for row in table.rows if row.group in table.compare]
    return [row for row in table.rows if any(fnmatch.fnmatchcase(row.name, pattern) for pattern in patterns)]


def settings_of(table, row, options):
    """What the row fixes wins over the machine's choices, and --quick, --searches, --time-limit and --set over it."""
    settings = {"device.backend": options.backend}
    if options.threads:
        settings["run.threads"] = options.threads
    settings.update(row.settings)
    if options.quick:
        settings.update(table.quick)
    if options.searches and table.searches and row.group in table.compare:
        settings[table.searches] = options.searches
    if options.time_limit:
        settings["run.time_limit"] = options.time_limit
    settings.update(options.settings)
    return settings


def remarks_of(table, options, comparisons, runs):
    places = sorted({run.place for one in comparisons for run in one.runs})
    remarks = [f"here: {'; '.join(places)}; {runs} runs a row, seeds {options.seed} to {options.seed + runs - 1}"]
    if options.quick:
        changed = " ".join(f"{key}={value}" for key, value in table.quick.items())
        remarks.append("quick: few runs" + (f" and {changed}" if changed else "") + "; says little about the figures")
    if options.searches and table.searches:
        remarks.append(f"{table.searches} = {options.searches}, not the paper's")
    if options.time_limit:
        remarks.append(f"run.time_limit = {options.time_limit}, not the paper's")
    remarks += [f"{key} = {value}, not the paper's" for key, value in options.settings.items()]
    if table.wanted:
        remarks.append(f"wanted: {table.wanted}")
    return remarks


def compare_table(table, rows, options, runner, say):
    """The reports of one table are written; returns what failed."""
    runs = options.runs or (table.quick_runs if options.quick else table.paper_runs)
    seeds = range(options.seed, options.seed + runs)
    comparisons, failures = [], []
    for row in rows:
        settings = settings_of(table, row, options)
        try:
            comparisons.append(compare(table, row, runner.runs(table.name, row, settings, seeds), settings))
        except RunFailed as failure:
            failures.append(str(failure))
            say(str(failure))
    if comparisons:
        text = markdown(table, comparisons, remarks_of(table, options, comparisons, runs))
        print(text, flush=True)
        stem = options.work / (table.name + ("-quick" if options.quick else ""))
        stem.with_suffix(".md").write_text(text, encoding="utf-8")
        stem.with_suffix(".csv").write_text(comma_separated(comparisons), encoding="utf-8")
        say(f"written: {stem}.md and .csv")
    return failures


@contextlib.contextmanager
def only_user(work):
    """Two commands would take each other's unfinished runs away."""
    work.mkdir(parents=True, exist_ok=True)
    with open(work / "lock", "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InputError(f"another comparison is at work in {work}: wait for it, or name another --work") from error
        yield


def say(text):
    print(text, file=sys.stderr, flush=True)


def main(words):
    options = parse_arguments(words)
    try:
        tables = [read_table(HERE / f"{name}.csv") for name in options.tables]
        chosen = [(table, rows) for table in tables if (rows := chosen_rows(table, options.only))]
        if not chosen:
            raise InputError(f"no row is called {' or '.join(options.only)}; --list prints the names")
        if options.list:
            print("\n".join(f"{table.name} {row.name}" for table in tables for row in table.rows))
            return 0
        runner = Runner(options.binary.resolve(), ROOT / "configs/qap", options.work.resolve(), say)
        with only_user(options.work):
            failures = [failure for table, rows in chosen
                        for failure in compare_table(table, rows, options, runner, say)]
    except (InputError, OSError) as error:
        say(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        say(f"stopped; finished runs are kept in {options.work}, the same command goes on from there")
        return 130
    if failures:
        say(f"failed rows: {len(failures)}; the others are in the reports")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

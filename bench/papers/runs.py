# SPDX-License-Identifier: Apache-2.0
"""Makes the runs of a row with qapfw, and keeps them: what is finished is not run again."""

import hashlib
import json
import shlex
import shutil
import subprocess
from dataclasses import dataclass

from table_file import InputError


@dataclass(frozen=True)
class Run:
    seed: int
    cost: float
    best_known: float
    gap: float  # None where the best known cost is 0 or unknown
    seconds: float
    iterations: int
    best_iteration: int
    hit: bool
    stop_reason: str
    place: str  # backend, device or threads


ENDED_BY_SIGNAL = (129, 130, 143)  # docs/exit-codes.md


class RunFailed(Exception):
    """qapfw ended with an error."""


def place_of(result):
    threads = f"{result['threads']} thread" + ("s" if result["threads"] > 1 else "")
    return f"{result['backend']}: " + (", ".join(map(str, result["devices"])) or threads)


def read_run(path):
    """None unless the run came to its own end."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        if not result["finished"] or result["signal"] is not None or result["error"] is not None:
            return None
        return Run(
            seed=int(result["seed_text"]), cost=float(result["best_cost"]), best_known=result["best_known"],
            gap=result["gap"], seconds=float(result["seconds"]), iterations=int(result["iterations"]),
            best_iteration=int(result["best_found"]["iteration"]), hit=bool(result["target_reached"]),
            stop_reason=result["stop_reason"], place=place_of(result))
    except (OSError, ValueError):
        return None  # cut off while it was written
    except (KeyError, TypeError) as error:
        raise InputError(f"{path}: not a result of this version of qapfw: {error!r}") from error


def kept_runs(folder):
    """By seed, of all calls of the program that left their record here."""
    runs = {}
    for batch in sorted(folder.glob("from-*")):
        single = [] if any(batch.glob("s*/")) else [batch / "result.json"]
        for path in [*batch.glob("s*/result.json"), *single]:
            run = read_run(path)
            if run is not None:
                runs[run.seed] = run
    return runs


def missing_batches(wanted, kept):
    """The seeds that are wanted and not kept, as (first, count) of consecutive ones."""
    batches = []
    for seed in wanted:
        if seed in kept:
            continue
        if batches and batches[-1][0] + batches[-1][1] == seed:
            batches[-1][1] += 1
        else:
            batches.append([seed, 1])
    return [tuple(batch) for batch in batches]


def program_state(binary):
    """Changes when the program or one of its plugins is built anew."""
    plugins = sorted(binary.parent.parent.glob("lib/qapfw/plugins-*/*.so"))
    states = [(path, path.stat()) for path in [binary, *plugins]]
    return " ".join(f"{path} {status.st_size} {status.st_mtime_ns}" for path, status in states)


class Runner:
    def __init__(self, binary, configs, work, say):
        if not binary.is_file():
            raise InputError(f"no program at {binary}: build qapfw, or name it with --binary")
        self.binary, self.configs, self.work, self.say = binary, configs, work, say
        self.program = program_state(binary)

    def command(self, config, settings):
        words = [str(self.binary), "run", str(config), "--quiet"]
        for key, value in settings.items():
            words += ["--set", f"{key}={value}"]
        return words

    def folder(self, table, row, command, text):
        """Another program, configuration or setting has another folder."""
        digest = hashlib.sha256("\0".join([self.program, text, *command]).encode()).hexdigest()[:16]
        return self.work / table / row.name.replace("/", "_") / digest

    def runs(self, table, row, settings, seeds):
        config = self.configs / row.config
        try:
            text = config.read_text(encoding="utf-8")
        except OSError as error:
            raise InputError(f"row {row.name}: no configuration {config}: {error.strerror}") from error
        command = self.command(config, {"problem.instance": row.instance, **settings})
        folder = self.folder(table, row, command, text)
        kept = kept_runs(folder)
        batches = missing_batches(seeds, kept)
        missing = sum(count for _, count in batches)
        self.say(f"{table} {row.name}: {missing} runs to do, {len(seeds) - missing} kept")
        for first, count in batches:
            record = folder / f"from-{first}"
            if record.exists():
                shutil.rmtree(record)  # nothing in it was finished: its first seed is missing
            self.call([*command, "--seed", str(first), "--runs", str(count), "--out", str(record)], row)
        kept = kept_runs(folder)
        absent = [seed for seed in seeds if seed not in kept]
        if absent:
            raise RunFailed(f"row {row.name}: {folder} has no finished run of seed {absent[0]}")
        return [kept[seed] for seed in seeds]

    def call(self, command, row):
        try:
            ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   errors="replace", check=False)
        except OSError as error:
            raise InputError(f"{self.binary} cannot be run: {error.strerror}") from error
        if ended.returncode in ENDED_BY_SIGNAL:
            raise KeyboardInterrupt  # who stops the program means to stop this too
        if ended.returncode:
            message = " | ".join(ended.stderr.strip().splitlines()[-3:]) or "it said nothing"
            raise RunFailed(f"row {row.name}: qapfw ended with code {ended.returncode}: {message}\n"
                            f"  {shlex.join(command)}")

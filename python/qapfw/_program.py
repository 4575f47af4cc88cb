# SPDX-License-Identifier: Apache-2.0
"""Finding the program and calling it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO

from ._errors import InputError, ProgramNotFound, QapfwError

__all__ = ["Log", "Program", "find_program", "version"]

Program = str | os.PathLike[str]
#: Called with each line that the program writes beside its result: log and progress.
Log = Callable[[str], object]


def find_program(program: Program | None = None) -> str:
    """The path of the program: ``program`` itself, else ``QAPFW_PROGRAM``, else `qapfw` in the folders of ``PATH``."""
    for wanted, where in ((program, "the argument program"), (os.environ.get("QAPFW_PROGRAM"), "QAPFW_PROGRAM")):
        if not wanted:
            continue
        path = shutil.which(os.fspath(wanted))
        if path is None:
            raise ProgramNotFound(f"{where}: wanted the program qapfw, found no executable file {os.fspath(wanted)!r}")
        return path
    path = shutil.which("qapfw")
    if path is None:
        raise ProgramNotFound("the program qapfw is not in PATH; name it by QAPFW_PROGRAM or by the argument program")
    return path


def version(program: Program | None = None) -> str:
    """The program's version, such as "0.2.0"."""
    return call(program, ["--version"]).output.split()[-1]


@dataclass(frozen=True)
class Outcome:
    """How one call of the program ended."""

    code: int
    output: str
    messages: tuple[str, ...]  # lines of standard error
    interrupted: bool  # by a KeyboardInterrupt in this process

    def sentence(self) -> str:
        """The program's own words for what went wrong."""
        said = [line.removeprefix("qapfw: ") for line in self.messages if line.startswith("qapfw: ")]
        # The command line's parser says what it misses without a name in front, then how to get help.
        said = said or [line for line in self.messages if line and not line.startswith("Run with --help")]
        return "\n".join(said) or f"qapfw ended with code {self.code} and said nothing"

    def error(self) -> QapfwError:
        """The exception for this outcome."""
        return (InputError if self.code == 2 else QapfwError)(self.sentence(), self.code)


def call(program: Program | None, arguments: Sequence[str], log: Log | None = None) -> Outcome:
    """Calls the program, throws for a failure that it explains by a sentence alone."""
    outcome = call_unchecked(program, arguments, log)
    if outcome.code != 0:
        raise outcome.error()
    return outcome


def call_unchecked(program: Program | None, arguments: Sequence[str], log: Log | None = None) -> Outcome:
    """Calls the program and waits for it. Ctrl-C is passed on, and the program ends with what it has found."""
    command = [find_program(program), *arguments]
    try:
        # In a session of its own: a Ctrl-C in a terminal reaches this process alone.
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, encoding="utf-8", errors="replace", start_new_session=True)
    except OSError as failure:
        raise ProgramNotFound(f"{command[0]}: cannot be started: {failure.strerror}") from failure
    assert process.stdout is not None and process.stderr is not None
    stdout, stderr = process.stdout, process.stderr
    output: list[str] = []
    messages: list[str] = []
    failures: list[BaseException] = []

    def read_messages() -> None:
        try:
            _read_lines(stderr, messages, log)
        except BaseException as failure:  # of the caller's log: it ends the run
            failures.append(failure)
            process.send_signal(signal.SIGINT)
            _read_lines(stderr, messages, None)

    readers = [threading.Thread(target=_read_lines, args=(stdout, output, None), daemon=True),
               threading.Thread(target=read_messages, daemon=True)]
    for reader in readers:
        reader.start()
    interrupted = _wait(process)
    for reader in readers:
        reader.join()
    stdout.close()
    stderr.close()
    if failures:
        raise failures[0]
    code = process.returncode
    return Outcome(128 - code if code < 0 else code, "".join(output), tuple(line.rstrip("\n") for line in messages),
                   interrupted)


def _read_lines(stream: IO[str], lines: list[str], log: Log | None) -> None:
    for line in stream:
        lines.append(line)
        if log is not None:
            log(line.rstrip("\n"))


def _wait(process: subprocess.Popen[str]) -> bool:
    """Waits for the end; returns whether a KeyboardInterrupt came. Any other exception ends the program too."""
    interrupted = False
    while True:
        try:
            process.wait()
            return interrupted
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)  # a second one acts once the program has had half a second
            interrupted = True
        except BaseException:
            process.kill()
            raise

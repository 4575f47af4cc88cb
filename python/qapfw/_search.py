# SPDX-License-Identifier: Apache-2.0
"""Calls the library's functions that search. Such a call runs in a thread of its own if it has a callback or comes
from the main thread. The caller's thread meanwhile calls the callback, and answers signals if it is the main thread."""

from __future__ import annotations

import _thread
import ctypes
import queue
import threading
from collections.abc import Callable, Sequence
from ctypes import byref, c_int32, c_int64, c_void_p
from typing import Any

from ._library import (CProgress, CSolveOptions, ProgressFunction, Search, last_error, library, option_texts)
from ._settings import Settings

__all__ = ["Callback", "Cancel"]

#: Called with the best cost, the seconds of search and the best permutation; returns True to end the search.
Callback = Callable[[float, float, tuple[int, ...]], object]
#: Called regularly with cost, seconds, evaluations and permutation. The permutation is None if there was no improvement
#: since the last call. Returns True to end the search.
Watcher = Callable[[float, float, int, "tuple[int, ...] | None"], bool]

_PATIENCE = 0.05  # seconds between two checks whether the caller's thread still answers


class Cancel:
    """Ends searches from another thread: ``solve(..., cancel=cancel)`` returns its best answer soon after
    ``cancel.set()``."""

    def __init__(self) -> None:
        self._handle: int = library().qapfw_cancel_new()
        if not self._handle:
            raise MemoryError("memory ran out")
        self._is_set = False

    def set(self) -> None:
        """Ends all searches with this ``Cancel``: those that run now, and those that begin later."""
        self._is_set = True
        library().qapfw_cancel_set(self._handle)

    def is_set(self) -> bool:
        """Whether `set` was called."""
        return self._is_set

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and _library_of is not None:
            _library_of().qapfw_cancel_free(self._handle)

    def __reduce__(self) -> Any:
        raise TypeError("a Cancel belongs to its process; it cannot be pickled")


_library_of: Any = library  # Python sets _library_of to None while the interpreter ends


class Call:
    """Options of one call, and its outcome."""

    def __init__(self, settings: Settings, initial: Sequence[Sequence[int]] | None, cancel: Cancel | None,
                 watcher: Watcher | None) -> None:
        self.cancel = cancel if cancel is not None else Cancel()
        self.watcher = watcher
        self.interrupted: BaseException | None = None
        self._failure: BaseException | None = None
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._replies: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._left = False  # the caller's thread was interrupted, so it no longer asks the watcher
        self._waits = False  # the caller's thread waits for items of the inbox
        self._texts = option_texts(settings)
        self.options = CSolveOptions(struct_size=ctypes.sizeof(CSolveOptions), option_count=len(settings),
                                     options=self._texts, cancel=self.cancel._handle)
        if initial:
            flat = [location for one in initial for location in one]
            self._initial = (c_int64 * len(flat))(*flat)
            self.options.initial, self.options.initial_count = self._initial, len(initial)
        if watcher is not None:
            self.options.progress = ProgressFunction(self._progress)

    def run(self, function: Callable[[CSolveOptions], int]) -> tuple[int, str]:
        """Calls `function` and returns its status and message. Signals reach only the main thread, so the main thread waits
        while another thread makes the call. If there is a callback, every thread that calls `run` waits like this. While
        it waits, it calls the callback whenever a thread of the engine asks for that. If the callback raises an
        exception, `run` raises it after the search has ended."""
        if self.watcher is None and threading.current_thread() is not threading.main_thread():
            status, message = self._call(function)
        else:
            status, message = self._call_in_thread(function)
        if self._failure is not None:
            raise self._failure
        return status, message

    def log(self, take: Callable[[str], object], line: str) -> None:
        """Calls `take` with a line: in the caller's thread if that thread waits for the search, else in the present thread."""
        if self._waits:
            self._inbox.put(("log", (take, line)))
        else:
            self._take_line(take, line)

    def _call(self, function: Callable[[CSolveOptions], int]) -> tuple[int, str]:
        with Search():
            status = function(self.options)
            return status, "" if status == 0 else last_error()

    def _call_in_thread(self, function: Callable[[CSolveOptions], int]) -> tuple[int, str]:
        self._waits = True

        def work() -> None:
            try:
                self._inbox.put(("done", self._call(function)))
            except BaseException as failure:
                self._inbox.put(("failed", failure))

        # threading.Thread.start would wait until the thread has begun. That takes as long as a small search.
        _thread.start_new_thread(work, ())
        while True:
            try:
                return self._serve()
            except BaseException as reason:  # Ctrl-C, or what another signal's handler raises
                if self.interrupted is not None:  # a second interruption does not wait for the search
                    raise
                self.interrupted = reason
                self._left = True
                self.cancel.set()

    def _serve(self) -> tuple[int, str]:
        while True:
            kind, item = self._inbox.get()
            if kind == "done":
                outcome: tuple[int, str] = item
                return outcome
            if kind == "failed":
                self._failure = item
                return 0, ""
            if kind == "log":
                self._take_line(*item)
            elif not self._left:
                self._replies.put(self._ask(*item))

    def _take_line(self, take: Callable[[str], object], line: str) -> None:
        if self._failure is None:
            try:
                take(line)
            except Exception as failure:
                self._failure = failure
                self.cancel.set()

    def _ask(self, cost: float, seconds: float, evaluations: int, permutation: tuple[int, ...] | None) -> bool:
        """Calls the watcher. Returns True if the search should end."""
        assert self.watcher is not None
        try:
            return bool(self.watcher(cost, seconds, evaluations, permutation))
        except Exception as failure:
            self._failure = failure
            return True

    def _progress(self, _user: Any, state: Any) -> int:
        progress: CProgress = state.contents
        permutation = tuple(progress.assignment[:progress.size]) if progress.improved else None
        item = (progress.cost, progress.seconds, progress.evaluations, permutation)
        if not self._waits:
            return int(self._ask(*item))
        self._inbox.put(("progress", item))
        while not self._left:
            try:
                return int(self._replies.get(timeout=_PATIENCE))
            except queue.Empty:
                pass
        return 1


def solve_model(model: Any, call: Call) -> tuple[int, str, c_void_p]:
    """Calls qapfw_solve with the options of `call`. Returns the status, the message and the answer."""
    answer = c_void_p()
    status, message = call.run(lambda options: int(library().qapfw_solve(model, byref(options), byref(answer))))
    return status, message, answer


def solve_models(models: Sequence[Any], call: Call) -> tuple[int, str, list[c_void_p], list[int]]:
    """Calls qapfw_solve_many. Returns its status and message, then an answer and a status for each model."""
    count = len(models)
    handles, answers, statuses = (c_void_p * count)(*models), (c_void_p * count)(), (c_int32 * count)()
    status, message = call.run(
        lambda options: int(library().qapfw_solve_many(handles, count, byref(options), answers, statuses)))
    return status, message, [c_void_p(answer) for answer in answers], list(statuses)



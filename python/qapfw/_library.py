# SPDX-License-Identifier: Apache-2.0
"""libqapfw.so through ctypes: its functions and structures, as qapfw/qapfw.h declares them, and the sessions."""

from __future__ import annotations

import atexit
import ctypes
import os
import shutil
import threading
from collections.abc import Callable, Sequence
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any

from ._errors import Cancelled, InputError, LibraryNotFound, OutOfMemory, QapfwError, UnsupportedError

__all__ = ["find_program"]

_NAME = "libqapfw.so.1"
_PACKAGE = Path(__file__).resolve().parent

#: Statuses of calls.
_USAGE, _INPUT, _MEMORY, _UNSUPPORTED, _CANCELLED = 2, 3, 7, 10, 11
_LEVEL_INFO = 1

#: The value of CMatrix.type for each pair (kind of an entry, bytes of an entry). _kind in _matrices.py has the kinds.
MATRIX_TYPES = {("f", 8): 1, ("f", 4): 2, ("i", 8): 3, ("i", 4): 4, ("i", 2): 5, ("i", 1): 6, ("u", 8): 7, ("u", 4): 8,
                ("u", 2): 9, ("u", 1): 10}


class CMatrix(Structure):
    _fields_ = [("data", c_void_p), ("type", c_uint32), ("reserved", c_uint32), ("rows", c_uint64),
                ("columns", c_uint64), ("row_stride", c_int64), ("column_stride", c_int64)]


class CQap(Structure):
    _fields_ = [("struct_size", c_uint32), ("maximize", c_uint32), ("flow", CMatrix), ("distance", CMatrix),
                ("linear", CMatrix), ("forbidden", CMatrix), ("fixed", POINTER(c_int64)),
                ("facility_names", POINTER(c_char_p)), ("location_names", POINTER(c_char_p)), ("name", c_char_p)]


class CGraph(Structure):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("vertices", c_uint64), ("offsets", POINTER(c_int64)),
                ("columns", POINTER(c_int64)), ("weights", POINTER(c_int64)), ("distance", c_char_p),
                ("vertex_names", POINTER(c_char_p)), ("name", c_char_p)]


LogFunction = ctypes.CFUNCTYPE(None, c_void_p, c_int32, c_void_p, c_size_t)


class CSessionOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("plugin_folder_count", c_uint32), ("plugin_folders", POINTER(c_char_p)),
                ("data_folders", POINTER(c_char_p)), ("data_folder_count", c_uint32), ("threads", c_uint32),
                ("log_level", c_int32), ("log", LogFunction), ("user", c_void_p)]


class CProgress(Structure):
    _fields_ = [("struct_size", c_uint32), ("improved", c_uint32), ("cost", c_double), ("seconds", c_double),
                ("evaluations", c_uint64), ("assignment", POINTER(c_int64)), ("size", c_uint64)]


ProgressFunction = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(CProgress))


class CSolveOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("option_count", c_uint32), ("options", POINTER(c_char_p)),
                ("initial", POINTER(c_int64)), ("initial_count", c_uint64), ("progress", ProgressFunction),
                ("user", c_void_p), ("cancel", c_void_p)]


class CTracePoint(Structure):
    _fields_ = [("seconds", c_double), ("cost", c_double), ("evaluations", c_uint64)]


_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "version": (c_char_p, []),
    "last_error": (c_char_p, []),
    "session_open": (c_int32, [POINTER(CSessionOptions), POINTER(c_void_p)]),
    "session_close": (None, [c_void_p]),
    "model_from_qap": (c_int32, [c_void_p, POINTER(CQap), POINTER(c_void_p)]),
    "model_from_graph": (c_int32, [c_void_p, POINTER(CGraph), POINTER(c_void_p)]),
    "model_from_file": (c_int32, [c_void_p, c_char_p, POINTER(c_char_p), c_uint32, POINTER(c_void_p)]),
    "model_from_config": (c_int32, [c_void_p, c_char_p, POINTER(c_char_p), c_uint32, POINTER(c_void_p)]),
    "model_from_record": (c_int32, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "model_size": (None, [c_void_p, POINTER(c_uint64), POINTER(c_uint64)]),
    "model_free": (None, [c_void_p]),
    "solve": (c_int32, [c_void_p, POINTER(CSolveOptions), POINTER(c_void_p)]),
    "solve_many": (c_int32, [POINTER(c_void_p), c_uint64, POINTER(CSolveOptions), POINTER(c_void_p), POINTER(c_int32)]),
    "cancel_new": (c_void_p, []),
    "cancel_set": (None, [c_void_p]),
    "cancel_free": (None, [c_void_p]),
    "answer_cost": (c_double, [c_void_p]),
    "answer_assignment": (POINTER(c_int64), [c_void_p, POINTER(c_uint64)]),
    "answer_reason": (c_char_p, [c_void_p]),
    "answer_seconds": (c_double, [c_void_p]),
    "answer_trace": (POINTER(CTracePoint), [c_void_p, POINTER(c_uint64)]),
    "answer_failure": (c_char_p, [c_void_p]),
    "answer_make_files": (c_int32, [c_void_p, c_void_p, POINTER(c_uint64)]),
    "answer_file": (c_void_p, [c_void_p, c_uint64, POINTER(c_char_p), POINTER(c_uint64)]),
    "answer_json": (c_char_p, [c_void_p]),
    "answer_free": (None, [c_void_p]),
    "linear_assignment": (c_int32, [POINTER(CMatrix), c_int32, POINTER(c_int64)]),
}


def _candidates() -> list[Path]:
    """Paths of the library: in a wheel, beside an installed program, or in the build folder of a clone."""
    return [_PACKAGE / "engine/lib" / _NAME, _PACKAGE.parents[2] / _NAME,
            _PACKAGE.parents[1] / "build/release/lib" / _NAME]


def _load() -> ctypes.CDLL:
    wanted = os.environ.get("QAPFW_LIBRARY")
    places = [wanted] if wanted else [*map(str, filter(Path.is_file, _candidates())), _NAME]
    reason: OSError | None = None
    for place in places:
        try:
            library = ctypes.CDLL(place)
        except OSError as failure:
            reason = reason or failure
            continue
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, f"qapfw_{name}", None)
            if function is None:
                raise LibraryNotFound(f"{place}: it has no function qapfw_{name}; "
                                      "install a library of the same version as this Python package")
            function.restype, function.argtypes = result, arguments
        return library
    named = f"QAPFW_LIBRARY={wanted}" if wanted else _NAME
    raise LibraryNotFound(f"{named}: the engine's library cannot be loaded: {reason}; set QAPFW_LIBRARY to its path")


_library: ctypes.CDLL | None = None
_lock = threading.Lock()


def library() -> ctypes.CDLL:
    """The library, loaded when it is first needed."""
    global _library
    if _library is None:
        with _lock:
            if _library is None:
                _library = _load()
    return _library


def find_program() -> str:
    """The path of the command-line program `qapfw`: the value of ``QAPFW_PROGRAM``; else the program that is installed
    with the library; else the one in ``PATH``."""
    if wanted := os.environ.get("QAPFW_PROGRAM"):
        if path := shutil.which(wanted):
            return path
        raise LibraryNotFound(f"QAPFW_PROGRAM: wanted the program qapfw, found no executable file {wanted!r}")
    for candidate in _candidates():
        program = candidate.parent.parent / "bin/qapfw"
        if candidate.is_file() and os.access(program, os.X_OK):
            return str(program)
    if path := shutil.which("qapfw"):
        return path
    raise LibraryNotFound("the program qapfw is neither beside the package nor in PATH; set QAPFW_PROGRAM to its path")


def last_error() -> str:
    """The message of this thread's last failed call."""
    text: bytes = library().qapfw_last_error()
    return text.decode("utf-8", "replace")


def error_of(status: int, message: str, results: list[Any] | None = None) -> QapfwError:
    """Returns the exception for a status that is not OK. ``results``: what `solve_many` has found."""
    kinds = {_USAGE: InputError, _INPUT: InputError, _UNSUPPORTED: UnsupportedError, _MEMORY: OutOfMemory,
             _CANCELLED: Cancelled}
    return kinds.get(status, QapfwError)(message, results=results)


def check(status: int) -> None:
    """Raises for a status that is not OK."""
    if status != 0:
        raise error_of(status, last_error())


def texts(items: Sequence[str | bytes]) -> Any:
    """An array of C strings. The strings live as long as the array."""
    return (c_char_p * len(items))(*(encoded(item) for item in items))


def encoded(text: str | bytes) -> bytes:
    """The text as the bytes of a C string, in UTF-8. Paths that are not UTF-8 keep their bytes."""
    found = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    if b"\0" in found:
        raise ValueError(f"{found[:80]!r} holds a null character")
    return found


def option_texts(options: Sequence[tuple[str, str]]) -> Any:
    """An array of C strings: key and value of the first option, of the second, and so on."""
    return texts([text for pair in options for text in pair])


# ---- Sessions ----

Folders = tuple[str, ...]


class Session:
    """Plugins, data folders and a log. A session belongs to the process that opened the session."""

    def __init__(self, plugin_path: Folders = (), data: Folders = (), log: Callable[[str], None] | None = None) -> None:
        options = CSessionOptions(struct_size=ctypes.sizeof(CSessionOptions))
        folders, found = texts(plugin_path), texts(data)
        options.plugin_folders, options.plugin_folder_count = folders, len(plugin_path)
        options.data_folders, options.data_folder_count = found, len(data)
        self._function: Any = None  # the callback for the log; it must live as long as the session
        if log is not None:
            take = log  # pass_on uses this local name, not the session, so that the session does not refer to itself

            def pass_on(_user: int, _level: int, text: int, size: int) -> None:
                take(ctypes.string_at(text, size).decode("utf-8", "replace"))

            self._function = LogFunction(pass_on)
            options.log, options.log_level = self._function, _LEVEL_INFO
        handle = c_void_p()
        check(library().qapfw_session_open(byref(options), byref(handle)))
        self.handle: c_void_p | None = handle

    def close(self) -> None:
        """Ends the session's searches and waits for them."""
        if self.handle is not None:
            library().qapfw_session_close(self.handle)
            self.handle = None


_sessions: dict[tuple[Folders, Folders], Session] = {}
_running = 0  # number of searches that are running
_tainted = False  # True if this process was forked while a search was running, or after a search had used a GPU
_has_used_gpu = False


def session(plugin_path: Folders = (), data: Folders = ()) -> Session:
    """Returns the session for these folders. The first call with these folders opens it, and it stays open until the
    process ends."""
    require_usable()
    key = (plugin_path, data)
    with _lock:
        found = _sessions.get(key)
    if found is None:
        opened = Session(plugin_path, data)
        with _lock:
            found = _sessions.setdefault(key, opened)
        if found is not opened:
            opened.close()
    return found


def require_usable() -> None:
    """Raises QapfwError if this process was forked while a search was running, or after a search had used a GPU:
    CUDA and the engine's locks do not survive such a fork."""
    if _tainted:
        raise QapfwError("this process was forked while a search was running, or after a search had used a GPU, so the "
                         "engine cannot be used here; start processes with multiprocessing.get_context(\"spawn\")")


def note_gpu() -> None:
    """Notes that a search has used a GPU."""
    global _has_used_gpu
    _has_used_gpu = True


class Search:
    """Counts a search as running while the context lasts."""

    def __enter__(self) -> None:
        global _running
        require_usable()
        with _lock:
            _running += 1

    def __exit__(self, *_: object) -> None:
        global _running
        with _lock:
            _running -= 1


def _forget_after_fork() -> None:
    global _lock, _tainted, _running
    _lock = threading.Lock()
    _sessions.clear()  # the sessions belong to the parent; the child opens new ones
    _tainted = _tainted or _running > 0 or _has_used_gpu
    _running = 0


def _close_sessions() -> None:
    for opened in list(_sessions.values()):
        opened.close()


os.register_at_fork(after_in_child=_forget_after_fork)
atexit.register(_close_sessions)

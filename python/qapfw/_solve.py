# SPDX-License-Identifier: Apache-2.0
"""Functions that search: they solve one problem, many problems or a configuration, or resume a record."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from ctypes import byref, c_char_p, c_uint64, c_void_p, string_at
from pathlib import Path
from typing import Any

from ._errors import Interrupted, QapfwError
from ._library import Session, encoded, error_of, library, note_gpu, option_texts
from ._matrices import MatrixLike
from ._problem import Label, Model, Problem
from ._progress import progress_of
from ._result import Improvement, Result, exact_cost
from ._search import Call, Callback, Cancel, solve_model, solve_models
from ._settings import PathLike, Settings, any_seed, flat, folders, settings_of

__all__ = ["resume", "run", "solve", "solve_many"]

_USUAL_TIME = 10.0  # seconds of search if no limit is given
_LIMITS = ("time_limit", "iterations", "evaluations", "target", "stagnation")

#: Called with each line of the log.
Log = Callable[[str], object]


def solve(flow: MatrixLike, distance: MatrixLike, *, linear: MatrixLike | None = None, maximize: bool = False,
          fixed: Mapping[Label, Label] | Sequence[Label | None] | None = None,
          forbidden: Iterable[tuple[Label, Label]] | MatrixLike | None = None, initial: Any = None,
          facilities: Iterable[str] | None = None, locations: Iterable[str] | None = None, name: str | None = None,
          plugin_path: Iterable[PathLike] = (), data: Iterable[PathLike] = (), **options: Any) -> Result:
    """Solves the quadratic assignment problem of two matrices.

    Looks for the assignment p with the least sum over i, j of ``flow[i][j] * distance[p[i]][p[j]]`` plus the sum over i of
    ``linear[i][p[i]]``. `qapfw.Problem` explains the arguments from flow to name. The others:

    initial        an assignment to start from: a list with the location of each facility, or {facility: location} of
                   some facilities. A list of several assignments is a first population
    time_limit     seconds of search, or a text such as "5m"; 10 seconds if no limit is given
    iterations     outer iterations of each search, or a text such as "100n"
    evaluations    number of solutions to evaluate
    target         a cost at which the search ends. Without `iterations` the search also ends as soon as its best
                   solution is proven optimal
    stagnation     seconds without improvement after which the search ends, or a text such as "5m" or "100n" (iterations)
    seed           an integer from 0 (default 1); the same seed gives the same search. None: another seed each time
    algorithm      id of a solver (`python -m qapfw plugin list`), with its ``parameters`` as a dictionary;
                   ``improver`` and ``improver_parameters`` likewise. None: "exact", which proves its answer, for up to 12
                   free facilities without `iterations`, `parameters`, `improver` or backend "cuda". Otherwise the solver
                   that suits the problem: mostly "memetic", which finds its own settings
    callback       called after improvements with the best cost, the seconds of search and the best permutation, in the
                   thread that called solve. If it returns True or raises, the search ends
    progress       True: a line on standard error; "notebook": a bar in a notebook; False: nothing
    cancel         a `qapfw.Cancel`, by which another thread ends the search
    threads        number of threads; None: as many as the process may use
    backend        "cpu", "cuda", or "auto": a GPU if there is one
    alternatives   number of different good solutions to look for; `result.pool` has them
    runs           number of runs, with consecutive seeds; the result is that of the best run
    record         a folder for a run record, new or empty. The matrices are written beside it, into "FOLDER-instance"
    log            a function, such as print, that is called with each line of the log
    set            further settings by their keys, such as {"run.alternatives_distance": 3}

    Returns a `qapfw.Result`: cost, permutation, assignment by names, pool, trace, bound, reason, seconds. Raises TypeError
    and ValueError for wrong arguments, and `qapfw.QapfwError` for failures of the engine. Ctrl-C raises
    `qapfw.Interrupted`, which carries the best solution found.

    >>> flow, distance = [[0, 3, 1], [3, 0, 2], [1, 2, 0]], [[0, 5, 4], [5, 0, 6], [4, 6, 0]]
    >>> result = solve(flow, distance)
    >>> result.cost, result.reason
    (56, 'optimal')
    """
    problem = Problem(flow, distance, linear=linear, maximize=maximize, fixed=fixed, forbidden=forbidden,
                      facilities=facilities, locations=locations, name=name, plugin_path=plugin_path, data=data)
    return solve_problem(problem, initial=initial, **options)


def solve_problem(problem: Problem, *, initial: Any = None, callback: Callback | None = None, progress: bool | str = False,
                  cancel: Cancel | None = None, record: PathLike | None = None, log: Log | None = None,
                  seed: int | None = 1, **options: Any) -> Result:
    """`solve` for an existing problem."""
    if all(options.get(limit) is None for limit in _LIMITS):
        options["time_limit"] = _USUAL_TIME
    settings = settings_of(seed=any_seed() if seed is None else seed, **options) + _record_settings(record)
    _check_callback(callback)
    starts = problem._initial(initial)
    if record is not None:
        folder = Path(record).absolute()
        problem = problem._on_disk(folder.with_name(folder.name + "-instance"))
    search = _Searching(progress, options.get("time_limit"), callback, cancel, log)
    call = Call(settings, starts, cancel, search.watcher())
    own = search.session(call, *problem._folders)
    try:
        model = problem._model() if own is None else problem._model_in(own)
        return search.finish(model, call, problem.is_integer, problem._has_files)
    finally:
        if own is not None:
            own.close()


def _record_settings(record: PathLike | None) -> Settings:
    return [] if record is None else list(flat({"output": {"record": True, "folder": os.path.abspath(os.fspath(record))}}))


def _check_callback(callback: object) -> None:
    if callback is not None and not callable(callback):
        raise TypeError(f"callback is {callback!r}; a function of cost, seconds and permutation was wanted")


class _Searching:
    """Everything around one search: progress, callback, log, and the handling of its end."""

    def __init__(self, progress: bool | str, time_limit: Any, callback: Callback | None, cancel: Cancel | None,
                 log: Log | None) -> None:
        if cancel is not None and not isinstance(cancel, Cancel):
            raise TypeError(f"cancel is {cancel!r}; a qapfw.Cancel was wanted")
        self._progress = progress_of(progress, time_limit)
        self._callback = callback
        self._log = log
        self._lines: list[str] = []

    def watcher(self) -> Any:
        """The watcher for the search; None if nobody watches."""
        return self._watch if self._progress is not None or self._callback is not None else None

    def session(self, call: Call, plugin_path: tuple[str, ...], data: tuple[str, ...]) -> Session | None:
        """A session for this search alone, if there is a log."""
        return None if self._log is None else Session(plugin_path, data, lambda line: call.log(self._take, line))

    def finish(self, model: Model, call: Call, is_integer: bool, has_files: bool = False) -> Result:
        """Searches and returns the result; raises on failure. `has_files`: the result shall have the problem's files."""
        try:
            status, message, answer = solve_model(model.handle, call)
        finally:
            if self._progress is not None:
                self._progress.end()
        result = None
        if answer:
            files = read_files(model, answer) if has_files and _draws(answer) else {}
            result = read_answer(answer, is_integer, tuple(self._lines), files)
        if isinstance(call.interrupted, KeyboardInterrupt):
            raise Interrupted(f"interrupted; {'no solution was found' if result is None else f'the best is {result!r}'}",
                              result)
        if call.interrupted is not None:
            raise call.interrupted
        if status != 0:
            raise error_of(status, message)
        assert result is not None
        if result._failure:
            raise QapfwError(result._failure, result)
        return result

    def _watch(self, cost: float, seconds: float, evaluations: int, permutation: tuple[int, ...] | None) -> bool:
        if self._progress is not None:
            self._progress.show(cost, seconds, evaluations)
        if self._callback is None or permutation is None:
            return False
        return bool(self._callback(cost, seconds, permutation))

    def _take(self, line: str) -> None:
        self._lines.append(line)
        assert self._log is not None
        self._log(line)


def _json(answer: c_void_p) -> bytes:
    text: bytes | None = library().qapfw_answer_json(answer)
    if text is None:
        raise MemoryError("memory ran out")
    return text


def _draws(answer: c_void_p) -> bool:
    """True if the problem's files are worth making. To make them, the problem must be created once more. The files of
    the problems qap and sparse_qap tell nothing new, so they are not made."""
    text = _json(answer)
    return b'"problem": "qap"' not in text and b'"problem": "sparse_qap"' not in text


def read_files(model: Model, answer: c_void_p) -> dict[str, str]:
    """The files that the problem writes for the best solution, by name; empty if making the files failed."""
    lib, count, size, name = library(), c_uint64(), c_uint64(), c_char_p()
    if lib.qapfw_answer_make_files(model.handle, answer, byref(count)) != 0:
        return {}
    files = {}
    for k in range(count.value):
        content = lib.qapfw_answer_file(answer, k, byref(name), byref(size))
        files[(name.value or b"").decode()] = string_at(content, size.value).decode("utf-8", "replace")
    return files


def read_answer(answer: c_void_p, is_integer: bool, messages: tuple[str, ...] = (),
                files: Mapping[str, str] | None = None) -> Result:
    """Copies everything from an answer and frees it."""
    lib = library()
    try:
        count = c_uint64()
        locations = lib.qapfw_answer_assignment(answer, byref(count))[:count.value]
        points = lib.qapfw_answer_trace(answer, byref(count))[:count.value]
        text = _json(answer).decode("utf-8", "replace")
        if '"backend": "cuda"' in text:
            note_gpu()
        cost = exact_cost(lib.qapfw_answer_cost(answer), is_integer, text)
        trace = [Improvement(point.seconds, exact_cost(point.cost, is_integer and abs(point.cost) < 2**53, text),
                             point.evaluations) for point in points]
        summary = {"best_cost": cost, "stop_reason": lib.qapfw_answer_reason(answer).decode(),
                   "seconds": lib.qapfw_answer_seconds(answer)}
        result = Result(text, permutation=locations, trace=trace, messages=messages, summary=summary,
                        files=files)
        result._failure = lib.qapfw_answer_failure(answer).decode("utf-8", "replace")
        return result
    finally:
        lib.qapfw_answer_free(answer)


def solve_many(problems: Iterable[Problem | tuple[MatrixLike, MatrixLike]], *, cancel: Cancel | None = None,
               seed: int | None = 1, **options: Any) -> list[Result]:
    """Solves many problems, several at a time, each on one thread of the CPU.

    problems  pairs (flow, distance), or `qapfw.Problem` objects
    options   those of `solve`, except initial, callback, progress, record and log; they hold for each problem

    Returns a result for each problem, in their order. Raises for the first problem that is wrong or fails, and gives its
    index. The attribute ``results`` of the exception has the results of the others.

    >>> pair = [[0, 3], [1, 0]], [[0, 5], [2, 0]]
    >>> [result.cost for result in solve_many([pair, pair], evaluations=1000)]
    [11, 11]
    """
    if all(options.get(limit) is None for limit in _LIMITS):
        options["time_limit"] = _USUAL_TIME
    settings = settings_of(seed=any_seed() if seed is None else seed, **options)
    if cancel is not None and not isinstance(cancel, Cancel):
        raise TypeError(f"cancel is {cancel!r}; a qapfw.Cancel was wanted")
    made = [_one_of_many(item, k) for k, item in enumerate(problems)]
    if not made:
        return []
    call = Call(settings, None, cancel, None)
    models = [problem._model() for problem in made]
    status, message, answers, _ = solve_models([model.handle for model in models], call)
    results = [read_answer(answer, problem.is_integer) if answer else None for answer, problem in zip(answers, made)]
    if isinstance(call.interrupted, KeyboardInterrupt):
        raise Interrupted(f"interrupted; {sum(result is not None for result in results)} of {len(made)} problems have a result",
                          results=results)
    if call.interrupted is not None:
        raise call.interrupted
    if status != 0:
        raise error_of(status, message.replace("model ", "problem ", 1), results)
    for index, result in enumerate(results):
        if result is not None and result._failure:
            raise QapfwError(f"problem {index}: {result._failure}", result, results)
    return [result for result in results if result is not None]


def _one_of_many(item: Any, index: int) -> Problem:
    if isinstance(item, Problem):
        return item
    try:
        flow, distance = item
    except (TypeError, ValueError):
        raise TypeError(f"problems[{index}] is neither a pair of flow and distance nor a qapfw.Problem") from None
    try:
        return Problem(flow, distance)
    except (TypeError, ValueError) as failure:
        raise type(failure)(f"problems[{index}]: {failure}") from None


class _Configured(Problem):
    """The problem of a configuration or of a run's record. The settings `options` change the configuration."""

    @classmethod
    def of(cls, kind: str, source: bytes | None, options: Settings, plugin_path: Iterable[PathLike],
           data: Iterable[PathLike]) -> _Configured:
        made = cls.__new__(cls)
        made._folders = (folders(plugin_path), folders(data))
        made.facilities = made.locations = None
        made.is_integer = False
        made._parts = {"source": source, "options": options}
        made._kind = kind
        made._made = (0, None)
        return made

    def _make_config(self, session: Any, model: Any) -> int:
        options = self._parts["options"]
        return int(library().qapfw_model_from_config(session, self._parts["source"], option_texts(options), len(options),
                                                     model))

    def _make_record(self, session: Any, model: Any) -> int:
        return int(library().qapfw_model_from_record(session, self._parts["source"], model))


def _search_configured(problem: _Configured, settings: Settings, callback: Callback | None, progress: bool | str,
                       cancel: Cancel | None, log: Log | None, time_limit: Any) -> Result:
    _check_callback(callback)
    search = _Searching(progress, time_limit, callback, cancel, log)
    call = Call(settings, None, cancel, search.watcher())
    own = search.session(call, *problem._folders)
    try:
        return search.finish(problem._model() if own is None else problem._model_in(own), call, False)
    finally:
        if own is not None:
            own.close()


def run(config: PathLike | Mapping[str, Any] | None = None, *, set: Mapping[str, Any] | None = None,
        time_limit: float | str | None = None, out: PathLike | None = None, record: bool | None = None,
        data: Iterable[PathLike] = (), plugin_path: Iterable[PathLike] = (), callback: Callback | None = None,
        progress: bool | str = False, cancel: Cancel | None = None, log: Log | None = None, **options: Any) -> Result:
    """Runs a configuration (docs/guides/config.md) and returns its result.

    config       a TOML file, or its tables as a dictionary: {"problem": {"plugin": "qap", ...}, ...}. Relative paths
                 count from the file's folder, or for a dictionary from the working directory
    set          keys that replace those of the file, such as {"algorithm.tenure": 8}
    out          folder of the run record, new or empty; None: the one in the configuration, else a new one in ./runs
    record       False: no record is written
    data         further folders to look instances up by name
    plugin_path  further folders with plugins

    The other options are those of `solve`. A run without any limit goes on until Ctrl-C or `cancel`, or until its algorithm
    is done. Raises as `solve` does.
    """
    settings: Settings = []
    source = None
    if isinstance(config, Mapping):
        settings += flat(config)
    elif config is not None:
        source = encoded(os.fspath(config))
    settings += settings_of(time_limit=time_limit, set=set, **options)
    settings += flat({"output": {"folder": None if out is None else os.path.abspath(os.fspath(out)), "record": record}})
    problem = _Configured.of("_make_config", source, settings, plugin_path, data)
    return _search_configured(problem, [], callback, progress, cancel, log, time_limit)


def resume(folder: PathLike, *, time_limit: float | str | None = None, iterations: int | str | None = None,
           evaluations: int | None = None, target: float | str | None = None, threads: int | None = None,
           plugin_path: Iterable[PathLike] = (), data: Iterable[PathLike] = (), callback: Callback | None = None,
           progress: bool | str = False, cancel: Cancel | None = None, log: Log | None = None) -> Result:
    """Resumes an interrupted run from the folder of its record. Limits may be changed. All else is as in `run`."""
    settings = settings_of(time_limit=time_limit, iterations=iterations, evaluations=evaluations, target=target,
                           threads=threads)
    problem = _Configured.of("_make_record", encoded(os.fspath(folder)), [], plugin_path, data)
    return _search_configured(problem, settings, callback, progress, cancel, log, time_limit)

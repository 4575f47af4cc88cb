# SPDX-License-Identifier: Apache-2.0
"""qapfw from Python: solve quadratic assignment problems, run configurations, read what runs left behind.

The package needs the standard library alone and calls the program `qapfw`, which is looked for in this order: the
argument ``program``, the environment variable ``QAPFW_PROGRAM``, the folders of ``PATH``.

>>> import qapfw
>>> result = qapfw.solve([[0, 3, 1], [3, 0, 2], [1, 2, 0]], [[0, 5, 4], [5, 0, 6], [4, 6, 0]], iterations=100)
>>> result.cost
56
>>> qapfw.qap_cost([[0, 3, 1], [3, 0, 2], [1, 2, 0]], [[0, 5, 4], [5, 0, 6], [4, 6, 0]], result.permutation)
56
"""

from ._errors import InputError, Interrupted, ProgramNotFound, QapfwError
from ._program import find_program, version
from ._qap import qap_cost, solve
from ._record import Record, Trace, TracePoint, frame, read_record, read_records, read_trace, rows
from ._result import Result
from ._run import resume, run
from ._study import Study, read_study

__all__ = [
    "InputError", "Interrupted", "ProgramNotFound", "QapfwError", "Record", "Result", "Study", "Trace",
    "TracePoint",
    "find_program", "frame", "qap_cost", "read_record", "read_records", "read_study", "read_trace", "resume", "rows", "run", "solve",
    "version",
]

# SPDX-License-Identifier: Apache-2.0
"""qapfw from Python: solve quadratic assignment problems and layouts inside this process.

The package needs only the standard library and the engine's library. It finds the engine's library in a wheel, in an
installation and in the build folder of a clone. If the library is elsewhere, set the environment variable
``QAPFW_LIBRARY`` to its path. The command line is ``python -m qapfw``.

>>> import qapfw
>>> result = qapfw.solve([[0, 3, 1], [3, 0, 2], [1, 2, 0]], [[0, 5, 4], [5, 0, 6], [4, 6, 0]])
>>> result.cost
56
>>> qapfw.qap_cost([[0, 3, 1], [3, 0, 2], [1, 2, 0]], [[0, 5, 4], [5, 0, 6], [4, 6, 0]], result.permutation)
56
"""

from ._errors import Cancelled, InputError, Interrupted, LibraryNotFound, OutOfMemory, QapfwError, UnsupportedError
from ._layout import Layout
from ._library import find_program
from ._problem import Problem
from ._qap_cost import qap_cost
from ._quadratic_assignment import OptimizeResult, quadratic_assignment
from ._record import Record, Trace, TracePoint, frame, read_record, read_records, read_trace, rows
from ._result import Improvement, Improvements, Result, Solution
from ._search import Cancel
from ._solve import resume, run, solve, solve_many
from ._study import Study, read_study

__version__ = "0.2.0"

__all__ = [
    "Cancel", "Cancelled", "Improvement", "Improvements", "InputError", "Interrupted", "Layout", "LibraryNotFound", "OptimizeResult",
    "OutOfMemory", "Problem", "QapfwError", "Record", "Result", "Solution", "Study", "Trace", "TracePoint",
    "UnsupportedError", "find_program", "frame", "qap_cost", "quadratic_assignment", "read_record", "read_records", "read_study",
    "read_trace", "resume", "rows", "run", "solve", "solve_many",
]

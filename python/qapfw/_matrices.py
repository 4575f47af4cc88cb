# SPDX-License-Identifier: Apache-2.0
"""Matrices of any kind as views that the library reads: buffers (NumPy and others), data frames, sparse matrices, nested
lists. Nothing here needs a package beyond the standard library."""

from __future__ import annotations

import ctypes
import numbers
import operator
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._library import MATRIX_TYPES, CMatrix

__all__ = ["Matrix", "MatrixLike"]

#: Rows of numbers: nested lists, a NumPy array, a pandas frame, a SciPy sparse matrix, or any object with a buffer of two
#: dimensions.
MatrixLike = Any

_MOST_DENSE = 16384  # largest number of rows, and of columns, that the engine accepts
_FULL_READ_ONLY = 0x11C  # PyBUF_FULL_RO
_INTEGERS, _UNSIGNED, _REALS = "bhilqn", "BHILQN?", "fd"


_C_TYPES: dict[int, Any] = {
    1: ctypes.c_double, 2: ctypes.c_float, 3: ctypes.c_int64, 4: ctypes.c_int32, 5: ctypes.c_int16, 6: ctypes.c_int8,
    7: ctypes.c_uint64, 8: ctypes.c_uint32, 9: ctypes.c_uint16, 10: ctypes.c_uint8}


class _Buffer(ctypes.Structure):
    """The struct Py_buffer of CPython, field by field."""

    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
                ("format", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
                ("strides", ctypes.POINTER(ctypes.c_ssize_t)), ("suboffsets", ctypes.c_void_p),
                ("internal", ctypes.c_void_p)]


class _View:
    """A buffer that is held until `release`."""

    def __init__(self, owner: Any) -> None:
        self.buffer = _Buffer()
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(owner), ctypes.byref(self.buffer), _FULL_READ_ONLY)

    def release(self) -> None:
        ctypes.pythonapi.PyBuffer_Release(ctypes.byref(self.buffer))


class Matrix:
    """A matrix that the library can read until `release`."""

    def __init__(self, source: MatrixLike, name: str) -> None:
        self.name = name
        self.c = CMatrix()
        self.is_integer = False
        self._view: _View | None = None
        self._kept: Any = None
        self._read(_plain(source, name))

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.c.rows)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return int(self.c.columns)

    @property
    def shape(self) -> str:
        """For messages: "3 x 4"."""
        return f"{self.rows} x {self.columns}"

    def lists(self) -> list[list[Any]]:
        """Returns the entries as Python numbers, one list for each row."""
        entry = _C_TYPES[self.c.type]
        start, rows = self.c.data or 0, []
        for i in range(self.rows):
            row = start + i * self.c.row_stride
            rows.append([entry.from_address(row + j * self.c.column_stride).value for j in range(self.columns)])
        return rows

    def release(self) -> None:
        """Gives the buffer back; the matrix must not be read any more."""
        if self._view is not None:
            self._view.release()
            self._view = None
        self._kept = None

    def require_square(self) -> None:
        """Raises unless the matrix is square, has a row, and is no larger than the engine takes."""
        if self.rows != self.columns:
            raise ValueError(f"{self.name} is {self.shape}; a square matrix was wanted")
        if self.rows == 0:
            raise ValueError(f"{self.name} is empty; a matrix with at least one row was wanted")
        if self.rows > _MOST_DENSE:
            raise ValueError(f"{self.name} is {self.shape}; at most {_MOST_DENSE} x {_MOST_DENSE} is possible")

    def require_shape(self, rows: int, columns: int) -> None:
        """Raises if the matrix has another shape."""
        if (self.rows, self.columns) != (rows, columns):
            raise ValueError(f"{self.name} is {self.shape}; {rows} x {columns} was wanted, a row for each facility "
                             "(layouts: department) and a column for each location (layouts: department)")

    def _read(self, source: Any) -> None:
        view = None if isinstance(source, (list, tuple)) else _buffer_of(source)
        if view is None:
            self._read_rows(source)
            return
        try:
            code = (view.buffer.format or b"B").decode("ascii", "replace")
            if self._read_buffer(view, code):
                self._view = view
                return
            source = _converted(source, code, self.name)
        finally:
            if self._view is None:
                view.release()
        self._read(source)

    def _read_buffer(self, view: _View, code: str) -> bool:
        """Describes the buffer in self.c for the library. Returns False if the library cannot read such entries."""
        buffer = view.buffer
        if buffer.ndim != 2:
            found = "1 dimension" if buffer.ndim == 1 else f"{buffer.ndim} dimensions"
            raise ValueError(f"{self.name} has {found}; a matrix with 2 dimensions was wanted")
        kind = _kind(code)
        if kind is None or buffer.suboffsets:
            return False
        self.is_integer = kind != "f"
        self.c = CMatrix(buffer.buf, MATRIX_TYPES[kind, buffer.itemsize], 0, buffer.shape[0], buffer.shape[1],
                         buffer.strides[0], buffer.strides[1])
        return True

    def _read_rows(self, source: Any) -> None:
        entries, rows, columns = _entries(source, self.name)
        self.is_integer = entries.typecode == "q"
        self._kept = entries
        self.c = CMatrix(entries.buffer_info()[0], MATRIX_TYPES["i" if self.is_integer else "f", 8], 0, rows, columns,
                         8 * columns, 8)


def _kind(code: str) -> str | None:
    """The kind of the entries with this format code: "f" (real), "i" (integer) or "u" (unsigned). None for other codes,
    such as those of another byte order."""
    code = code.lstrip("@=<" if _IS_LITTLE else "@=>")
    if len(code) != 1:
        return None
    return "f" if code in _REALS else "i" if code in _INTEGERS else "u" if code in _UNSIGNED else None


_IS_LITTLE = array("H", [1]).tobytes()[0] == 1


def _buffer_of(source: Any) -> _View | None:
    try:
        return _View(source)
    except (BufferError, TypeError):
        return None


def _converted(source: Any, code: str, name: str) -> Any:
    """The matrix in a form that the library reads. Numbers of another width or byte order become native numbers of 64
    bits. Arrays of objects become lists."""
    if "Z" in code or "c" in code:
        raise TypeError(f"{name} holds complex numbers; real numbers were wanted")
    if code in ("O", "|O"):
        return source.tolist()
    kind = getattr(getattr(source, "dtype", None), "kind", "")
    if kind in "fiu" and kind:  # numbers of another byte order or width
        return source.astype("float64" if kind == "f" else "int64" if kind == "i" else "uint64")
    raise TypeError(f"{name} has entries of type {getattr(source, 'dtype', code)}; numbers were wanted")


def _is_frame(source: Any) -> bool:
    return hasattr(source, "to_numpy") and hasattr(source, "index") and hasattr(source, "columns")


def _labels(index: Any) -> list[str] | None:
    """Labels of a pandas axis as texts; None if the labels are 0, 1, 2, ..."""
    labels = list(index)
    if labels == list(range(len(labels))):
        return None
    return [str(label) for label in labels]


def _plain(source: Any, name: str) -> Any:
    """Converts frames, sparse matrices and other arrays to objects with a buffer; returns
    everything else as it is."""
    if hasattr(source, "toarray") and hasattr(source, "nnz"):  # a sparse matrix of SciPy
        rows, columns = source.shape
        if max(rows, columns) > _MOST_DENSE:
            raise ValueError(f"{name} is {rows} x {columns}; at most {_MOST_DENSE} x {_MOST_DENSE} is possible")
        return source.toarray()
    if hasattr(source, "to_numpy"):
        source = source.to_numpy()
    mask = getattr(source, "mask", None)
    if mask is not None and hasattr(source, "filled") and bool(getattr(mask, "any", bool)()):
        raise ValueError(f"{name} has masked entries; fill them first")
    if not isinstance(source, (list, tuple)) and hasattr(source, "__array__") and not _has_buffer(source):
        return source.__array__()
    if isinstance(source, (str, bytes, Mapping, numbers.Number)) or source is None:
        raise TypeError(f"{name} is {_a(source)}; a matrix was wanted: an array, a data frame or a list of rows")
    return source


def _has_buffer(source: Any) -> bool:
    try:
        memoryview(source).release()
    except TypeError:
        return False
    return True


def _a(value: Any) -> str:
    kind = type(value).__name__
    if value is None:
        return "None"
    return f"an {kind}" if kind[0].lower() in "aeio" else f"a {kind}"


def _rows_of(source: Any, name: str) -> list[Any]:
    if not isinstance(source, Iterable):
        raise TypeError(f"{name} is {_a(source)}; a matrix was wanted: an array, a data frame or a list of rows")
    rows = list(source)
    for i, row in enumerate(rows):
        if isinstance(row, (str, bytes, Mapping)) or not isinstance(row, Iterable):
            raise TypeError(f"{name}[{i}] is {row!r}; a row of numbers was wanted")
    return [row if isinstance(row, (list, tuple)) else list(row) for row in rows]


def _entries(source: Any, name: str) -> tuple[array[Any], int, int]:
    """Entries row by row, number of rows, number of columns. Entries are integers of 64 bits if all fit, else doubles."""
    rows = _rows_of(source, name)
    columns = len(rows[0]) if rows else 0
    for i, row in enumerate(rows):
        if len(row) != columns:
            raise ValueError(f"{name}[{i}] has {len(row)} entries; {columns} were wanted, as many as {name}[0] has")
    for code in "qd":
        entries = array(code)
        try:
            for row in rows:
                entries.extend(array(code, row))
            return entries, len(rows), columns
        except (TypeError, ValueError, OverflowError):
            continue
    for i, row in enumerate(rows):  # find what is wrong
        for j, entry in enumerate(row):
            _check_entry(entry, f"{name}[{i}][{j}]")
    raise TypeError(f"{name} holds entries that are not numbers")


def _check_entry(entry: Any, where: str) -> None:
    if isinstance(entry, (str, bytes)) or not (hasattr(entry, "__float__") or hasattr(entry, "__index__")):
        raise TypeError(f"{where} is {entry!r}; a number was wanted")
    try:
        float(entry)
    except OverflowError:
        raise ValueError(f"{where} is {entry!r}, which is too large") from None
    except (TypeError, ValueError):
        raise TypeError(f"{where} is {entry!r}; a number was wanted") from None


def index_of(value: Any, size: int, where: str, what: str) -> int:
    """Returns ``value`` as an index from 0 to size - 1. Raises TypeError if ``value`` is no integer, and ValueError if
    it is out of range."""
    try:
        index = operator.index(value)
    except TypeError:
        raise TypeError(f"{where} is {value!r}; {what} from 0 to {size - 1} was wanted") from None
    if isinstance(value, bool):
        raise TypeError(f"{where} is {value!r}; {what} from 0 to {size - 1} was wanted")
    if not 0 <= index < size:
        raise ValueError(f"{where} is {index}; {what} from 0 to {size - 1} was wanted")
    return index


def as_list(values: Any) -> Any:
    """Arrays as lists; everything else as it is."""
    return values.tolist() if hasattr(values, "tolist") else values


def kept(values: Any) -> Any:
    """Iterators as lists, also those of the rows, so that they can be read several times; everything else as it is."""
    if hasattr(values, "__next__"):
        values = list(values)
    if isinstance(values, list) and any(hasattr(row, "__next__") for row in values):
        return [list(row) if hasattr(row, "__next__") else row for row in values]
    return values


def _counted(labels: list[str] | None, like: list[str] | None) -> list[str] | None:
    """The labels; "0", "1", ... if there are none, but `like` has these numbers in another order."""
    if labels is not None or like is None:
        return labels
    numbers = [str(k) for k in range(len(like))]
    return numbers if sorted(like) == sorted(numbers) else None


def _first_difference(labels: list[str], wanted: list[str]) -> str | None:
    """The first label that does not occur equally often in both lists; None if the lists differ in their order only."""
    counts, wanted_counts = Counter(labels), Counter(wanted)
    return next((label for label in [*labels, *wanted] if counts[label] != wanted_counts[label]), None)


def aligned(source: MatrixLike, names: tuple[list[str] | None, list[str] | None], name: str) -> MatrixLike:
    """Puts the rows and columns of a frame into the order of `names`. Returns any other source, and a frame without
    labels, unchanged."""
    if not _is_frame(source):
        return source
    rows, columns = _labels(source.index), _labels(source.columns)
    if names[0] is names[1]:  # the axes of a square frame have the same labels
        rows, columns = _counted(rows, columns), _counted(columns, rows)
    for axis, (labels, given) in enumerate(zip((rows, columns), names)):
        wanted = _counted(given, labels)
        if labels is None or wanted is None or labels == wanted:
            continue
        strange = _first_difference(labels, wanted)
        if strange is not None:
            kind = "columns" if axis else "rows"
            raise ValueError(f"{name}: the labels of its {kind} are not the names that the other arguments give: "
                             f"the label {strange!r} occurs {labels.count(strange)} times in {name} and "
                             f"{wanted.count(strange)} times among the names")
        order = [labels.index(label) for label in wanted]
        source = source.iloc[:, order] if axis else source.iloc[order]
    return source


def positional(source: MatrixLike) -> MatrixLike:
    """The entries of a frame without its labels; everything else as it is."""
    return source.to_numpy() if _is_frame(source) else source


def series_items(series: Any, by_name: bool) -> Any:
    """A series of pandas as {label: value}; as a list if its labels are 0, 1, 2, ..."""
    if _labels(series.index) is None:
        return series.tolist()
    return {str(label) if by_name else label: value for label, value in zip(series.index, series.tolist())}


def frame_names(source: MatrixLike, name: str) -> list[str] | None:
    """Labels of a square frame; None if `source` is no frame or has no labels. If rows and columns both have labels,
    the labels must be the same, in any order."""
    if not _is_frame(source):
        return None
    rows, columns = _labels(source.index), _labels(source.columns)
    rows, columns = _counted(rows, columns), _counted(columns, rows)
    if rows is None or columns is None:
        return columns if rows is None else rows
    strange = _first_difference(columns, rows)
    if strange is not None:
        raise ValueError(f"{name}: its rows and columns must have the same labels; the label {strange!r} "
                         f"occurs {rows.count(strange)} times in the rows and {columns.count(strange)} times in the "
                         f"columns")
    return rows


def is_sequence(value: Any) -> bool:
    """Whether `value` is a list or an array, not a text."""
    return hasattr(value, "tolist") or (isinstance(value, Sequence) and not isinstance(value, (str, bytes)))

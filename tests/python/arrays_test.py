# SPDX-License-Identifier: Apache-2.0
"""Matrices of every kind give the same problem, and anything else is reported."""

import time
import unittest
from array import array
from decimal import Decimal
from fractions import Fraction

from support import FolderTest

import qapfw

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None
try:
    import scipy.sparse as sparse
except ImportError:
    sparse = None

FLOW = [[0, 3, 1, 4], [2, 0, 7, 1], [5, 1, 0, 2], [1, 1, 6, 0]]
DISTANCE = [[0, 2, 9, 4], [1, 0, 3, 8], [7, 5, 0, 1], [4, 2, 6, 0]]
SQUARE = [[0, 1], [1, 0]]


def answer(flow, distance=DISTANCE, **options):
    result = qapfw.solve(flow, distance, **options)
    return result.cost, result.permutation


class Arrays(FolderTest):
    def test_nested_lists_of_any_numbers_are_the_same_problem(self):
        expected = answer(FLOW)
        for kind in (tuple, list, lambda row: array("d", row), lambda row: array("b", row), iter,
                     lambda row: [Decimal(x) for x in row], lambda row: [Fraction(x) for x in row]):
            self.assertEqual(answer([kind(row) for row in FLOW]), expected)
        self.assertEqual(answer((row for row in FLOW)), expected)
        self.assertIsInstance(answer(FLOW)[0], int)
        self.assertIsInstance(answer([[x + 0.5 for x in row] for row in FLOW])[0], float)

    def test_a_buffer_without_numpy_is_read(self):
        flat = array("i", [x for row in FLOW for x in row])
        self.assertEqual(answer(memoryview(flat).cast("b").cast("i", (4, 4))), answer(FLOW))

    @unittest.skipIf(numpy is None, "skipped: no numpy")
    def test_arrays_of_any_type_order_and_stride_are_the_same_problem(self):
        expected = answer(FLOW)
        for dtype in "f2 f4 f8 g i1 i2 i4 i8 u1 u2 u4 u8 >i4 >f8 <i4 O".split():
            with self.subTest(dtype):
                self.assertEqual(answer(numpy.array(FLOW, dtype=dtype)), expected)
        wide = numpy.full((8, 12), 77)
        wide[1::2, 2:10:2] = FLOW
        frozen = numpy.array(FLOW)
        frozen.setflags(write=False)
        unaligned = numpy.frombuffer(b"x" + numpy.array(FLOW).tobytes(), dtype="u1")[1:].view("i8").reshape(4, 4)
        for k, view in enumerate((numpy.asfortranarray(FLOW), wide[1::2, 2:10:2], numpy.array(FLOW)[::-1, ::-1][::-1, ::-1],
                                  numpy.array(FLOW).T.copy().T, frozen, unaligned)):
            with self.subTest(view=k):
                self.assertEqual(answer(view), expected)
        flags = numpy.array(FLOW) > 2
        self.assertEqual(answer(flags), answer(flags.astype(int)))
        self.assertEqual(answer(numpy.broadcast_to(numpy.int8(3), (4, 4))), answer([[3] * 4] * 4))

    @unittest.skipIf(pandas is None, "skipped: no pandas")
    def test_labels_of_frames_are_names(self):
        machines, halls = ["press", "lathe", "drill", "paint"], ["A", "B", "C", "D"]
        flow, distance = (pandas.DataFrame(FLOW, machines, machines), pandas.DataFrame(DISTANCE, halls, halls))
        result = qapfw.solve(flow, distance)
        self.assertEqual((result.cost, result.permutation), answer(FLOW))
        self.assertEqual(result.assignment, {m: halls[k] for m, k in zip(machines, result.permutation)})
        self.assertEqual(list(result.frame()["facility"]), machines)
        turned = flow[["paint", "press", "drill", "lathe"]]
        self.assertEqual(qapfw.solve(turned, distance).assignment, result.assignment)
        linear = pandas.DataFrame([[9, 0, 9, 9]] * 4, index=machines[::-1], columns=halls)
        linear.loc["drill"] = [0, 500, 500, 500]
        self.assertEqual(qapfw.solve(flow, distance, linear=linear).assignment["drill"], "A")
        self.assertEqual(qapfw.solve(flow, distance, fixed={"press": "D", "paint": 0}).permutation[0], 3)
        with self.assertRaisesRegex(ValueError, "same labels; the label 'saw' occurs 0 times in the rows and 1 times"):
            qapfw.solve(flow.rename(columns={"press": "saw"}), distance)
        with self.assertRaisesRegex(ValueError, "the label 'press' occurs 1 times in the rows and 2 times"):
            qapfw.solve(flow.rename(columns={"lathe": "press"}), distance)
        with self.assertRaisesRegex(ValueError, "the label 'A' occurs 2 times in linear and 1 times among the names"):
            qapfw.solve(flow, distance, linear=linear.rename(columns={"B": "A"}))
        self.assertEqual(answer(pandas.DataFrame(FLOW)), answer(FLOW))

    @unittest.skipIf(sparse is None, "skipped: no scipy")
    def test_sparse_matrices_are_read(self):
        self.assertEqual(answer(sparse.csr_matrix(FLOW), sparse.coo_matrix(DISTANCE)), answer(FLOW))
        with self.assertRaisesRegex(ValueError, "flow is 20000 x 20000; at most 16384 x 16384 is possible"):
            qapfw.solve(sparse.eye(20000), SQUARE)

    def test_what_is_no_matrix_is_told(self):
        class Odd:
            pass

        for kind, flow, words in (
                (TypeError, 5, r"flow is an int; a matrix was wanted"), (TypeError, None, "flow is None; a matrix"),
                (TypeError, "01", "flow is a str; a matrix"), (TypeError, {0: [0, 1]}, "flow is a dict; a matrix"),
                (TypeError, Odd(), "flow is an Odd; a matrix"), (TypeError, [0, 1], r"flow\[0\] is 0; a row of numbers"),
                (TypeError, [[0, 1], "10"], r"flow\[1\] is '10'; a row of numbers"),
                (TypeError, [[0, "1"], [1, 0]], r"flow\[0\]\[1\] is '1'; a number was wanted"),
                (TypeError, [[0, None], [1, 0]], r"flow\[0\]\[1\] is None; a number"),
                (TypeError, [[0, 1j], [1, 0]], r"flow\[0\]\[1\] is 1j; a number"),
                (ValueError, [[0, 1], [1]], r"flow\[1\] has 1 entries; 2 were wanted, as many as flow\[0\] has"),
                (ValueError, [[0, float("nan")], [1, 0]], r"flow\[0\]\[1\] is nan; a finite number was wanted"),
                (ValueError, [[0, 1], [float("-inf"), 0]], r"flow\[1\]\[0\] is -inf; a finite number"),
                (ValueError, [[0, 10**400], [1, 0]], r"flow\[0\]\[1\] is 1000.*too large"),
                (ValueError, [], "flow is empty"), (ValueError, [[], []], "flow is 2 x 0; a square matrix was wanted"),
                (ValueError, [[0, 1, 2], [1, 0, 2]], "flow is 2 x 3; a square matrix was wanted"),
                (ValueError, [[0] * 3] * 3, "flow is 3 x 3 and distance 2 x 2; at least as many locations")):
            with self.subTest(words), self.assertRaisesRegex(kind, f"^{words}") as caught:
                qapfw.solve(flow, SQUARE)
            self.assertNotIn("\n", str(caught.exception))

    @unittest.skipIf(numpy is None, "skipped: no numpy")
    def test_arrays_that_are_no_matrices_are_told(self):
        for kind, flow, words in (
                (ValueError, numpy.zeros(4), "flow has 1 dimension; a matrix with 2 dimensions"),
                (ValueError, numpy.zeros((2, 2, 2)), "flow has 3 dimensions"),
                (TypeError, numpy.zeros((2, 2), dtype=complex), "flow holds complex numbers"),
                (TypeError, numpy.array([["a", "b"]] * 2), "flow has entries of type <U1; numbers were wanted"),
                (ValueError, numpy.zeros((0, 0)), "flow is empty"),
                (ValueError, numpy.array([[0, numpy.nan], [1, 0]]), r"flow\[0\]\[1\] is nan"),
                (ValueError, numpy.broadcast_to(1.0, (20000, 20000)), "flow is 20000 x 20000; at most 16384"),
                (ValueError, numpy.ma.masked_equal(SQUARE, 1), "flow has masked entries")):
            with self.subTest(words), self.assertRaisesRegex(kind, f"^{words}"):
                qapfw.solve(flow, SQUARE)

    def test_one_and_two_facilities_are_solved(self):
        self.assertEqual(answer([[7]], [[3]]), (21, (0,)))
        self.assertEqual(answer([[0, 3], [1, 0]], [[0, 5], [2, 0]]), (11, (1, 0)))
        self.assertEqual(answer([[2]], [[5, 0], [0, 3]]), (6, (1,)))

    def test_wrong_pairs_and_permutations_are_told(self):
        for kind, options, words in (
                (ValueError, {"fixed": {0: 2}}, r"fixed\[0\] is 2; a location from 0 to 1 was wanted"),
                (ValueError, {"fixed": {-1: 0}}, "fixed: the key is -1; a facility from 0 to 1"),
                (TypeError, {"fixed": {"0": 1}}, "fixed: the key is the text '0', but there are no names"),
                (TypeError, {"fixed": {0: 1.0}}, r"fixed\[0\] is 1.0; a location from 0 to 1"),
                (ValueError, {"fixed": [0]}, "fixed has 1 entries; 2 were wanted"),
                (TypeError, {"fixed": 3}, "fixed is 3; {facility: location} or a list of 2 locations"),
                (ValueError, {"forbidden": [(0, 6)]}, r"forbidden\[0\]\[1\] is 6; a location from 0 to 1"),
                (TypeError, {"forbidden": [3]}, r"forbidden\[0\] is 3; a pair"),
                (ValueError, {"linear": [[1, 2, 3]] * 2}, "linear is 2 x 3; 2 x 2 was wanted"),
                (ValueError, {"initial": [0]}, "initial has 1 entries; 2 were wanted"),
                (ValueError, {"initial": [0, 2]}, r"initial\[1\] is 2; a location from 0 to 1"),
                (ValueError, {"initial": [1, 1]}, "initial: the facilities 0 and 1 both have the location 1"),
                (ValueError, {"initial": ["X", "X"], "facilities": ["a", "b"], "locations": ["X", "Y"]},
                 "initial: the facilities 'a' and 'b' both have the location 'X'"),
                (TypeError, {"maximize": "no"}, "maximize is 'no'; True or False was wanted"),
                (TypeError, {"initial": [0.0, 1.0]}, r"initial\[0\] is 0.0; a location from 0 to 1"),
                (ValueError, {"facilities": ["a"]}, "facilities has 1 names; 2 were wanted"),
                (ValueError, {"facilities": ["a", "a"]}, "facilities has the name 'a' twice"),
                (ValueError, {"facilities": ["a", "b"], "fixed": {"c": 0}}, "fixed: the key is 'c'; no facility has")):
            with self.subTest(words), self.assertRaisesRegex(kind, f"^{words}") as caught:
                qapfw.solve(SQUARE, SQUARE, **options)
            self.assertNotIn("\n", str(caught.exception))

    def test_pairs_that_leave_no_assignment_are_named_from_0(self):
        square = [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
        for options, words in (
                ({"forbidden": [(1, 1), (1, 2), (2, 1), (2, 2)]}, "facilities 1 and 2 have only 1 location between them"),
                ({"forbidden": [(0, 0), (0, 1), (0, 2)]}, "facility 0 has no location left"),
                ({"forbidden": [(0, 1)], "fixed": {0: 1}}, "facility 0 is fixed at location 1, which is forbidden to it"),
                ({"fixed": {0: 1, 2: 1}}, r"fixed\[2\] is 1, the location of an earlier facility")):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                qapfw.solve(square, square, **options)

    def test_wrong_options_are_told(self):
        for kind, options, words in (
                (ValueError, {"time_limit": 0}, "time_limit is 0; a time above 0"),
                (ValueError, {"time_limit": float("nan")}, "time_limit is nan"),
                (TypeError, {"time_limit": [1]}, r"time_limit is \[1\]; seconds"),
                (ValueError, {"time_limit": "soon"}, "run.time_limit"), (TypeError, {"iterations": 1.5}, "iterations is 1.5"),
                (ValueError, {"evaluations": 0}, "evaluations is 0"), (ValueError, {"seed": -1}, "seed is -1"),
                (TypeError, {"target": [3]}, r"target is \[3\]"), (ValueError, {"algorithm": "tabo"}, ".*tabu"),
                (TypeError, {"algorithm": 3}, "algorithm is 3"), (ValueError, {"parameters": {"tenur": 3}}, ".*tenur"),
                (ValueError, {"backend": "gpu"}, "device.backend"), (TypeError, {"callback": 3}, "callback is 3"),
                (ValueError, {"progress": "bar"}, "progress is 'bar'"), (TypeError, {"cancel": True}, "cancel is True"),
                (TypeError, {"tim_limit": 3}, ".*unexpected keyword argument 'tim_limit'")):
            with self.subTest(words), self.assertRaisesRegex(kind, f"^{words}"):
                qapfw.solve(SQUARE, SQUARE, **options)

    def test_a_path_that_looks_like_an_option_is_a_path(self):
        for name in ("--plugin-path=x", "-", "--help"):
            with self.subTest(name), self.assertRaisesRegex(ValueError, name):
                qapfw.Problem.from_file(name, problem="qap")

    @unittest.skipIf(numpy is None, "skipped: no numpy")
    def test_handing_over_is_quick(self):
        pair = [numpy.random.default_rng(1).integers(0, 100, (2000, 2000)) for _ in range(2)]
        seconds = []
        for _ in range(3):
            start = time.perf_counter()
            qapfw.Problem(*pair)
            seconds.append(time.perf_counter() - start)
        self.assertLess(min(seconds), 0.5)  # a call takes a tenth of that on an idle machine

    def test_iterators_are_kept_for_searches_that_read_them_again(self):
        best = qapfw.solve(FLOW, DISTANCE)
        for options in ({}, {"log": lambda line: None}, {"record": self.folder / "kept"}):
            result = qapfw.solve(map(list, FLOW), DISTANCE, forbidden=zip([0], [best.permutation[0]]), **options)
            self.assertNotEqual(result.permutation[0], best.permutation[0])

    def test_fixed_facilities_stay_fixed_in_a_record_whatever_the_names(self):
        for k, names in enumerate((range(4), list("3210"), ["a,b", 'c"d', "->", "5->6"])):
            fixed = {str(list(names)[1]): str(list(names)[2])}
            options = {"facilities": names, "locations": names, "fixed": fixed}
            result = qapfw.solve(FLOW, DISTANCE, record=self.folder / f"fixed{k}", **options)
            self.assertEqual(result.permutation[1], 2)
            self.assertEqual(result.cost, qapfw.solve(FLOW, DISTANCE, **options).cost)

    @unittest.skipIf(pandas is None, "pandas is missing")
    def test_frames_are_read_by_their_labels_also_where_these_are_numbers(self):
        frame, cost = pandas.DataFrame(FLOW), answer(FLOW)[0]
        for order in ([2, 0, 1, 3], [3, 2, 1, 0]):
            for shuffled in (frame.iloc[order], frame.iloc[:, order], frame.iloc[order, order]):
                result = qapfw.solve(shuffled, DISTANCE)
                self.assertEqual(result.cost, cost)
                self.assertEqual(qapfw.qap_cost(shuffled, DISTANCE, result.permutation), cost)
            linear = pandas.DataFrame([[5, 1, 7, 3], [2, 8, 0, 4], [9, 6, 1, 1], [0, 3, 5, 2]])
            self.assertEqual(qapfw.solve(FLOW, DISTANCE, linear=linear.iloc[order]).cost,
                             qapfw.solve(FLOW, DISTANCE, linear=linear).cost)
            found = qapfw.quadratic_assignment(frame.iloc[:, order], DISTANCE)  # by position, as SciPy does
            self.assertEqual(found.fun, qapfw.qap_cost(frame.iloc[:, order].to_numpy(), DISTANCE, list(found.col_ind)))
        names = pandas.Series({"b": "x", "a": "w"})
        result = qapfw.solve([[0, 1], [2, 0]], [[0, 3], [5, 0]], facilities=["a", "b"], locations=["w", "x"], fixed=names)
        self.assertEqual(result.assignment, {"a": "w", "b": "x"})

    def test_what_is_ambiguous_or_does_not_fit_is_refused(self):
        with self.assertRaisesRegex(ValueError, "which may be pairs or a table of 2 x 2"):
            qapfw.solve(SQUARE, SQUARE, forbidden=[[1, 0], [0, 1]])
        self.assertEqual(qapfw.solve(SQUARE, SQUARE, forbidden=[(0, 0)]).permutation, (1, 0))
        with self.assertRaisesRegex(ValueError, "flow is 3 x 4; a square matrix was wanted"):
            qapfw.qap_cost(FLOW[:3], DISTANCE, [0, 1, 2])
        with self.assertRaisesRegex(ValueError, "linear is 1 x 3; 4 x 4 was wanted"):
            qapfw.qap_cost(FLOW, DISTANCE, [0, 1, 2, 3], linear=[[1, 1, 1]])
        with self.assertRaisesRegex(TypeError, "permutation is a mapping"):
            qapfw.qap_cost(SQUARE, SQUARE, {0: 1, 1: 0})
        for graph in (([0, 1, 2], [1, 0], [2**64 + 7, 1]), ([0, 1, 2], [2**64 + 1, 0])):
            with self.assertRaisesRegex(ValueError, "at most 64 bits"):
                qapfw.Problem.from_graph(graph, "grid:1x2")
        with self.assertRaisesRegex(TypeError, "columns has the entry 1.7"):
            qapfw.Problem.from_graph(([0, 1, 2], [1.7, 0]), "grid:1x2")

    @unittest.skipIf(numpy is None, "NumPy is missing")
    def test_small_integers_do_not_overflow(self):
        full = numpy.full((13, 13), 50000, "i4")
        self.assertEqual(qapfw.quadratic_assignment(full, full, method="faq").fun, 422500000000)


if __name__ == "__main__":
    unittest.main()

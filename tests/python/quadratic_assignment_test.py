# SPDX-License-Identifier: Apache-2.0
"""`quadratic_assignment`, which must behave like SciPy's function of this name."""

import itertools
import math
import random
import sys
import time
import unittest
import warnings
from unittest import mock

from support import FolderTest

import qapfw
from qapfw import quadratic_assignment
from qapfw._faq import faq

try:
    import numpy
except ImportError:
    numpy = None
try:
    import scipy.optimize
except ImportError:
    scipy = None

# chr12c of QAPLIB: Christofides and Benavent, 1989.
CHR12C_TREE = [(0, 1, 90), (0, 2, 10), (1, 3, 23), (2, 4, 43), (3, 5, 88), (4, 6, 26), (5, 7, 16), (6, 8, 1), (7, 9, 96),
               (8, 10, 29), (9, 11, 37)]
CHR12C = """\
0 36 54 26 59 72 9 34 79 17 46 95
36 0 73 35 90 58 30 78 35 44 79 36
54 73 0 21 10 97 58 66 69 61 54 63
26 35 21 0 93 12 46 40 37 48 68 85
59 90 10 93 0 64 5 29 76 16 5 76
72 58 97 12 64 0 96 55 38 54 0 34
9 30 58 46 5 96 0 83 35 11 56 37
34 78 66 40 29 55 83 0 44 12 15 80
79 35 69 37 76 38 35 44 0 64 39 33
17 44 61 48 16 54 11 12 64 0 70 86
46 79 54 68 5 0 56 15 39 70 0 18
95 36 63 85 76 34 37 80 33 86 18 0"""

METHODS = "memetic", "faq", "2opt"


def matrix(n, seed, real=False):
    draw = random.Random(seed)
    return [[0 if i == j else draw.random() if real else draw.randint(0, 20) for j in range(n)] for i in range(n)]


def value(a, b, p):
    return sum(a[i][j] * b[p[i]][p[j]] for i in range(len(p)) for j in range(len(p)))


def values(a, b, match=()):
    n = range(len(a))
    return [value(a, b, p) for p in itertools.permutations(n) if all(p[i] == k for i, k in match)]


def planted(n, seed, wrong=0.0):
    """Two graphs and the order that turns the first into the second. With the probability `wrong`, a pair of vertices
    is joined in only one of the graphs."""
    draw = random.Random(seed)
    a = [[0] * n for _ in range(n)]
    for i, j in itertools.combinations(range(n), 2):
        a[i][j] = a[j][i] = int(draw.random() < 0.3)
    p = list(range(n))
    draw.shuffle(p)
    b = [[0] * n for _ in range(n)]
    for i, j in itertools.combinations(range(n), 2):
        entry = a[i][j] ^ int(draw.random() < wrong)
        b[p[i]][p[j]] = b[p[j]][p[i]] = entry
    return a, b, p


class Answers(FolderTest):
    def check(self, a, b, result, match=()):
        p = [int(k) for k in result.col_ind]
        self.assertEqual(sorted(p), list(range(len(a))))
        self.assertTrue(all(p[i] == k for i, k in match))
        self.assertAlmostEqual(result.fun, value(a, b, p), places=9)
        self.assertEqual(result["fun"], result.fun)
        self.assertGreaterEqual(result.nit, 0)

    def test_minima_and_maxima_are_those_of_all_permutations(self):
        for real in (False, True):
            a, b = matrix(6, 1, real), matrix(6, 2, real)
            every = values(a, b)
            for method, maximize in itertools.product(METHODS, (False, True)):
                with self.subTest(method, real=real, maximize=maximize):
                    result = quadratic_assignment(a, b, method, {"maximize": maximize, "rng": 0})
                    self.check(a, b, result)
                    if method == "memetic":
                        self.assertAlmostEqual(result.fun, max(every) if maximize else min(every), places=9)

    def test_partial_matches_hold(self):
        a, b, match = matrix(6, 3), matrix(6, 4), [(0, 3), (4, 1)]
        for method in METHODS:
            for pairs in (match, [list(pair) for pair in match]):
                result = quadratic_assignment(a, b, method, {"partial_match": pairs, "rng": 1})
                self.check(a, b, result, match)
        self.assertEqual(quadratic_assignment(a, b, options={"partial_match": match}).fun, min(values(a, b, match)))
        whole = [(i, (i + 1) % 6) for i in range(6)]
        for method in METHODS:
            result = quadratic_assignment(a, b, method, {"partial_match": whole[::-1]})
            self.check(a, b, result, whole)
            self.assertEqual(result.nit, 0)

    def test_the_same_rng_gives_the_same_answer(self):
        a, b = matrix(14, 5), matrix(14, 6)
        for method, options in (("2opt", {}), ("faq", {"P0": "randomized"}), ("memetic", {"evaluations": 100000})):
            first, second = (quadratic_assignment(a, b, method, {"rng": 7, **options}) for _ in range(2))
            self.assertEqual((list(first.col_ind), first.fun), (list(second.col_ind), second.fun), method)

    def test_without_a_time_limit_the_clock_does_not_change_the_answer(self):
        a, b = matrix(14, 5), matrix(14, 6)
        options = {"rng": 7, "evaluations": 1, "P0": "randomized"}
        first = quadratic_assignment(a, b, options=options)
        slow_clock = mock.Mock(perf_counter=mock.Mock(side_effect=itertools.count(0, 10)))
        with mock.patch.object(sys.modules["qapfw._quadratic_assignment"], "time", slow_clock):
            second = quadratic_assignment(a, b, options=options)
        self.assertEqual((list(first.col_ind), first.fun), (list(second.col_ind), second.fun))

    def test_2opt_ends_in_a_local_optimum_and_goes_on_from_a_guess(self):
        a, b = matrix(12, 7), matrix(12, 8)
        result = quadratic_assignment(a, b, "2opt", {"rng": 3})
        p = [int(k) for k in result.col_ind]
        for i, j in itertools.combinations(range(12), 2):
            q = p[:]
            q[i], q[j] = q[j], q[i]
            self.assertGreaterEqual(value(a, b, q), result.fun)
        again = quadratic_assignment(a, b, "2opt", {"rng": 4, "partial_guess": list(enumerate(p))})
        self.assertLessEqual(again.fun, result.fun)

    def test_faq_finds_a_planted_order(self):
        a, b, p = planted(25, 1)
        result = quadratic_assignment(a, b, "faq", {"maximize": True, "partial_match": [(i, p[i]) for i in range(8)]})
        self.assertEqual(list(result.col_ind), p)
        n = len(p)
        start = [[0.5 / n + (0.5 if p[i] == k else 0) for k in range(n)] for i in range(n)]
        result = quadratic_assignment(a, b, "faq", {"maximize": True, "P0": start, "tol": 1e-3, "shuffle_input": True})
        self.check(a, b, result)
        self.assertEqual(quadratic_assignment(a, b, options={"maximize": True, "rng": 1, "time_limit": 0.5}).fun,
                         value(a, b, p))

    def test_a_time_limit_ends_faq_after_an_iteration(self):
        a, b = matrix(30, 3, False), matrix(30, 4, False)
        options = {"maximize": False, "seeds": [], "start": "barycenter", "rng": random.Random(1), "shuffles": False,
                   "most_iterations": 30, "tolerance": 0.0}
        for end, iterations in ((0.0, 1), (math.inf, 30)):
            permutation, made = faq(a, b, **options, end=end)
            self.assertEqual((sorted(permutation), made), (list(range(30)), iterations))
        with mock.patch("qapfw._quadratic_assignment.faq", wraps=faq) as run:
            begin = time.perf_counter()
            quadratic_assignment(a, b, options={"time_limit": 0.01, "P0": "barycenter"})
            self.assertLess(run.call_args_list[0].kwargs["end"], begin + 1)

    @unittest.skipIf(numpy is None, "skipped: no numpy")
    def test_faq_with_lists_is_faq_with_numpy(self):
        a, b = matrix(9, 9, True), matrix(9, 10, True)
        options = {"partial_match": [(1, 2)], "tol": 1e-6}
        expected = quadratic_assignment(numpy.array(a), numpy.array(b), "faq", options)
        self.assertIsInstance(expected.col_ind, numpy.ndarray)
        with mock.patch.dict("sys.modules", {"numpy": None}):
            found = quadratic_assignment(a, b, "faq", options)
        self.assertEqual((found.col_ind, found.nit), (list(expected.col_ind), expected.nit))
        self.assertAlmostEqual(found.fun, expected.fun)

    def test_the_optimum_of_chr12c_is_found(self):
        a = [[0] * 12 for _ in range(12)]
        for i, j, weight in CHR12C_TREE:
            a[i][j] = a[j][i] = weight
        b = [[int(word) for word in row.split()] for row in CHR12C.splitlines()]
        best = [6, 4, 0, 2, 9, 3, 7, 5, 8, 10, 1, 11]
        self.assertEqual(value(a, b, best), 11156)
        self.assertEqual(quadratic_assignment(a, b, options={"rng": 0}).fun, 11156)
        for method, most in (("faq", 21000), ("2opt", 21000)):
            result = quadratic_assignment(a, b, method, {"rng": 0})
            self.assertTrue(11156 <= result.fun < most)
        seeds = list(enumerate(best))[:3]
        for method in METHODS:
            result = quadratic_assignment(a, b, method, {"rng": 0, "partial_match": seeds})
            self.check(a, b, result, seeds)
            self.assertLess(result.fun, 21000)

    def test_matrices_of_size_0_1_and_2(self):
        for method in METHODS:
            empty = quadratic_assignment([], [], method)
            self.assertEqual((list(empty.col_ind), empty.fun, empty.nit), ([], 0, 0))
            self.assertEqual(quadratic_assignment([[3]], [[2]], method).fun, 6)
            pair = quadratic_assignment([[0, 3], [1, 0]], [[0, 5], [2, 0]], method)
            self.assertIn(pair.fun, (11, 17))
        if numpy is not None:
            self.assertEqual(quadratic_assignment(numpy.empty((0, 0)), numpy.empty((0, 0))).fun, 0)

    def test_what_scipy_refuses_is_refused(self):
        a, b = matrix(5, 1), matrix(5, 2)
        for words, options in (
                ("can have only as many seeds as there are nodes", {"partial_match": [(i, i) for i in range(6)]}),
                ("must have two columns", {"partial_match": [[0, 1, 2]]}),
                ("must have exactly two dimensions", {"partial_match": [[[0, 1], [2, 3]]]}),
                ("must contain only positive indices", {"partial_match": [(-1, 0)]}),
                ("entries must be less than number of nodes", {"partial_match": [(0, 5)]}),
                ("column entries must be unique", {"partial_match": [(0, 1), (2, 1)]})):
            for method in METHODS:
                with self.subTest(words, method=method), self.assertRaisesRegex(ValueError, f"partial_match` .*{words}|{words}"):
                    quadratic_assignment(a, b, method, options)
        for words, options in (
                ("Invalid 'P0' parameter string", {"P0": "bary"}), ("'maxiter' must be a positive", {"maxiter": -1}),
                ("'tol' must be a positive float", {"tol": -1}), ("must have shape m' x m'", {"P0": [[1]]}),
                ("must be doubly stochastic", {"P0": [[1] * 5] * 5})):
            for method in ("faq", "memetic"):
                with self.subTest(words, method=method), self.assertRaisesRegex(ValueError, words):
                    quadratic_assignment(a, b, method, options)
        with self.assertRaises(TypeError):
            quadratic_assignment(a, b, "faq", {"maxiter": 1.5})
        for words, first, second in (("`A` must be square", [[0, 1]], b), ("`B` must be square", a, [[0, 1]] * 5),
                                     ("must be of equal size", a, matrix(6, 1))):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                quadratic_assignment(first, second)
        with self.assertRaisesRegex(ValueError, "method is 'oh no'; one of 'memetic', 'faq', '2opt' was wanted"):
            quadratic_assignment(a, b, "oh no")
        with self.assertRaisesRegex(ValueError, "partial_guess` column entries must be unique"):
            quadratic_assignment(a, b, "2opt", {"partial_guess": [(0, 1), (0, 2)]})

    def test_options_that_are_unknown_are_warned_of(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            quadratic_assignment([[0]], [[0]], "faq", {"ekki": 3})
        self.assertEqual([str(warning.message) for warning in caught], ["Unknown solver options: ekki"])

    @unittest.skipIf(scipy is None or numpy is None, "skipped: no scipy")
    def test_memetic_is_never_worse_than_the_methods_of_scipy(self):
        draw, gains = numpy.random.default_rng(1), []
        for n, kind in ((20, "int"), (25, "graph"), (30, "float"), (40, "graph"), (50, "int"), (60, "float"), (80, "graph")):
            if kind == "graph":
                a, b, _ = planted(n, n, 0.05)
            elif kind == "int":
                a, b = (draw.integers(0, 100, (n, n)) for _ in range(2))
            else:
                a, b = (draw.random((n, n)) for _ in range(2))
            sense = -1 if kind == "graph" else 1
            options = {"maximize": sense < 0}
            theirs = [scipy.optimize.quadratic_assignment(numpy.array(a), numpy.array(b), "faq", options).fun * sense]
            if n < 50:  # larger instances take seconds
                theirs.append(scipy.optimize.quadratic_assignment(numpy.array(a), numpy.array(b), "2opt",
                                                                  {**options, "rng": 0}).fun * sense)
            ours = quadratic_assignment(a, b, options={**options, "time_limit": 0.1, "rng": 0})
            self.assertIsInstance(ours, scipy.optimize.OptimizeResult)
            with self.subTest(n=n, kind=kind):
                self.assertLessEqual(ours.fun * sense, min(theirs) + 1e-9 * abs(ours.fun))
                gains.append(min(theirs) - ours.fun * sense)
        self.assertGreater(sum(gain > 0 for gain in gains), len(gains) // 2)


if __name__ == "__main__":
    unittest.main()

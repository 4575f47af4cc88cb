# SPDX-License-Identifier: Apache-2.0
import itertools
import json
import random
import unittest
from decimal import Decimal
from fractions import Fraction

from support import FolderTest

import qapfw

try:
    import numpy
except ImportError:
    numpy = None


def matrix(n, seed, top=9):
    draw = random.Random(seed)
    return [[draw.randint(-1, top) for _ in range(n)] for _ in range(n)]


def exact(value):
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def cost(flow, distance, p):
    n = range(len(p))
    return sum(exact(flow[i][j]) * exact(distance[p[i]][p[j]]) for i in n for j in n)


class Solve(FolderTest):
    def solve(self, flow, distance, **options):
        return qapfw.solve(flow, distance, iterations=200, threads=1, **{"algorithm": "tabu", **options})

    def test_asymmetric_matrices_are_solved_to_the_optimum_of_all_permutations(self):
        flow, distance = matrix(6, 1), matrix(6, 2)
        best = min(cost(flow, distance, p) for p in itertools.permutations(range(6)))
        result = self.solve(flow, distance)
        self.assertEqual(result.cost, best)
        self.assertIsInstance(result.cost, int)
        self.assertEqual(cost(flow, distance, result.permutation), best)
        self.assertEqual(qapfw.qap_cost(flow, distance, result.permutation), best)
        self.assertIsNone(result.folder)

    def test_decimal_fractions_are_exact(self):
        flow = [[0, 0.1, 0.7], [0.2, 0, 1e-7], [3, 0.3, 0]]
        distance = [[0, 1.25, Decimal("0.1")], [2, 0, 0.3], [1, 7, 0]]
        best = min(cost(flow, distance, p) for p in itertools.permutations(range(3)))
        result = self.solve(flow, distance)
        self.assertEqual(cost(flow, distance, result.permutation), best)
        self.assertAlmostEqual(result.cost, float(best), places=12)
        self.assertEqual(qapfw.qap_cost(flow, distance, result.permutation), float(best))

    def test_floats_that_stand_for_decimals_are_proven_as_decimals(self):
        result = qapfw.solve([[0, 0.1, 0.7], [0.2, 0, 1.5], [3, 0.3, 0]], [[0, 2.5, 1], [1, 0, 0.05], [3, 4, 0]])
        self.assertTrue(result.optimal)
        self.assertEqual(result["cost_space"]["divisor"], 1000)
        computed = 0.1 + 0.2  # 0.30000000000000004
        self.assertEqual(qapfw.solve([[0, computed], [0, 0]], [[0, 1], [2, 0]])["cost_space"]["divisor"], 1)

    def test_a_proof_by_the_solver_is_the_bound(self):
        flow, distance = matrix(7, 1), matrix(7, 2)
        result = qapfw.solve(flow, distance, algorithm="exact", threads=1, backend="cpu")
        self.assertLess(result["lower_bound"], result.cost)
        self.assertEqual((result.reason, result.optimal, result.bound), ("optimal", True, result.cost))

    def test_the_better_of_the_problem_s_own_bound_and_the_runs_counts(self):
        def bound(own, proven, sense):
            data = {"stop_reason": "iterations", "cost_space": {"sense": sense}, "lower_bound": own,
                    "proven_bound": None if proven is None else {"cost": proven, "raw": str(proven), "name": "x"}}
            return qapfw.Result.parse(json.dumps(data), "a test").bound

        self.assertIsNone(bound(None, None, 1))
        self.assertEqual([bound(5, None, 1), bound(None, 0, 1), bound(5, 3, 1), bound(5, 7, 1)], [5, 0, 5, 7])
        self.assertEqual([bound(5, None, -1), bound(None, 0, -1), bound(5, 3, -1), bound(5, 7, -1)], [5, 0, 3, 5])

    def test_costs_of_real_numbers_are_those_of_doubles(self):
        flow, distance = [[0, 1 / 3, 2 / 7], [0.1, 0, 1e-7], [3, 0.3, 0]], [[0, 1e9 / 7, 1.5], [2, 0, 3 ** 0.5], [1, 7, 0]]
        best = min(cost(flow, distance, p) for p in itertools.permutations(range(3)))
        result = self.solve(flow, distance)
        self.assertAlmostEqual(result.cost / best, 1, places=13)
        self.assertAlmostEqual(cost(flow, distance, result.permutation) / best, 1, places=13)

    def test_the_general_model_is_solved_to_the_optimum_of_all_assignments(self):
        flow, distance, linear = matrix(4, 1), matrix(6, 2), [row[:6] for row in matrix(6, 3)[:4]]
        forbidden = [(0, 1), (2, 3), (3, 3)]
        allowed = [p for p in itertools.permutations(range(6), 4) if all(p[i] != k for i, k in forbidden)]
        for maximize, choose in ((False, min), (True, max)):
            best = choose(cost(flow, distance, p) + sum(linear[i][k] for i, k in enumerate(p)) for p in allowed)
            result = self.solve(flow, distance, linear=linear, forbidden=forbidden, maximize=maximize)
            self.assertEqual(result.cost, best)
            self.assertIn(result.permutation, allowed)
    @unittest.skipIf(numpy is None, "skipped: no numpy")
    def test_arrays_of_numpy_give_what_lists_give(self):
        flow, distance = matrix(7, 3), matrix(7, 4)
        by_lists = self.solve(flow, distance)
        by_arrays = self.solve(numpy.array(flow), numpy.array(distance, dtype="int16"))
        self.assertEqual((by_lists["digest"], by_lists.solution), (by_arrays["digest"], by_arrays.solution))
        rows = [numpy.array(row, dtype="float64") for row in flow]
        self.assertEqual(self.solve(rows, [list(map(numpy.int64, row)) for row in distance])["digest"],
                         by_lists["digest"])

    def test_fixed_facilities_stay(self):
        flow, distance = matrix(6, 5), matrix(6, 6)
        result = self.solve(flow, distance, fixed={0: 5, 3: 2})
        self.assertEqual((result.permutation[0], result.permutation[3]), (5, 2))
        best = min(cost(flow, distance, p) for p in itertools.permutations(range(6)) if (p[0], p[3]) == (5, 2))
        self.assertEqual(result.cost, best)

    def test_the_search_starts_from_the_permutation_given(self):
        flow, distance = matrix(30, 7), matrix(30, 8)
        start = self.solve(flow, distance).permutation
        again = qapfw.solve(flow, distance, algorithm="random_restart", iterations=1, initial=start, threads=1)
        self.assertLessEqual(again.cost, cost(flow, distance, start))

    def test_a_start_may_be_a_part_or_one_of_several(self):
        flow, distance = matrix(8, 1), matrix(8, 2)
        options = {"algorithm": "random_restart", "iterations": 1, "threads": 1}
        best = qapfw.solve(flow, distance)
        names = [str(8 - i) for i in range(8)]  # names that look like other indices
        problem = qapfw.Problem(flow, distance, facilities=names, locations=names, fixed={0: best.permutation[0]})
        part = {names[i]: k for i, k in enumerate(best.permutation[:7])}
        for start in (best.permutation, [best.permutation[::-1], best.permutation], part, best.permutation[:7] + (None,)):
            if start is best.permutation or isinstance(start, dict) or None in start:
                self.assertEqual(problem.solve(initial=start, **options).cost, best.cost)
            self.assertEqual(qapfw.Problem(flow, distance, facilities=names).solve(initial=start, **options).cost, best.cost)
        self.assertEqual(problem.solve().permutation[0], best.permutation[0])

    def test_solver_improver_and_their_parameters_are_passed_on(self):
        result = qapfw.solve(matrix(8, 1), matrix(8, 2), algorithm="cas", parameters={"ants": 3}, improver="two_opt",
                             iterations=3, threads=1, record=self.folder / "r")
        record = qapfw.read_record(result.folder)
        self.assertEqual(record.config["algorithm"]["improver"]["plugin"], "two_opt")
        self.assertEqual(record.config["algorithm"]["ants"], 3)
        # resume() finds the matrices, which solve() wrote beside the record, into the folder r-instance.
        self.assertEqual(qapfw.resume(result.folder, iterations=4)["iterations"], 4)


if __name__ == "__main__":
    unittest.main()

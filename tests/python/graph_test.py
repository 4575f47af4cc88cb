# SPDX-License-Identifier: Apache-2.0
import pickle
import unittest

from support import FolderTest

import qapfw

try:
    import numpy
    import scipy.sparse
except ImportError:
    scipy = None


def ring(n):
    """The ring of `n` vertices as compressed rows: the offsets of the rows, and the columns."""
    return [2 * u for u in range(n + 1)], [v for u in range(n) for v in ((u - 1) % n, (u + 1) % n)]


class Graph(FolderTest):
    def test_rows_in_memory_are_mapped(self):
        problem = qapfw.Problem.from_graph(ring(36), "torus:6x6", facilities=[f"p{k}" for k in range(36)])
        self.assertEqual(problem.size, (36, 36))
        result = problem.solve(iterations=3000, threads=1)
        self.assertLess(result.cost, 100)  # 72 is the least: each edge has length 1
        self.assertEqual(sorted(result.permutation), list(range(36)))
        self.assertEqual(pickle.loads(pickle.dumps(problem)).size, (36, 36))

    def test_weights_count_and_free_locations_are_allowed(self):
        offsets, columns = ring(5)
        problem = qapfw.Problem.from_graph((offsets, columns, [3] * len(columns)), "grid:3x3")
        self.assertEqual(problem.size, (5, 9))
        self.assertEqual(problem.solve(iterations=500, threads=1).cost, 36)  # no ring of 5 fits a grid: one edge is longer

    @unittest.skipIf(scipy is None, "SciPy is not installed")
    def test_sparse_matrices_of_scipy_are_flows_one_way(self):
        flow = scipy.sparse.coo_matrix(([5, 7], ([0, 1], [1, 2])), shape=(3, 3))
        self.assertEqual(qapfw.Problem.from_graph(flow, "grid:3").solve(iterations=100, threads=1).cost, 12)

    def test_an_answer_is_a_start(self):
        for distance in ("grid:3x3", "grid:5x4"):
            problem = qapfw.Problem.from_graph(ring(9), distance)
            found = problem.solve(iterations=300, seed=1, threads=1)
            again = problem.solve(iterations=1, initial=found.permutation, algorithm="mapping", threads=1)
            self.assertEqual(again.cost, found.cost)
        for names in (None, [f"p{k}" for k in range(9)]):
            problem = qapfw.Problem.from_graph(ring(9), "grid:5x4", facilities=names)
            self.assertLess(problem.solve(iterations=1, initial=[7] + 8 * [-1], algorithm="mapping").cost, 200)

    def test_what_is_wrong_is_said(self):
        with self.assertRaisesRegex(ValueError, "the last offset is 2; columns and weights must have as many entries"):
            qapfw.Problem.from_graph(([0, 2], [0]), "grid:3")
        with self.assertRaisesRegex(TypeError, "a sparse matrix, or"):
            qapfw.Problem.from_graph([[0, 1], [1, 0]], "grid:3")
        with self.assertRaisesRegex(Exception, "columns\\[0\\] is 9; a vertex from 0 to 1"):
            qapfw.Problem.from_graph(([0, 1, 1], [9]), "grid:3")
        with self.assertRaisesRegex(Exception, "offsets\\[2\\] is 1, less than offsets\\[1\\], which is 2"):
            qapfw.Problem.from_graph(([0, 2, 1, 2], [1, 0]), "grid:3")
        with self.assertRaisesRegex(Exception, "offsets\\[0\\] is 1; 0 was wanted"):
            qapfw.Problem.from_graph(([1, 1, 2], [1, 0]), "grid:3")
        with self.assertRaisesRegex(Exception, "has only 2 locations"):
            qapfw.Problem.from_graph(ring(5), "grid:2")
        for weight, sentence in ((0.5, "is no whole number;"), (float("nan"), "has the weight nan at index 0")):
            with self.assertRaisesRegex(ValueError, sentence):
                qapfw.Problem.from_graph(([0, 1, 1], [1], [weight]), "grid:3")

    def test_parts_of_one_size_are_feasible_and_one_part_is_not(self):
        vertices, parts = 400, 80
        rows = [" ".join(str(u) for u in (v - 1, v + 1) if 1 <= u <= vertices) for v in range(1, vertices + 1)]
        graph = self.folder / "path.graph"
        graph.write_text("\n".join([f"{vertices} {vertices - 1}", *rows]) + "\n")
        start = self.folder / "start.txt"
        found = []
        for each in (vertices // parts, vertices):
            start.write_text("\n".join(str(v // each) for v in range(vertices)) + "\n")
            problem = qapfw.Problem.from_file(graph, problem="gqap", parameters={
                "parts": parts, "imbalance": 0, "initial": str(start)})
            found.append(problem.solve(algorithm="tabu", iterations=1, threads=1, backend="cpu"))
        self.assertEqual([result.feasible for result in found], [True, False])
        self.assertIsNone(found[0].infeasibility)
        self.assertEqual(found[0].parts, {"flows": parts - 1, "assignments": 0, "beyond capacities": 0})
        self.assertGreater(found[1].parts["beyond capacities"], 0)
        self.assertRegex(found[1].infeasibility, "total weight beyond all capacities: ")

    def test_a_solver_that_does_not_take_the_solutions_has_an_exception_of_its_own(self):
        with self.assertRaisesRegex(qapfw.UnsupportedError, "solver slicing_local_search takes solutions of these forms"):
            qapfw.Problem.from_graph(ring(5), "grid:3x3").solve(algorithm="slicing_local_search", iterations=1)
        with self.assertRaisesRegex(qapfw.UnsupportedError, "at most 40 free facilities, found 41"):
            qapfw.solve([[1] * 41] * 41, [[1] * 41] * 41, algorithm="exact", backend="cpu")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Layouts from Python."""

import pickle
import unittest

from support import FolderTest

import qapfw

try:
    import pandas
except ImportError:
    pandas = None

AREAS = {"store": 30, "press": 20, "mill": {"area": 25, "max_aspect_ratio": 3}, "paint": 15, "packing": 18, "office": 12}
FLOWS = {("store", "press"): 30, ("press", "mill"): 25, ("mill", "paint"): 20, ("paint", "packing"): 20,
         ("store", "packing"): 5, ("office", "store"): 8}
OPTIONS = {"iterations": 20, "algorithm": "memetic", "threads": 1}


def layout(areas=AREAS, flows=FLOWS, plant=(12, 10), **options):
    return qapfw.Layout(areas, flows, plant, **{"max_aspect_ratio": 4, **options})


class Layouts(FolderTest):
    def test_departments_fill_the_plant_and_the_cost_is_that_of_the_rectangles(self):
        result = layout().solve(**OPTIONS)
        places = result.rectangles
        self.assertEqual(set(places), set(AREAS))
        self.assertAlmostEqual(sum(w * h for _, _, w, h in places.values()), 120)
        for x, y, width, height in places.values():
            self.assertTrue(x >= 0 and y >= 0 and x + width <= 12 + 1e-9 and y + height <= 10 + 1e-9)
        centre = {name: (x + w / 2, y + h / 2) for name, (x, y, w, h) in places.items()}
        cost = sum(flow * (abs(centre[a][0] - centre[b][0]) + abs(centre[a][1] - centre[b][1]))
                   for (a, b), flow in FLOWS.items())
        self.assertAlmostEqual(result.cost, cost, places=6)
        self.assertTrue(result.feasible)
        self.assertTrue(result.drawing.startswith("<svg"))
        self.assertIn(result.drawing, result._repr_html_())
        self.assertEqual(pickle.loads(pickle.dumps(result)).rectangles, places)

    def test_flows_of_every_form_are_the_same(self):
        names = list(AREAS)
        matrix = [[FLOWS.get((a, b), 0) for b in names] for a in names]
        expected = layout().solve(**OPTIONS).cost
        for flows in ([(a, b, f) for (a, b), f in FLOWS.items()], matrix,
                      {(names.index(a), names.index(b)): f for (a, b), f in FLOWS.items()}):
            self.assertEqual(layout(flows=flows).solve(**OPTIONS).cost, expected)
        self.assertEqual(pickle.loads(pickle.dumps(layout())).solve(**OPTIONS).cost, expected)
        self.assertEqual(layout(parameters={"orientation": "second"}).solve(**OPTIONS)["problem"], "uaflp")

    @unittest.skipIf(pandas is None, "skipped: no pandas")
    def test_frames_are_departments_and_flows(self):
        names = list(AREAS)
        areas = pandas.DataFrame({"area": [30, 20, 25, 15, 18, 12], "max_aspect_ratio": [None, None, 3, None, None, None]},
                                 index=names)
        flows = pandas.DataFrame(0, names[::-1], names[::-1])
        for (a, b), flow in FLOWS.items():
            flows.loc[a, b] = flow
        self.assertEqual(layout(areas, flows).solve(**OPTIONS).cost, layout().solve(**OPTIONS).cost)

    @unittest.skipIf(pandas is None, "skipped: no pandas")
    def test_a_frame_of_flows_may_have_its_rows_and_columns_in_any_order(self):
        flows = pandas.DataFrame(0, list("abc"), list("abc"))
        flows.loc["a", "b"], flows.loc["b", "c"] = 5, 30
        costs = {qapfw.Layout({"a": 9, "b": 2, "c": 1}, frame, (4, 3), max_aspect_ratio=4).solve(**OPTIONS).cost
                 for frame in (flows, flows[["c", "b", "a"]], flows.loc[["b", "c", "a"]])}
        self.assertEqual(len(costs), 1)

    def test_a_record_of_a_layout_is_gone_on_with(self):
        result = layout().solve(**OPTIONS, record=self.folder / "r")
        self.assertEqual(qapfw.resume(self.folder / "r", iterations=25)["iterations"], 25)
        self.assertTrue((self.folder / "r/layout.svg").is_file())
        self.assertTrue(result.feasible)

    def test_what_is_wrong_is_told(self):
        for kind, words, change in (
                (ValueError, "the area of departments\\['a'\\] is -1", {"areas": {"a": -1}}),
                (TypeError, "the area of departments\\['a'\\] is 'x'", {"areas": {"a": "x"}}),
                (ValueError, "departments\\['a'\\] has the key 'aera'", {"areas": {"a": {"aera": 1}}}),
                (ValueError, "departments is empty", {"areas": {}}), (TypeError, "departments is a list", {"areas": [3]}),
                (TypeError, "plant is 5; \\(width, height\\)", {"plant": 5}),
                (ValueError, "plant\\[1\\] is 0", {"plant": (5, 0)}),
                (ValueError, "flows\\[0\\]\\[1\\] is 'shop'; no department", {"flows": {("store", "shop"): 3}}),
                (TypeError, "flows: the key is 'store'", {"flows": {"store": 3}}),
                (ValueError, "flows\\[0\\]\\[2\\] is -3", {"flows": [("store", "mill", -3)]}),
                (ValueError, "layout: .*area", {"plant": (1, 1)}), (ValueError, "layout: .*metric", {"metric": "flight"})):
            with self.subTest(words), self.assertRaisesRegex(kind, f"^{words}") as caught:
                layout(**change)
            self.assertNotIn("/proc", str(caught.exception))


if __name__ == "__main__":
    unittest.main()

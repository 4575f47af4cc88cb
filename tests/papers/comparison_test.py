# SPDX-License-Identifier: Apache-2.0
import csv
import io
import unittest
from unittest import mock

from support import FolderTest
import compare as program
from comparison import compare
from report import best_table, comma_separated, markdown, significant
from runs import Run
from table_file import Row, Table


def run(seed, cost=100.0, seconds=1.0, iterations=10, hit=True, stop_reason="target"):
    return Run(seed, cost, 100, (cost - 100) / 100, seconds, iterations, iterations, hit, stop_reason, "cpu: 2 threads")


def row(instance="x", best_of="", **figures):
    return Row("G", "", instance, "c.toml", {}, best_of, "", figures)


def table(measure, *rows):
    return Table("t", "T", measure, 10, ("G",), "", {}, 2, "", rows)


class Comparisons(unittest.TestCase):
    def test_seconds_count_all_time_for_each_hit(self):
        one = compare(table("seconds"), row(mean=20.0), [run(1, seconds=2.0), run(2, seconds=8.0, hit=False)], {})
        self.assertEqual((one.ratios["mean"].ours, one.ratios["mean"].value, one.hits), (10.0, 2.0, 1))

    def test_a_budget_that_time_cut_is_scaled_and_its_gap_not_judged(self):
        settings = {"run.iterations": "50"}
        runs = [run(1, seconds=2.0, iterations=10, stop_reason="time_limit"),
                run(2, seconds=6.0, stop_reason="iterations")]
        one = compare(table("budget"), row(mean=80.0, gap=0.5), runs, settings)
        self.assertEqual((one.values, one.ratios["mean"].value), ([10.0, 6.0], 10.0))
        self.assertEqual((one.scaled, one.verdicts), (True, {}))
        whole = compare(table("budget"), row(mean=80.0, gap=0.5), runs[1:] * 10, settings)
        self.assertEqual((whole.scaled, whole.verdicts), (False, {"gap": "better"}))

    def test_iterations_without_a_hit_are_infinite(self):
        runs = [run(1, iterations=3), run(2, iterations=3), run(3, hit=False)]
        one = compare(table("iterations"), row(median=6.0), runs, {})
        self.assertEqual((one.ratios["median"].value, one.hits), (2.0, 2))

    def test_costs_compare_mean_and_median(self):
        runs = [run(seed, cost) for seed, cost in enumerate([100.0, 100.0, 100.0, 100.0, 105.0])]
        one = compare(table("cost"), row(mean=110.0, median=100.0), runs, {})
        self.assertEqual((one.ratios["mean"].ours, one.ratios["median"].ours), (101.0, 100.0))
        self.assertEqual(one.verdicts, {"mean": "better", "median": "same"})
        self.assertAlmostEqual(one.mean_gap(), 1.0)


class Reports(FolderTest):
    def test_numbers_have_no_exponents(self):
        self.assertEqual([significant(value) for value in (20062.5, 0.0123456, 1.0, 0, None, float("inf"))],
                         ["20062", "0.0123", "1.00", "0", "-", "none"])

    def test_a_table_has_a_line_a_row_and_the_geometric_mean(self):
        rows = [row("x", mean=20.0, hits=9.0), row("y", mean=5.0), row("z", mean=1.0)]
        timed = table("seconds", *rows)
        done = [compare(timed, one, [run(1, seconds=2.0, hit=one.instance != "z")] * 2, {}) for one in rows]
        text = markdown(timed, done, ["a remark"])
        self.assertRegex(text, r"\| G/x +\| 9 +\| 20.0 +\| 2 of 2 +\| 2.00 +\| 10.0 ")
        self.assertRegex(text, r"\| G/z .* none +\| - +\| - ")
        self.assertIn("G: geometric mean of the ratios of 2 rows (1 without a figure left out) 5.00 (5.00 to 5.00).",
                      text)
        values = list(csv.DictReader(io.StringIO(comma_separated(done))))
        self.assertEqual([line["mean_ratio"] for line in values], ["10.0", "2.5", "0.0"])

    def test_every_measure_has_as_many_cells_as_its_head(self):
        for measure, figures in (("seconds", {"mean": 1.0}), ("budget", {"mean": 1.0, "gap": 0.1}),
                                 ("iterations", {"median": 1.0, "mad": 0.0}), ("cost", {"mean": 1.0, "median": 1.0})):
            made = table(measure)
            done = [compare(made, row(**figures), [run(1), run(2)], {"run.iterations": "5"})]
            lines = [line for line in markdown(made, done, []).splitlines() if line.startswith("|")]
            self.assertEqual(len({line.count("|") for line in lines}), 1, measure)

    def test_the_best_is_taken_over_all_rows_of_an_instance(self):
        rows = [row("x", "grid", mean=1.0, best=99.0, best_iteration=7.0)] * 2
        costs = table("cost")
        done = [compare(costs, one, [run(1, cost, iterations=4)], {}) for one, cost in zip(rows, (105.0, 102.0))]
        self.assertRegex(best_table(done), r"\| grid \| x +\| 99 \(7\) +\| 102 \(4\) +\| 2 ")


class Program(FolderTest):
    def setUp(self):
        super().setUp()
        self.output = io.StringIO()
        self.messages = io.StringIO()

    def call(self, *words):
        with mock.patch("sys.stdout", self.output), mock.patch("sys.stderr", self.messages):
            try:
                return program.main([*words, "--binary", str(self.program()), "--work", str(self.folder / "work")])
            except SystemExit as end:
                return end.code

    def test_a_row_is_run_and_reported(self):
        self.assertEqual(self.call("gecco2009-table1", "--only", "GPU/tai20b", "--runs", "2"), 0)
        self.assertRegex(self.output.getvalue(), r"\| GPU/tai20b \| 10 +\| 0.0640 +\| 2 of 2 +\| 1.50 ")
        self.assertIn("GPU/tai20b", (self.folder / "work/gecco2009-table1.csv").read_text(encoding="utf-8"))
        text = (self.folder / "work/gecco2009-table1.md").read_text(encoding="utf-8")
        self.assertIn("2 runs a row, seeds 1 to 2", text)

    def test_settings_of_a_row_win_over_the_machine_and_options_over_the_row(self):
        words = ["--backend", "cuda", "--threads", "8", "--searches", "528", "--quick"]
        wanted = program.parse_arguments(["gecco2009-table1", *words])
        rows = program.read_table(program.HERE / "gecco2009-table1.csv")
        settings = {one.name: program.settings_of(rows, one, wanted) for one in rows.rows}
        self.assertEqual(settings["GPU/tai20b"], {"device.backend": "cuda", "run.threads": 8, "run.time_limit": "2s",
                                                  "algorithm.subpopulations": 528})
        self.assertEqual(settings["GA-1/tai20b"], {"device.backend": "cpu", "run.threads": "1", "run.time_limit": "2s",
                                                   "algorithm.subpopulations": "30"})

    def test_settings_of_the_command_win_over_the_row_and_are_reported(self):
        self.assertEqual(self.call("pgagrid2018-costs", "--only", "2-opt/8n/nug30", "--runs", "1",
                                   "--set", "algorithm.topology=4n", "--set", "a.b=2"), 0)
        text = self.output.getvalue()
        self.assertIn("* algorithm.topology = 4n, not the paper's\n* a.b = 2, not the paper's\n", text)
        self.assertEqual(self.settings()["algorithm.topology"], "4n")
        self.assertEqual(self.settings()["a.b"], "2")

    def test_wrong_input_ends_with_a_sentence(self):
        for words, message in ((["table7"], "no table 'table7'"), (["all", "--runs", "0"], "positive integer"),
                               (["all", "--time-limit", "soon"], "found 'soon'"),
                               (["all", "--only", "x"], "no row is called x"),
                               (["all", "--set", "run.seed"], "--set: a setting is KEY=VALUE, found 'run.seed'")):
            with self.subTest(words):
                self.assertEqual(self.call(*words), 2)
                self.assertIn(message, self.messages.getvalue())

    def test_two_comparisons_do_not_work_in_one_folder(self):
        with program.only_user(self.folder / "work"):
            self.assertEqual(self.call("gecco2009-table1", "--only", "GPU/tai20b"), 2)
        self.assertIn("another comparison is at work", self.messages.getvalue())

    def test_rows_that_fail_do_not_end_the_others(self):
        failing = program.Runner.call

        def call(runner, command, one):
            if one.instance == "tai20b":
                raise program.RunFailed("row GPU/tai20b: broken")
            failing(runner, command, one)
        with mock.patch.object(program.Runner, "call", call):
            self.assertEqual(self.call("gecco2009-table1", "--runs", "1", "--only", "GPU/tai2*"), 1)
        self.assertIn("failed rows: 1", self.messages.getvalue())
        self.assertIn("GPU/tai25b", self.output.getvalue())


if __name__ == "__main__":
    unittest.main()

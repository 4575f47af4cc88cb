# SPDX-License-Identifier: Apache-2.0
"""Tests of configurations and records, the command line, the examples and the package's files."""

import ast
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

from support import PACKAGE, TAI12A, FolderTest

import qapfw


class Run(FolderTest):
    def test_a_file_runs_with_keys_replaced(self):
        self.write("two.dat", "2\n0 1\n1 0\n\n0 3\n3 0\n")
        config = self.write("c.toml", '[problem]\nplugin = "qap"\ninstance = "two.dat"\n[algorithm]\nplugin = "tabu"\n'
                                      'tenure = 5\n[run]\ntarget = 6\ntime_limit = "20s"\n')
        result = qapfw.run(config, set={"algorithm.searches": 2}, seed=9, out=self.folder / "r")
        self.assertTrue(result.target_reached)
        self.assertEqual((result.cost, result.reason), (6, "target"))
        settings = qapfw.read_record(result.folder).config
        self.assertEqual((settings["algorithm"]["searches"], settings["run"]["seed"]), (2, 9))

    def test_tables_run_as_the_same_file_does(self):
        kinds = {"problem": {"plugin": "qap", "instance": self.write('a "b".dat', "2\n0 1\n1 0\n\n0 3\n3 0\n"),
                             "fixed": ["1->2"]},
                 "algorithm": {"plugin": "cas", "improver": {"plugin": "two_opt"}, "m": None}}
        result = qapfw.run(kinds, iterations=5, record=False, threads=1)
        self.assertEqual((result.cost, result.permutation, result["improver"]), (6, (1, 0), "two_opt"))

    def test_a_problem_needs_no_plugins_name(self):
        result = qapfw.run({"problem": {"instance": "tai12a"}}, iterations=50, algorithm="tabu", record=False)
        self.assertEqual((result["problem"], result.cost, result.gap), ("qap", 224416, 0))

    def test_several_runs_have_a_summary_and_a_record_each(self):
        result = qapfw.run(TAI12A, runs=3, seed=4, iterations=50, out=self.folder / "r")
        self.assertEqual([run["seed"] for run in result.runs], [4, 5, 6])
        record = qapfw.read_record(self.folder / "r")
        self.assertEqual([run.result["seed"] for run in record.runs], [4, 5, 6])
        self.assertEqual(result["summary"]["count"], 3)

    def test_a_record_is_gone_on_with(self):
        first = qapfw.run(TAI12A, iterations=50, out=self.folder / "r")
        self.assertEqual(first.folder, self.folder / "r")
        again = qapfw.resume(self.folder / "r", iterations=80)
        self.assertEqual((again["iterations"], again["resumes"]), (80, 1))
        whole = qapfw.run(TAI12A, iterations=80, record=False)
        self.assertEqual(again["digest"], whole["digest"])
        with self.assertRaisesRegex(qapfw.InputError, "none: not a run record"):
            qapfw.resume(self.folder / "none")

    def test_an_error_is_the_engines_sentence(self):
        with self.assertRaisesRegex(qapfw.InputError, 'unknown key "tenur" .* did you mean tenure'):
            qapfw.run({**TAI12A, "algorithm": {"plugin": "tabu", "tenur": 3}})
        with self.assertRaisesRegex(qapfw.InputError, "no.toml: cannot be opened"):
            qapfw.run(self.folder / "no.toml")

    def test_a_result_whose_record_cannot_be_written_comes_with_the_error(self):
        blocked = self.write("file", "")
        with self.assertRaises(qapfw.QapfwError) as caught:
            qapfw.run(TAI12A, iterations=50, out=blocked / "r")
        self.assertIn(str(blocked), str(caught.exception))
        self.assertEqual(caught.exception.result.cost, 224416)

    def test_log_gets_every_line(self):
        lines = []
        result = qapfw.run(TAI12A, iterations=50, record=False, log=lines.append)
        self.assertTrue(any("tai12a: n = 12" in line for line in lines))
        self.assertEqual(tuple(lines), result.messages)

    def test_an_exception_in_log_ends_the_run(self):
        def log(line):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            qapfw.run(TAI12A, record=False, time_limit=60, log=log)

    def test_a_problem_of_any_plugin_is_solved(self):
        layout = qapfw.Problem.from_file("F20", problem="uaflp")
        self.assertEqual(layout.size, (20, 20))
        result = layout.solve(iterations=3, threads=1)
        self.assertEqual((result["problem"], sorted(result.permutation)), ("uaflp", list(range(20))))
        path = self.write("square.tsp", "NAME: s\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\n"
                                        "NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 3 4\nEOF\n")
        self.assertEqual(qapfw.Problem.from_file(path, parameters={"reduction": "tsp"}).solve().cost, 12)


class Program(FolderTest):
    def test_the_command_line_is_the_program(self):
        done = subprocess.run([sys.executable, "-B", "-m", "qapfw", "--version"], cwd=PACKAGE, capture_output=True,
                              text=True, check=True)
        self.assertEqual(done.stdout.split()[-1], qapfw.__version__)

    def test_a_missing_program_or_library_is_told(self):
        with mock.patch.dict(os.environ, {"QAPFW_PROGRAM": "/none"}):
            with self.assertRaisesRegex(qapfw.LibraryNotFound, "QAPFW_PROGRAM: .* '/none'"):
                qapfw.find_program()
        code = "import qapfw; qapfw.solve([[0]], [[0]])"
        for wanted, words in (("/none", "QAPFW_LIBRARY=/none: .*No such file"),
                              ("libm.so.6", "libm.so.6: it has no function qapfw_version")):
            done = subprocess.run([sys.executable, "-B", "-c", code], cwd=PACKAGE, text=True, check=False,
                                  env={**os.environ, "QAPFW_LIBRARY": wanted}, capture_output=True)
            self.assertRegex(done.stderr.splitlines()[-1], words)

    def test_the_package_has_the_programs_version(self):
        text = (PACKAGE / "pyproject.toml").read_text(encoding="utf-8")
        self.assertIn(f'version = "{qapfw.__version__}"', text)


class Examples(FolderTest):
    def run_example(self, name, *arguments):
        done = subprocess.run([sys.executable, "-B", PACKAGE / "examples" / name, *arguments], cwd=self.folder,
                              env={**os.environ, "PYTHONPATH": str(PACKAGE)}, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_the_examples_run(self):
        self.assertIn("machine 0 goes to place", self.run_example("solve.py"))
        self.assertIn("tabu            seed 3", self.run_example("study.py", self.folder / "runs"))

    def test_the_tasks_of_the_guide_give_the_answers_that_it_shows(self):
        for name in ("seating", "wards"):
            with self.subTest(name):
                shown = (PACKAGE / f"examples/{name}.out").read_text(encoding="utf-8")
                self.assertEqual(self.run_example(f"{name}.py"), shown)
        found = self.run_example("graph_matching.py")  # first word: how many of 200 people are found; 10 are known
        self.assertGreater(int(found.split()[0]), 190 if importlib.util.find_spec("numpy") else 20)
        rows = self.run_example("keyboard.py").splitlines()
        self.assertEqual(sorted("".join(rows[:3]).replace("[", "").replace("]", "").replace(" ", "")),
                         list("abcdefghijklmnopqrstuvwxyz"))
        self.assertTrue(rows[2].startswith("   [z] [x] [c] [v]"))
        cost, usual = map(int, re.findall(r"\d+", rows[3]))
        self.assertLess(cost, 0.7 * usual)

    def test_the_notebook_runs_cell_by_cell(self):
        notebook = json.loads((PACKAGE / "examples/tour.ipynb").read_text(encoding="utf-8"))
        names, shown = {}, []
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                self.assertEqual(cell["outputs"], [])
                tree = ast.parse("".join(cell["source"]))
                last = tree.body.pop()
                exec(compile(tree, "cell", "exec"), names)
                shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
        self.assertIn("<th>facility</th>", shown[0]._repr_html_())
        self.assertEqual(shown[1][0], shown[0].cost)
        self.assertTrue(shown[2][1])
        self.assertIn("<svg", shown[3]._repr_html_())

    def test_the_example_ends_by_ctrl_c_with_its_result(self):
        example = PACKAGE / "examples/interrupt.py"
        process = subprocess.Popen([sys.executable, "-B", example], env={**os.environ, "PYTHONPATH": str(PACKAGE)},
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        self.assertRegex(process.stdout.readline(), "after .* s the best costs")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
        self.assertIn("best so far: <qapfw.Result qap tai60a: cost ", output)
        self.assertEqual(process.returncode, 0)

    def test_the_doctests_pass(self):
        code = ("import doctest, importlib, pkgutil, qapfw\n"
                "for module in pkgutil.iter_modules(qapfw.__path__):\n"
                "    if module.name != '__main__':\n"
                "        print(module.name, doctest.testmod(importlib.import_module(f'qapfw.{module.name}')))\n")
        done = subprocess.run([sys.executable, "-B", "-c", code], cwd=PACKAGE, capture_output=True, text=True, check=False)
        self.assertEqual(re.findall(r"(\w+) TestResults\(failed=[1-9]", done.stdout), [], done.stdout)
        self.assertGreater(sum(map(int, re.findall(r"attempted=(\d+)", done.stdout))), 5)

    def test_types_are_consistent(self):
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("skipped: no mypy")
        done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", self.folder], cwd=PACKAGE, capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.returncode, done.stdout.split(":")[0]), (0, "Success"), done.stdout)

    def test_every_file_is_python_of_the_standard_library(self):
        known = set(sys.stdlib_module_names) | {"qapfw"}
        optional = {"pandas", "matplotlib", "numpy", "IPython"}  # imported only within functions
        for file in sorted((PACKAGE / "qapfw").glob("*.py")):
            tree = ast.parse(Path(file).read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Import):
                    modules = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and node.level == 0:
                    modules = [node.module]
                else:
                    continue
                allowed = known if node in tree.body else known | optional
                for module in modules:
                    self.assertIn(module.split(".")[0], allowed, f"{file.name}:{node.lineno}")


if __name__ == "__main__":
    unittest.main()

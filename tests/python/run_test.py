# SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
import sys
import threading
import unittest
from pathlib import Path
from unittest import mock

from support import PACKAGE, TAI12A, FolderTest

import qapfw


class Run(FolderTest):
    def test_a_file_runs_with_keys_replaced(self):
        config = self.write("c.toml", '[problem]\nplugin = "qap"\ninstance = "tai12a"\n[algorithm]\nplugin = "tabu"\n'
                                      'tenure = 5\n[run]\ntarget = "best-known"\ntime_limit = "20s"\n')
        result = qapfw.run(config, set={"algorithm.searches": 2}, unset=["algorithm.tenure"], seed=9,
                           out=self.folder / "r")
        self.assertTrue(result.target_reached)
        self.assertEqual((result.cost, result.gap, result.stop_reason), (224416, 0, "target"))
        settings = qapfw.read_record(result.folder).config
        self.assertEqual((settings["algorithm"]["searches"], settings["run"]["seed"]), (2, 9))
        self.assertNotEqual(settings["algorithm"]["tenure"], 5)

    def test_tables_run_as_the_same_file_does(self):
        kinds = {"problem": {"plugin": "qap", "instance": self.write('a "b".dat', "2\n0 1\n1 0\n\n0 3\n3 0\n"),
                             "fixed": ["1->2"]},
                 "algorithm": {"plugin": "cas", "improver": {"plugin": "two_opt"}, "m": None}}
        result = qapfw.run(kinds, iterations=5, record=False, threads=1)
        self.assertEqual((result.cost, result.permutation, result["improver"]), (6, (1, 0), "two_opt"))

    def test_several_runs_have_a_summary_and_a_record_each(self):
        result = qapfw.run(TAI12A, runs=3, seed=4, iterations=50, out=self.folder / "r")
        self.assertEqual([run["seed"] for run in result.runs], [4, 5, 6])
        record = qapfw.read_record(self.folder / "r")
        self.assertEqual([run.result["seed"] for run in record.runs], [4, 5, 6])
        self.assertEqual(result["summary"]["count"], 3)

    def test_an_error_is_the_programs_sentence(self):
        with self.assertRaises(qapfw.InputError) as caught:
            qapfw.run({**TAI12A, "algorithm": {"plugin": "tabu", "tenur": 3}})
        self.assertRegex(str(caught.exception), r'unknown key "tenur" .* did you mean tenure')
        self.assertEqual(caught.exception.exit_code, 2)
        with self.assertRaisesRegex(qapfw.InputError, "no.toml: cannot be opened"):
            qapfw.run(self.folder / "no.toml")

    def test_a_result_whose_record_cannot_be_written_comes_with_the_error(self):
        blocked = self.write("file", "")
        with self.assertRaises(qapfw.QapfwError) as caught:
            qapfw.run(TAI12A, iterations=50, out=blocked / "r")
        self.assertEqual(caught.exception.exit_code, 6)
        self.assertIn("the record is incomplete", str(caught.exception))
        self.assertEqual(caught.exception.result.cost, 224416)

    def test_log_gets_every_line(self):
        lines = []
        result = qapfw.run(TAI12A, iterations=50, record=False, log=lines.append)
        self.assertTrue(any("tai12a: n = 12" in line for line in lines))
        self.assertEqual(tuple(lines), result.messages)

    def test_a_missing_program_is_told(self):
        with self.assertRaisesRegex(qapfw.ProgramNotFound, "the argument program: wanted the program qapfw, found no"):
            qapfw.run(TAI12A, program=self.folder / "none")
        with mock.patch.dict(os.environ, {"QAPFW_PROGRAM": "/none"}):
            with self.assertRaisesRegex(qapfw.ProgramNotFound, "QAPFW_PROGRAM: .* '/none'"):
                qapfw.version()
        with mock.patch.dict(os.environ, {"PATH": str(self.folder)}):
            os.environ.pop("QAPFW_PROGRAM")
            with self.assertRaisesRegex(qapfw.ProgramNotFound, "not in PATH"):
                qapfw.find_program()

    def test_what_is_no_program_of_ours_is_told(self):
        script = self.write("qapfw", "#!/bin/sh\necho '[1]'\n")
        script.chmod(0o755)
        with self.assertRaisesRegex(qapfw.QapfwError, "ended with code 0 and said nothing"):
            qapfw.run(TAI12A, program=script)

    def test_the_package_has_the_programs_version(self):
        text = (PACKAGE / "pyproject.toml").read_text(encoding="utf-8")
        self.assertIn(f'version = "{qapfw.version()}"', text)


class Interrupt(FolderTest):
    TABLES = {"problem": {"plugin": "qap", "instance": "tai60a"}, "algorithm": {"plugin": "tabu"}}

    def test_ctrl_c_gives_the_best_that_was_found(self):
        timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        self.addCleanup(timer.cancel)
        with self.assertRaises(qapfw.Interrupted) as caught:
            qapfw.run(self.TABLES, record=False, time_limit=60)
        self.assertEqual(caught.exception.result.stop_reason, "interrupted")
        self.assertGreater(caught.exception.result.cost, 7_000_000)

    def test_an_exception_in_log_ends_the_run(self):
        def log(line):
            if "tai60a: n = 60" in line:
                raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            qapfw.run(self.TABLES, record=False, time_limit=60, log=log)

    def test_the_example_ends_by_ctrl_c_with_its_result(self):
        example = PACKAGE / "examples/interrupt.py"
        process = subprocess.Popen([sys.executable, "-B", example], env={**os.environ, "PYTHONPATH": str(PACKAGE)},
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        for line in process.stdout:
            if "% worse than the best known" in line:
                break
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
        self.assertIn("best so far: <qapfw.Result qap tai60a: cost ", output)
        self.assertEqual(process.returncode, 0)


class Examples(FolderTest):
    def test_the_examples_run(self):
        for name, words in (("solve.py", "machine 0 goes to place"), ("study.py", "tabu            seed 3")):
            with self.subTest(name):
                done = subprocess.run([sys.executable, "-B", PACKAGE / "examples" / name, self.folder / "runs"],
                                      env={**os.environ, "PYTHONPATH": str(PACKAGE)}, capture_output=True, text=True,
                                      check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn(words, done.stdout)

    def test_the_doctest_of_the_package_passes(self):
        code = "import doctest, qapfw; print(doctest.testmod(qapfw))"
        done = subprocess.run([sys.executable, "-B", "-c", code], cwd=PACKAGE, capture_output=True, text=True, check=False)
        self.assertRegex(done.stdout, r"TestResults\(failed=0, attempted=[1-9]")

    def test_every_file_is_python_of_the_standard_library(self):
        known = set(sys.stdlib_module_names) | {"pandas"}
        for file in sorted((PACKAGE / "qapfw").glob("*.py")):
            for line in Path(file).read_text(encoding="utf-8").splitlines():
                words = line.split()
                if words[:1] in (["import"], ["from"]) and not words[1].startswith("."):
                    self.assertIn(words[1].split(".")[0], known | {"qapfw"}, f"{file.name}: {line}")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Studies: their runs as rows, and folders that are no study."""

import subprocess
import unittest

from support import FolderTest

import qapfw

STUDY = """
seeds = 2
run.iterations = 50
run.threads = 1
device.backend = "cpu"
[[instances]]
names = ["tai12a"]
set = { problem.plugin = "qap" }
[[algorithms]]
name = "tabu"
set = { algorithm.plugin = "tabu", algorithm.searches = 2 }
"""


class StudyTest(FolderTest):
    def test_a_study_that_was_run_and_reported_is_read(self):
        self.write("small.toml", STUDY)
        for words in ("run", "small.toml", "--quiet"), ("report", "runs/small"):
            subprocess.run([qapfw.find_program(), "study", *words], cwd=self.folder, check=True, capture_output=True)
        study = qapfw.read_study(self.folder / "runs/small")
        self.assertEqual([row["seed"] for row in study.rows()], [1, 2])
        for row in study.rows():
            self.assertEqual((row["instance"], row["algorithm"], row["iterations"]), ("tai12a", "tabu", 50))
            self.assertGreaterEqual(row["cost"], 224416)

    def test_rows_are_the_runs(self):
        self.write("runs.csv", "run,instance,algorithm,seed,cost,gap,reason\na,12,tabu,1,224416,0.5,\nb,12,cas,2,7,,late\n")
        study = qapfw.read_study(self.folder)
        self.assertEqual(len(study), 2)
        self.assertEqual(study.rows()[0], {"run": "a", "instance": "12", "algorithm": "tabu", "seed": 1, "cost": 224416,
                                           "gap": 0.5, "reason": None})
        self.assertIsNone(study.rows()[1]["gap"])
        self.assertEqual(study.columns[1], "instance")

    def test_texts_that_are_kept_from_spreadsheets_come_back_as_they_were(self):
        self.write("runs.csv", "run,instance,algorithm,gap\na,'=1+1,'''-x,-0.5\n")
        row = qapfw.read_study(self.folder).rows()[0]
        self.assertEqual((row["instance"], row["algorithm"], row["gap"]), ("=1+1", "''-x", -0.5))

    def test_what_is_no_study_is_told(self):
        with self.assertRaisesRegex(qapfw.InputError, "runs.csv: there is no such file; `qapfw study report .*` writes it"):
            qapfw.read_study(self.folder)
        self.write("runs.csv", "a,b\n1,2\n")
        with self.assertRaisesRegex(qapfw.InputError, "runs.csv:1: wanted the columns of a study"):
            qapfw.read_study(self.folder)
        self.write("runs.csv", "instance,algorithm\n1\n")
        with self.assertRaisesRegex(qapfw.InputError, "runs.csv:2: wanted 2 cells, found 1"):
            qapfw.read_study(self.folder)


if __name__ == "__main__":
    unittest.main()

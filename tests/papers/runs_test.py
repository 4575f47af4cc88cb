# SPDX-License-Identifier: Apache-2.0
import unittest

from support import FolderTest
from runs import Runner, RunFailed, kept_runs, missing_batches, read_run
from table_file import InputError, Row


class Runs(FolderTest):
    def setUp(self):
        super().setUp()
        self.write("c.toml", "")
        self.said = []

    def runner(self):
        return Runner(self.program(), self.folder, self.folder / "work", self.said.append)

    @staticmethod
    def row(instance="tai20b", config="c.toml"):
        return Row("GPU", "", instance, config, {}, "", "", {"mean": 1.0})

    def test_missing_seeds_are_joined_to_batches(self):
        self.assertEqual(missing_batches(range(1, 8), {3: None, 6: None}), [(1, 2), (4, 2), (7, 1)])
        self.assertEqual(missing_batches(range(1, 3), {1: None, 2: None}), [])

    def test_finished_runs_are_kept_and_only_missing_ones_made(self):
        runner = self.runner()
        first = runner.runs("t", self.row(), {"a": 1}, range(1, 4))
        self.assertEqual([(run.seed, run.cost, run.hit) for run in first],
                         [(1, 101, True), (2, 102, True), (3, 103, False)])
        self.assertEqual(runner.runs("t", self.row(), {"a": 1}, range(1, 4)), first)
        more = runner.runs("t", self.row(), {"a": 1}, range(1, 5))
        self.assertEqual(more[:3], first)
        self.assertEqual(self.calls(), ["1 3", "4 1"])
        self.assertEqual(first[0].place, "cpu: 2 threads")

    def test_another_setting_configuration_or_plugin_starts_anew(self):
        runner = self.runner()
        runner.runs("t", self.row(), {"a": 1}, [1])
        runner.runs("t", self.row(), {"a": 2}, [1])
        self.write("c.toml", "# changed")
        runner.runs("t", self.row(), {"a": 1}, [1])
        plugins = self.folder / "lib/qapfw/plugins-1"
        plugins.mkdir(parents=True)
        (plugins / "qap.qapfw.so").write_text("", encoding="utf-8")
        rebuilt = Runner(runner.binary, self.folder, self.folder / "work", self.said.append)
        rebuilt.runs("t", self.row(), {"a": 1}, [1])
        self.assertEqual(self.calls(), ["1 1"] * 4)

    def test_an_interrupted_batch_goes_on_behind_what_it_finished(self):
        runner = self.runner()
        for _ in range(2):
            with self.assertRaises(KeyboardInterrupt):
                runner.runs("t", self.row("cut"), {}, range(1, 4))
        runs = runner.runs("t", self.row("cut"), {}, range(1, 4))
        self.assertEqual([run.seed for run in runs], [1, 2, 3])
        self.assertEqual(self.calls(), ["1 3", "2 2", "3 1"])

    def test_a_failed_run_says_what_the_program_said(self):
        with self.assertRaisesRegex(RunFailed, "GPU/broken: qapfw ended with code 1: error: it is broken\n.*--seed 1"):
            self.runner().runs("t", self.row("broken"), {}, [1, 2])

    def test_missing_program_and_configuration_are_named(self):
        with self.assertRaisesRegex(InputError, "no program at .*--binary"):
            Runner(self.folder / "absent", self.folder, self.folder, print)
        with self.assertRaisesRegex(InputError, "no configuration .*absent.toml"):
            self.runner().runs("t", self.row(config="absent.toml"), {}, [1])
        runner = self.runner()
        runner.binary.chmod(0o644)
        with self.assertRaisesRegex(InputError, "cannot be run"):
            runner.runs("t", self.row(), {}, [1])

    def test_records_that_are_cut_off_do_not_count_and_foreign_ones_are_refused(self):
        self.assertIsNone(read_run(self.folder / "absent.json"))
        self.assertIsNone(read_run(self.write("result.json", '{"finished": tr')))
        with self.assertRaisesRegex(InputError, "result.json: not a result"):
            read_run(self.write("result.json", '{"finished": true}'))
        self.assertEqual(kept_runs(self.folder), {})


if __name__ == "__main__":
    unittest.main()

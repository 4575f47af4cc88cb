# SPDX-License-Identifier: Apache-2.0
import json
import unittest
from unittest import mock

from support import TAI12A, FolderTest

import qapfw

try:
    import pandas
except ImportError:
    pandas = None

HEAD = '{"schema_version":1,"problem":"qap","instance":"x","algorithm":"tabu","seed":1,"seed_text":"1"}\n'
LINE = ('{"seconds":0.5,"iterations":10,"evaluations":20,"cost":%d,"cost_text":"7","cost_raw":"7","iteration":3,'
        '"search":2}\n')


class Records(FolderTest):
    def test_a_record_is_read_whole(self):
        qapfw.run(TAI12A, seed=3, iterations=100, out=self.folder / "r")
        record = qapfw.read_record(self.folder / "r")
        self.assertEqual(record.config["run"]["seed"], 3)
        self.assertEqual(record.trace.head["instance"], "tai12a")
        self.assertEqual(record.trace[len(record.trace) - 1].cost, record.result.cost)
        self.assertIn("tai12a", record.log)
        self.assertEqual(record.runs, (record,))

    def test_records_below_a_folder_make_a_table_with_a_row_each_run(self):
        qapfw.run(TAI12A, seed=3, iterations=50, out=self.folder / "b/one")
        qapfw.run(TAI12A, seed=5, runs=2, iterations=50, out=self.folder / "a")
        records = qapfw.read_records(self.folder)
        self.assertEqual([record.folder.name for record in records], ["a", "one"])
        table = qapfw.rows(records)
        self.assertEqual([row["seed"] for row in table], [5, 6, 3])
        self.assertTrue(all(row["best_cost"] == 224416 and row["gap"] == 0 for row in table))
        self.assertEqual(qapfw.rows(records[1]), table[2:])

    @unittest.skipIf(pandas is None, "skipped: no pandas")
    def test_tables_are_frames_of_pandas(self):
        qapfw.run(TAI12A, seed=5, runs=2, iterations=50, out=self.folder / "r")
        record = qapfw.read_record(self.folder / "r")
        table = qapfw.frame(record)
        self.assertEqual(list(table["seed"]), [5, 6])
        self.assertEqual(table["best_cost"].min(), 224416)
        trace = record.runs[0].trace.frame()
        self.assertEqual(list(trace["cost"]), [point.cost for point in record.runs[0].trace])
        self.assertEqual(list(qapfw.frame([]).columns), list(table.columns))

    def test_without_pandas_a_frame_says_what_is_missing(self):
        with mock.patch.dict("sys.modules", {"pandas": None}):
            with self.assertRaisesRegex(ImportError, "need pandas .*rows"):
                qapfw.frame([])

    def test_what_is_no_record_is_refused(self):
        with self.assertRaisesRegex(qapfw.InputError, "not a run record: it holds no result.json"):
            qapfw.read_record(self.folder)
        with self.assertRaisesRegex(qapfw.InputError, "cannot be read: No such file"):
            qapfw.read_records(self.folder / "none")
        for text, words in (("{", "result.json: wanted a result in JSON"), ("[]", "JSON without stop_reason"),
                            ('{"stop_reason": "target"}', "result.json: .*its checksum is missing")):
            self.write("result.json", text)
            with self.subTest(text), self.assertRaisesRegex(qapfw.InputError, words):
                qapfw.read_record(self.folder)

    def test_a_damaged_configuration_is_told(self):
        self.write("result.json", json.dumps({"stop_reason": "target", "checksum": "0"}))
        self.write("config.toml", "[run")
        with self.assertRaisesRegex(qapfw.InputError, "config.toml: wanted TOML, found: "):
            _ = qapfw.read_record(self.folder).config


class Traces(FolderTest):
    def test_improvements_are_read_in_order(self):
        trace = qapfw.read_trace(self.write("trace.jsonl", HEAD + LINE % 9 + LINE % 7))
        self.assertEqual([point.cost for point in trace], [9, 7])
        self.assertEqual((trace[0].seconds, trace[0].iteration, trace[0].search), (0.5, 3, 2))
        self.assertEqual(trace.rows()[1]["cost"], 7)

    def test_a_last_line_cut_short_is_left_out(self):
        trace = qapfw.read_trace(self.write("trace.jsonl", HEAD + LINE % 9 + (LINE % 7)[:20]))
        self.assertEqual(len(trace), 1)

    def test_other_defects_are_told_with_their_line(self):
        for text, words in (("", ":1: wanted the head of a trace"), (HEAD + "x\n", ":2: wanted a line of a trace"),
                            (HEAD + '{"seconds":1}\n', ":2: .*found a line without the key .iterations"),
                            (HEAD + LINE % 9 + "3\n", ":3: wanted a line of a trace")):
            file = self.write("trace.jsonl", text)
            with self.subTest(text), self.assertRaisesRegex(qapfw.InputError, words):
                qapfw.read_trace(file)
        with self.assertRaisesRegex(qapfw.InputError, "not the record of a single run"):
            (self.folder / "empty").mkdir()
            qapfw.read_trace(self.folder / "empty")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
import unittest

from support import PAPERS, ROOT, FolderTest
from table_file import InputError, read_table

TABLE = """# a comment
title: T
measure: seconds
paper_runs: 10
compare: GPU
quick: run.time_limit=2s

group,instance,config,settings,mean,hits,note
GPU,tai20b,c.toml,a.b=1 c.d=x,0.5,,"one, two"
CPU,tai20b,c.toml,a.b=1,7,9,
"""


class TableFile(FolderTest):
    def test_a_table_is_read(self):
        table = read_table(self.write("t.csv", TABLE))
        self.assertEqual((table.name, table.measure, table.paper_runs, table.compare), ("t", "seconds", 10, ("GPU",)))
        self.assertEqual(table.quick, {"run.time_limit": "2s"})
        first, second = table.rows
        self.assertEqual((first.name, first.settings, first.note), ("GPU/tai20b", {"a.b": "1", "c.d": "x"}, "one, two"))
        self.assertEqual((first.figures, second.figures), ({"mean": 0.5}, {"mean": 7.0, "hits": 9.0}))

    def test_what_is_wrong_is_named_with_its_line(self):
        for old, new, message in (
                ("measure: seconds", "measure: speed", "measure is one of"),
                ("title: T", "titel: T", r"t\.csv:2: one of"),
                ("paper_runs: 10\n", "", "'paper_runs' is missing"),
                ("paper_runs: 10", "paper_runs: ten", "positive integer, found 'ten'"),
                ("compare: GPU", "compare: TPU", "compare names 'TPU'"),
                ("a.b=1 c.d=x", "a.b c.d=x", r"t\.csv:9: a setting is KEY=VALUE, found 'a.b'"),
                ("7,9,", "7,9", r"t\.csv:10: 7 values are wanted, found 6"),
                ("7,9,", "seven,9,", r"t\.csv:10: mean is a number or empty, found 'seven'"),
                ("7,9,", "nan,9,", "found 'nan'"),
                ("CPU,tai20b", "GPU,tai20b", r"t\.csv:10: a second row 'GPU/tai20b'"),
                ("CPU,tai20b", "CPU,", "the column 'instance' is empty"),
                (",hits,", ",hit,", "unknown column 'hit'"),
                (",config,", ",note,", "the column 'config' is missing"),
                ("\ngroup", "group", "one of title")):
            with self.subTest(new), self.assertRaisesRegex(InputError, message):
                read_table(self.write("t.csv", TABLE.replace(old, new, 1)))
        with self.assertRaisesRegex(InputError, "cannot be read"):
            read_table(self.folder / "absent.csv")
        with self.assertRaisesRegex(InputError, "no rows"):
            read_table(self.write("t.csv", TABLE.split("\ngroup")[0]))

    def test_the_tables_of_the_tree_are_whole(self):
        rows = {path.stem: read_table(path).rows for path in PAPERS.glob("*.csv")}
        self.assertEqual({name: len(table) for name, table in rows.items()}, {
            "gecco2009-table1": 40, "cec2010-table3": 81, "medal2011-table5": 60, "medal2011-table6": 70,
            "pgagrid2018-iterations": 30, "pgagrid2018-costs": 70})
        for row in (row for table in rows.values() for row in table):
            self.assertTrue((ROOT / "configs/qap" / row.config).is_file(), row.name)

    def test_the_speedups_that_the_papers_print_follow_from_the_times(self):
        def times(name):
            return {row.name: row.figures["mean"] for row in read_table(PAPERS / f"{name}.csv").rows}
        distributed, independent = times("gecco2009-table1"), times("cec2010-table3")
        self.assertAlmostEqual(distributed["GA-2/kra30b"] / distributed["GPU/kra30b"], 12.6, places=1)
        self.assertAlmostEqual(distributed["GA-1/tai25b"] / distributed["GPU/tai25b"], 8.2, places=1)
        self.assertAlmostEqual(independent["ModelI/kra30b"] / independent["T60/kra30b"], 15.4, delta=0.1)
        budget = times("medal2011-table5")
        self.assertAlmostEqual(budget["CPU/tai100a"] / budget["MATA/tai100a"], 13.9, places=1)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Tools of the Python package's tests: put the package on the path, and give each test a folder. QAPFW_LIBRARY names
the library, QAPFW_PROGRAM the program."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python"
sys.path.insert(0, str(PACKAGE))

TAI12A = {"problem": {"plugin": "qap", "instance": "tai12a"}, "algorithm": {"plugin": "tabu"}}


class FolderTest(unittest.TestCase):
    """A test case with a folder of its own, `self.folder`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def python(self, code, *arguments, **options):
        """Starts an interpreter that runs `code` with the package on its path; returns the process."""
        command = [sys.executable, "-B", "-c", code, *map(str, arguments)]
        return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(PACKAGE)}, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, cwd=self.folder, **options)

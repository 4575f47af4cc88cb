# SPDX-License-Identifier: Apache-2.0
"""The package in a kernel of Jupyter: the bar, the interrupt, the restart, the example notebook."""

import json
import os
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from support import PACKAGE

try:
    import ipykernel  # noqa: F401
    from jupyter_client import KernelManager
except ImportError:
    KernelManager = None

LONG = """
import random, qapfw
draw = random.Random(1)
flow, distance = ([[0 if i == j else draw.randint(0, 99) for j in range(200)] for i in range(200)] for _ in range(2))
problem = qapfw.Problem(flow, distance)
"""


def processes_with(mark):
    """The processes whose environment contains `mark`."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass
    return found


@unittest.skipIf(KernelManager is None, "skipped: no jupyter_client with ipykernel (Debian: python3-ipykernel, jupyter-client)")
class Jupyter(unittest.TestCase):
    """One kernel for all tests, since it takes seconds to start."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.work = cls.folder / "work"
        cls.work.mkdir()
        folders = {f"JUPYTER_{kind}_DIR": str(cls.folder / kind) for kind in ("RUNTIME", "DATA", "CONFIG")}
        folders["IPYTHONDIR"] = str(cls.folder / "ipython")
        cls.environment = {**os.environ, **folders, "PYTHONPATH": str(PACKAGE), "PYDEVD_DISABLE_FILE_VALIDATION": "1",
                           "QAPFW_TEST_MARK": str(cls.folder)}
        with mock.patch.dict(os.environ, folders):
            cls.kernel = KernelManager(transport="ipc", ip=str(cls.folder / "ipc"))
        cls.kernel.start_kernel(cwd=str(cls.work), env=cls.environment)
        cls.addClassCleanup(cls.kernel.cleanup_resources)
        cls.addClassCleanup(cls.kernel.shutdown_kernel, now=True)
        cls.client = cls.kernel.blocking_client()
        cls.client.start_channels()
        cls.addClassCleanup(cls.client.stop_channels)
        cls.client.wait_for_ready(timeout=60)

    def start(self, code):
        return self.client.execute(code)

    def until_idle(self, request, kind=None):
        """The kernel's messages about a request, up to its end or to the first message of the given
        kind."""
        said = []
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            if message["parent_header"].get("msg_id") != request:
                continue
            said.append((message["msg_type"], message["content"]))
            if message["msg_type"] == kind or (kind is None and message["content"].get("execution_state") == "idle"):
                return said

    def run_cell(self, code):
        said = self.until_idle(self.start(code))
        self.assertEqual([content for kind, content in said if kind == "error"], [])
        return said

    def test_the_bar_is_one_output_that_is_replaced(self):
        said = self.run_cell(LONG + "result = problem.solve(time_limit=0.5, threads=1, progress='notebook')")
        kinds = [kind for kind, _ in said if kind in ("display_data", "update_display_data", "stream")]
        self.assertEqual(kinds[0], "display_data")
        self.assertEqual(set(kinds[1:]), {"update_display_data"})
        last = [content for kind, content in said if kind == "update_display_data"][-1]
        self.assertRegex(last["data"]["text/html"], r"<pre>\[.*cost [\d,]+ ")

    def test_an_interrupt_ends_the_search_with_its_best(self):
        self.run_cell(LONG)
        request = self.start("try:\n    problem.solve(time_limit=60, callback=lambda *_: print('found', flush=True))\n"
                             "except qapfw.Interrupted as ended:\n    print('best', ended.result.cost)\n")
        self.until_idle(request, "stream")
        since = time.monotonic()
        self.kernel.interrupt_kernel()
        said = self.until_idle(request)
        self.assertLess(time.monotonic() - since, 0.3 + 0.7)  # 0.7 s more for a busy machine
        self.assertRegex("".join(content["text"] for kind, content in said if kind == "stream"), r"best \d+")

    def test_a_restart_ends_the_search_and_leaves_nothing(self):
        mark = str(self.folder)
        self.run_cell(LONG)
        self.until_idle(self.start("problem.solve(time_limit=60, threads=2, callback=lambda *_: print('found', flush=True))"), "stream")
        before = set(processes_with(mark))
        self.assertTrue(before)
        since = time.monotonic()
        self.kernel.restart_kernel()
        while before & set(processes_with(mark)):
            time.sleep(0.005)
        # The limit distinguishes a kernel that ends by itself, in 0.5 s, from one that Jupyter kills after 5 s.
        self.assertLess(time.monotonic() - since, 0.3 + 2)
        self.client.wait_for_ready(timeout=60)
        after = set(processes_with(mark))
        self.assertEqual((before & after, len(after)), (set(), 1))
        self.assertEqual(list(self.work.iterdir()), [])

    def test_the_example_notebook_runs(self):
        notebook = json.loads((PACKAGE / "examples/tour.ipynb").read_text(encoding="utf-8"))
        shown = [content["data"] for cell in notebook["cells"] if cell["cell_type"] == "code"
                 for kind, content in self.run_cell("".join(cell["source"])) if kind == "execute_result"]
        self.assertIn("<th>facility</th>", shown[0]["text/html"])
        self.assertIn("<svg", shown[3]["text/html"])


if __name__ == "__main__":
    unittest.main()

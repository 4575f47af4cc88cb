# SPDX-License-Identifier: Apache-2.0
"""Searches inside a process: callbacks, interrupts, threads, processes, and that nothing is left behind."""

import io
import multiprocessing
import os
import pickle
import random
import signal
import threading
import time
import types
import unittest
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

from support import FolderTest

import qapfw

try:
    import numpy
except ImportError:
    numpy = None


def matrices(n, seed=1):
    draw = random.Random(seed)
    return [[[0 if i == j else draw.randint(0, 99) for j in range(n)] for i in range(n)] for _ in range(2)]


def solve_pickled(problem):
    return problem.solve(iterations=20, algorithm="tabu", threads=1)


class Callbacks(FolderTest):
    def test_improvements_are_told_in_the_callers_thread_and_the_callback_ends_the_search(self):
        flow, distance = matrices(60)
        told, threads = [], set()

        def callback(cost, seconds, permutation):
            told.append((cost, permutation))
            threads.add(threading.current_thread())
            return len(told) == 2

        result = qapfw.solve(flow, distance, time_limit=60, callback=callback)
        self.assertEqual(threads, {threading.main_thread()})
        self.assertEqual([qapfw.qap_cost(flow, distance, p) for _, p in told], [cost for cost, _ in told])
        self.assertEqual(sorted((cost for cost, _ in told), reverse=True), [cost for cost, _ in told])
        self.assertEqual((len(told), result.reason), (2, "cancelled"))
        self.assertLessEqual(result.cost, told[-1][0])
        self.assertEqual(result.trace[-1].cost, result.cost)

    def test_better_solutions_within_a_long_round_are_told(self):
        told = []
        result = qapfw.solve(*matrices(900), time_limit=1, threads=1, backend="cpu", set={"device.start_on_cpu": False},
                             callback=lambda cost, seconds, p: told.append(cost))
        self.assertGreater(len(told), 0)
        self.assertEqual(told, sorted(set(told), reverse=True))
        self.assertLessEqual(result.cost, told[-1])

    def test_an_exception_of_the_callback_ends_the_search_and_arrives(self):
        def callback(cost, seconds, permutation):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            qapfw.solve(*matrices(30), time_limit=60, callback=callback)

    def test_the_trajectory_does_not_depend_on_who_listens(self):
        pair = matrices(20)
        options = {"iterations": 300, "algorithm": "tabu", "threads": 1}
        silent = qapfw.solve(*pair, **options)
        heard = qapfw.solve(*pair, **options, callback=lambda *_: None, progress=False)
        self.assertEqual((silent["digest"], silent.permutation), (heard["digest"], heard.permutation))

    def test_progress_leaves_its_last_line(self):
        text = io.StringIO()
        with redirect_stderr(text):
            qapfw.solve(*matrices(20), time_limit=0.2, progress=True)
        self.assertRegex(text.getvalue(), r"\A\[[#.]{24}\] +0\.\d s  cost [\d,]+  .* solutions\n\Z")


    def test_a_notebook_gets_a_line_that_is_replaced(self):
        shown = []

        class Handle:
            def update(self, html):
                shown.append(html)

        display = types.SimpleNamespace(HTML=str, display=lambda *_, **__: Handle())
        modules = {"IPython": types.SimpleNamespace(display=display), "IPython.display": display}
        with mock.patch.dict("sys.modules", modules):
            result = qapfw.solve(*matrices(20), time_limit=0.2, progress="notebook")
        self.assertRegex(shown[-1], rf"^<pre>\[.*cost {result.cost:,} .*</pre>$")
        with mock.patch.dict("sys.modules", {"IPython": None}), self.assertRaisesRegex(ImportError, "needs IPython"):
            qapfw.solve(*matrices(20), progress="notebook")

    def test_a_result_is_plotted(self):
        result = qapfw.solve(*matrices(20), time_limit=0.2)
        axes = mock.Mock()
        self.assertIs(result.plot(axes), axes)
        times, costs = axes.step.call_args.args
        self.assertEqual((costs[-1], len(times)), (result.cost, len(result.trace)))
        with mock.patch.dict("sys.modules", {"matplotlib": None}), self.assertRaisesRegex(ImportError, "need matplotlib"):
            result.plot()


class Ends(FolderTest):
    def interrupt_after(self, seconds):
        timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
        self.addCleanup(timer.cancel)
        timer.start()

    def assert_prompt(self, since, seconds=0.3):
        self.assertLess(time.monotonic() - since, seconds + 0.7)  # 0.7 s more for a busy machine

    def test_ctrl_c_gives_the_best_that_was_found(self):
        for n in (30, 200):
            with self.subTest(n=n):
                flow, distance = matrices(n)
                self.interrupt_after(0.5)
                start = time.monotonic()
                with self.assertRaises(qapfw.Interrupted) as caught:
                    qapfw.solve(flow, distance, time_limit=60)
                self.assert_prompt(start + 0.5)
                result = caught.exception.result
                self.assertEqual(result.cost, qapfw.qap_cost(flow, distance, result.permutation))

    @unittest.skipIf(numpy is None, "skipped: no numpy")
    def test_ctrl_c_ends_the_preparation_of_a_large_problem(self):
        draw = numpy.random.default_rng(1)
        problem = qapfw.Problem(draw.random((1500, 1500)), draw.random((1500, 1500)))
        self.interrupt_after(0.2)
        start = time.monotonic()
        with self.assertRaises(qapfw.Interrupted) as caught:
            problem.solve(time_limit=60)
        self.assert_prompt(start + 0.2)
        self.assertIsNone(caught.exception.result)
        cancel = qapfw.Cancel()
        cancel.set()
        with self.assertRaisesRegex(qapfw.Cancelled, "cancelled before it began"):
            problem.solve(time_limit=60, cancel=cancel)

    def test_ctrl_c_reaches_many_problems(self):
        self.interrupt_after(0.3)
        start = time.monotonic()
        with self.assertRaises(qapfw.Interrupted) as caught:
            qapfw.solve_many([matrices(40)] * 20, time_limit=60, algorithm="tabu")
        self.assert_prompt(start + 0.3)
        self.assertEqual(len(caught.exception.results), 20)
        self.assertTrue(any(result is not None for result in caught.exception.results))

    def test_another_thread_cancels(self):
        cancel = qapfw.Cancel()
        threading.Timer(0.3, cancel.set).start()
        start = time.monotonic()
        result = qapfw.solve(*matrices(40), time_limit=60, cancel=cancel)
        self.assert_prompt(start + 0.3)
        self.assertEqual(result.reason, "cancelled")
        self.assertTrue(cancel.is_set())

    def test_other_threads_solve_and_compute_meanwhile(self):
        pair, results, counted = matrices(25), {}, 0

        def work(k):
            results[k] = qapfw.solve(*pair, iterations=100, algorithm="tabu", threads=1, seed=k % 2 + 1,
                                     callback=lambda *_: None)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            counted += 1  # possible only while searches do not hold the interpreter's lock
        self.assertGreater(counted, 1000)
        self.assertEqual(results[0]["digest"], results[2]["digest"])
        self.assertNotEqual(results[0]["digest"], results[1]["digest"])

    def test_the_end_of_the_interpreter_ends_searches_of_daemon_threads(self):
        process = self.python("import sys, threading, time, qapfw\n"
                              "p = qapfw.Problem.from_file('tai60a')\n"
                              "go = threading.Event()\n"
                              "threading.Thread(target=p.solve, kwargs={'time_limit': 60, 'callback': lambda *_: go.set()},"
                              " daemon=True).start()\n"
                              "go.wait()\nprint(time.time())\n")
        output, errors = process.communicate(timeout=30)
        self.assertEqual((process.returncode, errors), (0, ""))
        self.assertLess(time.time() - float(output), 3)

    def test_killed_at_any_moment_nothing_is_left(self):
        draw = random.Random(5)
        for k in range(9):
            marker = f"qapfw-kill-{os.getpid()}-{k}"
            process = self.python("import qapfw, sys\nfor n in range(99):\n    qapfw.Problem.from_file('tai60a')"
                                  ".solve(time_limit=60, callback=lambda *_: print('x', flush=True))\n", marker,
                                  start_new_session=True)
            process.stdout.readline()
            time.sleep(draw.random() * 0.2)
            process.send_signal([signal.SIGKILL, signal.SIGTERM, signal.SIGHUP][k % 3])
            self.assertLess(process.wait(timeout=10), 0)
            process.stdout.close()
            process.stderr.close()
            left = [file.parent.name for file in Path("/proc").glob("[0-9]*/cmdline") if marker in read(file)]
            self.assertEqual(left, [])
            self.assertEqual(sorted(self.folder.iterdir()), [])


def read(file):
    try:
        return file.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


class Processes(FolderTest):
    def test_problems_and_results_pickle(self):
        problem = qapfw.Problem(*matrices(12), facilities=[f"f{i}" for i in range(12)], fixed={"f3": 2})
        copy = pickle.loads(pickle.dumps(problem))
        result = solve_pickled(copy)
        self.assertEqual(result, pickle.loads(pickle.dumps(result)))
        self.assertEqual(result.assignment["f3"], 2)
        self.assertEqual(result["digest"], solve_pickled(problem)["digest"])
        with self.assertRaisesRegex(TypeError, "belongs to its process"):
            pickle.dumps(qapfw.Cancel())

    def test_processes_that_are_spawned_or_forked_solve(self):
        problem = qapfw.Problem(*matrices(12))
        expected = solve_pickled(problem)
        for kind in ("spawn", "fork"):
            context = multiprocessing.get_context(kind)
            with self.subTest(kind), ProcessPoolExecutor(1, mp_context=context) as pool:
                result = pool.submit(solve_pickled, problem).result(timeout=30)
                self.assertEqual(result["digest"], expected["digest"])

    def test_a_fork_in_the_middle_of_a_search_is_told(self):
        process = self.python("import os, sys, threading, qapfw\n"
                              "p = qapfw.Problem.from_file('tai60a')\n"
                              "go, cancel = threading.Event(), qapfw.Cancel()\n"
                              "t = threading.Thread(target=p.solve, kwargs={'time_limit': 60, 'cancel': cancel,"
                              " 'callback': lambda *_: go.set()})\n"
                              "t.start()\ngo.wait()\n"
                              "if os.fork() == 0:\n"
                              "    try: qapfw.solve([[0]], [[0]])\n"
                              "    except qapfw.QapfwError as error: print(error, flush=True)\n"
                              "    os._exit(0)\n"
                              "os.wait()\ncancel.set()\nt.join()\n")
        output, errors = process.communicate(timeout=30)
        self.assertIn("forked while a search was running", output)
        self.assertEqual((process.returncode, errors), (0, ""))

    def test_a_fork_after_a_gpu_was_used_is_told(self):
        process = self.python("import os, qapfw\nfrom qapfw import _library\n_library.note_gpu()\n"
                              "assert qapfw.solve([[2]], [[3]]).cost == 6\n"
                              "if os.fork() == 0:\n"
                              "    try: qapfw.solve([[0]], [[0]])\n"
                              "    except qapfw.QapfwError as error: print(error, flush=True)\n"
                              "    os._exit(0)\nos.wait()\n")
        output, errors = process.communicate(timeout=30)
        self.assertIn("after a search had used a GPU", output)
        self.assertEqual((process.returncode, errors), (0, ""))

    def test_many_problems_are_solved_side_by_side(self):
        pairs = [matrices(8, seed) for seed in range(20)]
        results = qapfw.solve_many(pairs, iterations=50, algorithm="tabu")
        for pair, result in zip(pairs, results):
            self.assertEqual(result.cost, qapfw.qap_cost(*pair, result.permutation))
        self.assertEqual(qapfw.solve_many([]), [])
        for kind, wrong, words in ((ValueError, ([[0, 1]], [[0]]), "flow is 1 x 2"), (TypeError, 3, "is neither a pair")):
            with self.assertRaisesRegex(kind, rf"^problems\[1\].*{words}"):
                qapfw.solve_many([pairs[0], wrong])

    def test_one_failed_problem_of_many_leaves_the_results_of_the_others(self):
        pairs = [matrices(8), matrices(41), matrices(7)]
        with self.assertRaisesRegex(qapfw.UnsupportedError, "^problem 1: .*at most 40 free facilities") as caught:
            qapfw.solve_many(pairs, algorithm="exact")
        results = caught.exception.results
        self.assertEqual([result is not None for result in results], [True, False, True])
        self.assertEqual(results[0].cost, qapfw.qap_cost(*pairs[0], results[0].permutation))


if __name__ == "__main__":
    unittest.main()

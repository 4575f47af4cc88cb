# SPDX-License-Identifier: Apache-2.0
import math
import random
import unittest

import support  # noqa: F401: the path
from estimates import (Ratio, deviation, geometric_mean, interval, mean, median, median_deviation, resample,
                       time_to_target, verdict)


class Estimates(unittest.TestCase):
    def test_simple_statistics_are_the_textbook_ones(self):
        self.assertEqual(mean([1, 2, 6]), 3)
        self.assertEqual(median([5, 1, 3]), 3)
        self.assertEqual(median([4, 1, 3, 2]), 2.5)
        self.assertEqual(median_deviation([1, 1, 2, 2, 4, 6, 9]), 1)
        self.assertAlmostEqual(deviation([2, 4, 4, 4, 5, 5, 7, 9]), math.sqrt(32 / 7))
        self.assertEqual(deviation([3]), 0)

    def test_time_to_target_is_the_mean_when_all_hit_and_all_time_for_each_hit_otherwise(self):
        self.assertEqual(time_to_target([(1.0, True), (3.0, True)]), 2.0)
        self.assertEqual(time_to_target([(1.0, True), (5.0, False)]), 6.0)
        self.assertEqual(time_to_target([(5.0, False)]), math.inf)

    def test_the_interval_leaves_a_fortieth_on_each_side(self):
        self.assertEqual(interval(list(range(1001))), (25, 975))
        self.assertEqual(interval([7.0]), (7.0, 7.0))

    def test_resamples_of_the_mean_spread_as_its_standard_error(self):
        values = list(range(100))
        draws = resample(values, mean, random.Random(1))
        self.assertAlmostEqual(mean(draws), 49.5, delta=0.5)
        self.assertAlmostEqual(deviation(draws), 28.9 / 10, delta=0.3)

    def test_a_ratio_is_the_same_each_time_and_holds_its_value(self):
        one = Ratio(10.0, [1.0, 2.0, 3.0, 4.0], mean, "row")
        two = Ratio(10.0, [1.0, 2.0, 3.0, 4.0], mean, "row")
        self.assertEqual(one.value, 4.0)
        self.assertEqual(one.draws, two.draws)
        self.assertLess(one.low, 4.0)
        self.assertGreater(one.high, 4.0)
        self.assertNotEqual(one.draws, Ratio(10.0, [1.0, 2.0, 3.0, 4.0], mean, "other row").draws)

    def test_without_a_hit_a_ratio_is_zero(self):
        ratio = Ratio(1.0, [(5.0, False)] * 3, time_to_target, "row")
        self.assertEqual((ratio.value, ratio.low, ratio.high), (0.0, 0.0, 0.0))

    def test_the_geometric_mean_and_its_interval(self):
        exact = [Ratio(8.0, [1.0] * 5, mean, "a"), Ratio(2.0, [1.0] * 5, mean, "b")]
        for number in geometric_mean(exact):
            self.assertAlmostEqual(number, 4.0)
        value, low, high = geometric_mean([Ratio(8.0, [1.0, 2.0, 3.0], mean, "a"), Ratio(2.0, [1.0, 1.5], mean, "b")])
        self.assertLess(low, value)
        self.assertLess(value, high)

    def test_verdicts(self):
        ours = [100.0 + number % 10 for number in range(50)]
        self.assertEqual(verdict(104.0, 10, ours, mean, "row"), "same")
        self.assertEqual(verdict(95.0, 10, ours, mean, "row"), "worse")
        self.assertEqual(verdict(115.0, 10, ours, mean, "row"), "better")
        self.assertEqual(verdict(7.0, 10, [7.0] * 10, median, "row"), "same")
        self.assertEqual(verdict(8.0, 10, [7.0] * 10, median, "row"), "better")
        self.assertEqual(verdict(7.0, 10, [math.inf] * 10, median, "row"), "worse")
        self.assertEqual(verdict(8.0, 10, [7.0] * 4, median, "row"), "-")


if __name__ == "__main__":
    unittest.main()

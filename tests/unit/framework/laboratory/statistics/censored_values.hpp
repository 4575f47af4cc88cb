// SPDX-License-Identifier: Apache-2.0
// Made by: python3 censored_values.py > censored_values.hpp
#pragma once

#include <vector>

#include "framework/laboratory/statistics/run_times.hpp"

// clang-format off
namespace qapfw::statistics::reference {

// shares: for the time of each hit, the estimated fraction of runs that have hit by then (Kaplan-Meier). Fits by
// likelihood (_ml) and by least squares (_ls): shape and scale (gamma), mean and standard deviation (normal). m30:
// mean_of_first(fit, 30) for the fit gamma_ml. drawn: mean_of_smallest(runs, p) for p = 1 and 5.
struct CensoredCase { const char* name; std::vector<TimedRun> runs; std::vector<double> shares, gamma_ml, normal_ml, gamma_ls, normal_ls; double m30; std::vector<double> drawn; };
inline const std::vector<CensoredCase> kCensored{
    {"cut at ten", {{1.1, true}, {2.4, true}, {3, true}, {3.7, true}, {5.2, true}, {6.1, true}, {7.9, true}, {8.8, true}, {9.6, true}, {10, false}, {10, false}, {10, false}}, {0.0833333333, 0.166666667, 0.25, 0.333333333, 0.416666667, 0.5, 0.583333333, 0.666666667, 0.75}, {2.04034205, 3.77241665}, {7.07253016, 4.03293076}, {1.66595123, 4.98105746}, {7.02251292, 4.74440797}, 0.99615783, {8.64444444, 2.68080969}},
    {"cut here and there", {{0.05, true}, {0.1, false}, {0.2, true}, {0.2, true}, {0.35, false}, {0.6, true}, {1.4, true}, {1.4, false}, {2.5, true}, {3, false}}, {0.1, 0.325, 0.46, 0.595, 0.7975}, {0.749582449, 2.39617835}, {1.46245332, 1.2479971}, {0.561971431, 4.07027598}, {1.45354278, 1.55591272}, 0.0263795692, {1.63333333, 0.306415697}},
    {"mostly missed", {{12, true}, {40, true}, {77, true}, {80, false}, {80, false}, {80, false}, {80, false}, {80, false}, {80, false}, {80, false}, {80, false}, {80, false}}, {0.0833333333, 0.166666667, 0.25}, {1.25684941, 180.52802}, {119.49761, 59.4901527}, {0.876399216, 441.662361}, {143.32774, 83.3606751}, 12.7779104, {283, 59.9240132}},
};

}  // namespace qapfw::statistics::reference
// clang-format on

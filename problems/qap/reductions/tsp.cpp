// SPDX-License-Identifier: Apache-2.0
// Tours, see tsp.hpp.
#include "problems/qap/reductions/tsp.hpp"

#include <fmt/format.h>

#include "problems/qap/setup.hpp"

namespace qapfw::qap {
namespace {

std::vector<uint32_t> tour_of(Placement p) {
    return {p.begin(), p.end()};
}

}  // namespace

QapMatrices TspReduction::matrices() const {
    const std::size_t n = instance_.n;
    QapMatrices out{instance_.n, set_up_matrix(n), set_up_copy(instance_.distance, n)};
    for (std::size_t k = 0; k < n; ++k) out.a[k * n + (k + 1) % n] = 1;
    return out;
}

std::string TspReduction::summary() const {
    return fmt::format("{} salesman, {} cities, {}", instance_.symmetric ? "travelling" : "asymmetric travelling",
                       instance_.n, instance_.metric);
}

int64_t TspReduction::recount(Placement p) const {
    return instance_.length(tour_of(p));
}

std::string TspReduction::length_text(Placement p) const {
    const int64_t length = recount(p);
    if (instance_.divisor == 1) return std::to_string(length);
    return fmt::format("{}", static_cast<double>(length) / static_cast<double>(instance_.divisor));
}

std::string TspReduction::describe(Placement p) const {
    return fmt::format("tour of length {} through {} cities:\n{}", length_text(p), instance_.n,
                       list_from_one(tour_of(p)));
}

AnswerFile TspReduction::file(Placement p) const {
    return {name_ + ".tour", to_tsplib_tour(name_, tour_of(p), length_text(p))};
}

}  // namespace qapfw::qap

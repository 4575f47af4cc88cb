// SPDX-License-Identifier: Apache-2.0
// Functions for all reductions, see reduction.hpp.
#include "problems/qap/reductions/reduction.hpp"

#include <fmt/format.h>

#include "qapfw/error.hpp"

namespace qapfw::qap {

void check_answer(const Reduction& reduction, Placement p, int64_t cost) {
    const int64_t recounted = reduction.recount(p);
    if (recounted == cost) return;
    throw Error(ErrorKind::kInternal,
                fmt::format("the cost recounted from the answer is {}, but the QAP's cost is {}", recounted, cost));
}

std::string list_from_one(std::span<const uint32_t> indices) {
    constexpr std::size_t kLine = 100;
    std::string out, line = " ";
    for (const uint32_t index : indices) {
        const std::string word = fmt::format(" {}", index + 1);
        if (line.size() + word.size() > kLine) {
            out += line + "\n";
            line = " ";
        }
        line += word;
    }
    return out + line + "\n";
}

}  // namespace qapfw::qap

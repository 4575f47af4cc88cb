// SPDX-License-Identifier: Apache-2.0
// Another problem written as a QAP: its matrices, and the meaning of a permutation in the terms of that problem.
// Solvers see only the matrices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "problems/qap/instances/best_known.hpp"
#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

/// A permutation of the QAP: element i is the location of facility i.
using Placement = std::span<const uint16_t>;

/// A file of the run record that holds the answer in a form that programs can read.
struct AnswerFile {
    std::string name;
    std::string text;
};

class Reduction {
  public:
    virtual ~Reduction() = default;

    virtual QapMatrices matrices() const = 0;
    /// The problem's own objective is sense * cost / divisor. The sense is -1 if the objective is maximised.
    virtual int32_t sense() const { return 1; }
    virtual int64_t divisor() const { return 1; }
    /// The size of the problem itself (cities, vertices, squares).
    virtual uint32_t size() const = 0;
    /// A summary such as "travelling salesman, 52 cities, EUC_2D".
    virtual std::string summary() const = 0;
    /// Returns the best known cost of the QAP if theory gives one, else nothing.
    virtual std::optional<BestKnown> known() const { return std::nullopt; }

    /// The cost of the QAP, computed from the answer and the problem's own data without the matrices.
    virtual int64_t recount(Placement p) const = 0;
    /// Returns the answer as a text for people. The text begins with the objective.
    virtual std::string describe(Placement p) const = 0;
    /// Returns the answer as a file for programs.
    virtual AnswerFile file(Placement p) const = 0;
};

/// Throws Error(kInternal), naming both values, if the cost recounted from the answer is not `cost`.
void check_answer(const Reduction& reduction, Placement p, int64_t cost);

/// Returns each index plus 1 in a text: indices 0, 3 and 6 give "1 4 7". The text has indented lines of at most 100
/// characters.
std::string list_from_one(std::span<const uint32_t> indices);

}  // namespace qapfw::qap

// SPDX-License-Identifier: Apache-2.0
// The travelling salesman problem (Lawler and Lenstra 1985) as a QAP (PGAGrid thesis 2018, section 2.1.3, item 1).
// Flows are the directed cycle of the positions, so the cost is the tour's length; p(k) is the k-th city.
#pragma once

#include "problems/qap/reductions/reduction.hpp"
#include "problems/qap/reductions/tsplib.hpp"

namespace qapfw::qap {

class TspReduction : public Reduction {
  public:
    TspReduction(std::string name, TspInstance instance) : name_(std::move(name)), instance_(std::move(instance)) {}

    QapMatrices matrices() const override;
    uint32_t size() const override { return instance_.n; }
    int64_t divisor() const override { return instance_.divisor; }
    std::string summary() const override;
    int64_t recount(Placement p) const override;
    std::string describe(Placement p) const override;
    AnswerFile file(Placement p) const override;

  private:
    std::string length_text(Placement p) const;

    std::string name_;
    TspInstance instance_;
};

}  // namespace qapfw::qap

// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/offers.hpp"

#include <utility>

namespace qapfw::framework {

void Offers::put(const void* solution, qapfw_cost cost) {
    const auto* const bytes = static_cast<const std::byte*>(solution);
    const std::lock_guard lock(mutex_);
    if (waiting_ && !costs_.less(cost, waiting_->cost)) return;
    if (!waiting_) waiting_.emplace();
    waiting_->solution.assign(bytes, bytes + solution_bytes_);
    waiting_->cost = cost;
}

std::optional<OfferedSolution> Offers::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(waiting_, std::nullopt);
}

}  // namespace qapfw::framework

// SPDX-License-Identifier: Apache-2.0
#include "framework/answers/instance_bound.hpp"

#include <system_error>

#include "framework/host/plugin_call.hpp"
#include "qapfw/abi/bounds.h"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

const qapfw_problem_bounds* bounds_table_of(const Problem& problem) {
    return static_cast<const qapfw_problem_bounds*>(problem.capability(QAPFW_PROBLEM_BOUNDS));
}

}  // namespace

bool InstanceBound::has(const Problem& problem) {
    return bounds_table_of(problem) != nullptr;
}

InstanceBound::InstanceBound(const Problem& problem) : problem_(problem) {
    try {
        thread_ = std::jthread([this](const std::stop_token& stop) { compute(stop); });
    } catch (const std::system_error&) {  // without a thread there is no bound
        is_done_ = true;
    }
}

InstanceBound::~InstanceBound() {
    thread_.request_stop();
}

std::optional<ProvenBound> InstanceBound::wait(std::chrono::microseconds patience) const {
    std::unique_lock lock(mutex_);
    done_.wait_for(lock, patience, [&] { return is_done_; });
    return found_;
}

void InstanceBound::compute(const std::stop_token& stop) {
    qapfw_instance_bound bound{};
    try {
        const auto should_stop = [](void* context) -> std::int32_t {
            return static_cast<const std::stop_token*>(context)->stop_requested() ? 1 : 0;
        };
        std::stop_token token = stop;
        call_plugin(problem_.owner(), "of_instance", [&] {
            return bounds_table_of(problem_)->of_instance(problem_.ref()->problem, should_stop, &token, &bound);
        });
    } catch (const Error&) {  // the run goes on without a bound
        bound.name = nullptr;
    }
    const std::lock_guard lock(mutex_);
    if (bound.name != nullptr) found_ = ProvenBound{bound.bound, bound.name};
    is_done_ = true;
    done_.notify_all();
}

}  // namespace qapfw::framework

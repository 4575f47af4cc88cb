// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/support/test_host.hpp"

namespace qapfw::test {

/// A run that ends when the best cost that the solver has reported is at most the target, as in the framework. It also
/// ends after more than 5000 generations.
class TargetRun {
  public:
    TargetRun(std::uint64_t seed, std::int64_t target) : target_(target) {
        services.struct_size = sizeof services;
        services.context = this;
        services.seed = seed;
        services.has_target = 1;
        services.target.i = target;
        services.begin_round = [](void* c, std::uint64_t wanted) -> std::uint64_t {
            auto* self = static_cast<TargetRun*>(c);
            return self->generations > 5000 || (self->rounds > 0 && self->cost <= self->target_) ? 0 : wanted;
        };
        services.end_round = [](void* c, const qapfw_round* round) -> qapfw_status {
            auto* self = static_cast<TargetRun*>(c);
            ++self->rounds;
            self->generations += round->iterations;
            self->evaluations += round->evaluations;
            self->digests.push_back(round->digest);
            self->cost = round->best_cost.i;
            CHECK(round->complete == 1);
            return QAPFW_OK;
        };
        services.should_stop = [](void*) -> std::int32_t { return 0; };
        services.statistic = [](void* c, const char* name, double value) {
            static_cast<TargetRun*>(c)->statistics[name] = value;
        };
    }
    TargetRun(const TargetRun&) = delete;
    qapfw_run services{};
    std::uint64_t rounds = 0, generations = 0, evaluations = 0;
    std::vector<std::uint64_t> digests;
    std::int64_t cost = 0;
    std::map<std::string, double> statistics;

  private:
    std::int64_t target_;
};

}  // namespace qapfw::test

// SPDX-License-Identifier: Apache-2.0
// Makes the record of a run in the test's own process. Keeps what the checks compare the record with: configuration,
// problem, limits.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "framework/engine/engine.hpp"
#include "framework/host/log.hpp"
#include "framework/laboratory/verify/record_checks.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/framework/engine/test_algorithms.hpp"

namespace qapfw::testing {

class MadeRecord {
  public:
    explicit MadeRecord(std::vector<std::pair<std::string, std::string>> keys = {{"run.iterations", "42"}}) {
        framework::set_console_level(framework::LogLevel::kOff);
        keys.emplace_back("output.record", "true");
        keys.emplace_back("output.folder", "\"" + folder().string() + "\"");
        config_ = framework::testing::test_config(keys);
        framework::Engine engine(config_, {});
        const framework::EngineOutcome outcome = engine.run();
        REQUIRE_FALSE(outcome.failure);
        config_ = engine.config();
        problem_.emplace(host_, config_.problem);
        conditions_ = framework::StopConditions::of(config_.run, problem_->info());
    }
    std::filesystem::path folder() const { return place_.path() / "r"; }
    const framework::Config& config() const { return config_; }
    framework::laboratory::RunTruth truth() const { return {config_, *problem_, conditions_, config_.run.seed}; }

  private:
    test::TemporaryFolder place_;
    framework::Config config_;
    framework::Host host_{1, {}};
    std::optional<framework::Problem> problem_;
    framework::StopConditions conditions_;
};

}  // namespace qapfw::testing

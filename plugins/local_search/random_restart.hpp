// SPDX-License-Identifier: Apache-2.0
// Solver "random_restart": batches of random solutions, each improved by the configured improver. It is the baseline
// for other solvers. It has no groups and no generations, so it has its own loop over rounds; a round is a batch.
#pragma once

#include "qapfw/sdk/population/report.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::local_search {

class RandomRestart {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("batch", 64)
            .range(1, 1'000'000)
            .unit("solutions")
            .summary("Number of random solutions that are drawn, improved and compared in an iteration.")};
    /// No parameter's "auto" depends on GPUs. So a run may begin on the CPU while the GPUs are made ready.
    static constexpr const char* kAutoByGpus[] = {nullptr};

    explicit RandomRestart(const sdk::SolverContext& context);

    void run(sdk::Run& run);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);
    /// Declares that processes split the solutions of a batch.
    static const void* get_capability(const char* id);

    /// State of a run between two rounds.
    struct State {
        std::uint64_t batches = 0;  ///< number of complete batches
        sdk::Leader best;           ///< best solution of the complete batches
    };

  private:
    sdk::SolverContext context_;
    std::uint32_t batch_;
    State state_;
};

}  // namespace qapfw::local_search

// SPDX-License-Identifier: Apache-2.0
// Solver "ga_independent": blocks that run the base GA independently, start anew when they stagnate, and stop as soon
// as one of them reaches the target. Source: S. Tsutsui and N. Fujimoto, "An analytical study of GPU computation for
// solving QAPs by parallel evolutionary computation with independent run", CEC 2010, section III.
#pragma once

#include <memory>

#include "plugins/ga_independent/blocks.hpp"
#include "plugins/ga_independent/ga_independent_parameters.hpp"

namespace qapfw::ga_independent {

/// The block's best cost must be that of at least this many of `size` individuals: share * size, rounded up.
std::uint32_t restart_threshold(double share, std::uint32_t size);

class GaIndependent {
  public:
    static constexpr auto& kParameters = ga_independent::kParameters;

    explicit GaIndependent(const sdk::SolverContext& context);
    void run(sdk::Run& run);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

  private:
    void settle(const sdk::Run& run);
    std::optional<std::uint64_t> advance(std::uint64_t generations, const sdk::Run& run);
    void report(sdk::Run& run, std::uint64_t generations, bool complete);
    void name_winner(sdk::Run& run) const;

    sdk::Host host_;
    sdk::ProblemRef problem_;
    const qapfw_improver_ref* improver_;
    BlockOptions options_;
    std::uint64_t round_length_;
    std::unique_ptr<Blocks> blocks_;
    std::vector<unsigned char> saved_;  ///< state given to load, until the blocks exist
    std::uint64_t generation_ = 0;      ///< complete ones
    bool started_ = false;              ///< the first individuals are there
    std::uint64_t reported_ = 0;        ///< evaluations already counted in reports
};

}  // namespace qapfw::ga_independent

// SPDX-License-Identifier: Apache-2.0
// Solver "random_restart": batches of uniformly random solutions, each improved by the configured improver. Every other
// solver must beat it.
#pragma once

#include "qapfw/sdk/solver.hpp"

namespace qapfw::local_search {

class RandomRestart {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("batch", 64)
            .range(1, 1'000'000)
            .unit("solutions")
            .summary("Solutions drawn, improved and compared in one iteration.")};

    explicit RandomRestart(const sdk::SolverContext& context);
    void run(sdk::Run& run);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

  private:
    struct Incumbent {
        std::vector<unsigned char> solution;
        qapfw_cost cost{};
        std::uint64_t generation = 0, individual = 0;
        bool exists = false;
    };

    /// Returns whether all were drawn and evaluated; a large batch may take minutes, and a stop does not wait for it.
    bool draw_solutions(const sdk::Run& run);
    void draw_solution(const sdk::Run& run, std::uint64_t k);
    void draw_bits(void* solution, std::uint64_t seed, std::uint32_t individual) const;
    void improve_solutions(const sdk::Run& run);
    void keep_best(Incumbent& best) const;
    std::uint64_t digest(const Incumbent& best) const;
    void report(sdk::Run& run, const Incumbent& best, bool complete);

    sdk::Host host_;
    sdk::ProblemRef problem_;
    sdk::ImproverPool improvers_;
    std::uint64_t batch_;
    std::vector<std::uint16_t> free_;
    std::vector<unsigned char> base_;  ///< the fixed solution, or the identity
    // Memory of a batch that is never drawn is never touched.
    std::unique_ptr<unsigned char[]> solutions_;
    std::unique_ptr<qapfw_cost[]> costs_;
    std::vector<std::uint8_t> drawn_;  ///< by solution: whether this generation came to it before it was to stop
    std::uint64_t generation_ = 0;     ///< number of complete generations
    std::uint64_t evaluations_ = 0;    ///< of the generation in progress
    Incumbent best_;                   ///< of the complete generations
};

}  // namespace qapfw::local_search

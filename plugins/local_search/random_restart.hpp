// SPDX-License-Identifier: Apache-2.0
// Solver "random_restart": batches of uniformly random solutions, each improved by the configured improver. The
// baseline every other solver must beat.
#pragma once

#include "qapfw/sdk/solver.hpp"

namespace qapfw::local_search {

class RandomRestart {
  public:
    static constexpr qapfw_parameter kParameters[] = {
        {.name = "batch",
         .type = QAPFW_PARAMETER_INTEGER,
         .flags = 0,
         .default_text = "64",
         .minimum = 1,
         .maximum = 1'000'000,
         .choices = nullptr,
         .unit = "solutions",
         .symbol = nullptr,
         .summary = "Solutions drawn, improved and compared in one iteration."}};

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

    void draw_solutions(const sdk::Run& run);
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
    std::vector<unsigned char> solutions_;
    std::vector<qapfw_cost> costs_;
    std::uint64_t generation_ = 0;   ///< complete ones
    std::uint64_t evaluations_ = 0;  ///< of the generation at work
    Incumbent best_;                 ///< of complete generations
};

}  // namespace qapfw::local_search

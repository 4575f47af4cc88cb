// SPDX-License-Identifier: Apache-2.0
// Solver "imga": the island model genetic algorithm. Source: X. Sun, P. Chou, C.-C. Wu, L.-R. Chen, "Quality-oriented
// study on mapping island model genetic algorithm onto CUDA GPU", Symmetry 2019, 11(3), 318, sections 2.3 and 3.
#pragma once

#include "plugins/imga/imga_parameters.hpp"
#include "plugins/imga/islands.hpp"

namespace qapfw::imga {

class ImgaSolver {
  public:
    static constexpr auto& kParameters = imga::kParameters;

    explicit ImgaSolver(const sdk::SolverContext& context);
    void run(sdk::Run& run);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

  private:
    void settle(sdk::Run& run);
    bool advance(std::uint64_t generations, const sdk::Run& run);
    bool migration_due() const;
    bool restart_due() const;
    std::uint64_t next_meeting(std::uint64_t last) const;
    void report(sdk::Run& run, std::uint64_t generations, bool complete);
    IslandState empty_state() const;

    sdk::Host host_;
    sdk::ProblemRef problem_;
    const qapfw_improver_ref* improver_;
    ImgaOptions options_;
    std::uint64_t round_length_;
    IslandState saved_;                 ///< where a resumed run goes on
    std::unique_ptr<Islands> islands_;  ///< once the run has begun
    std::uint64_t reported_ = 0;        ///< evaluations already counted in reports
};

}  // namespace qapfw::imga

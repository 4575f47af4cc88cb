// SPDX-License-Identifier: Apache-2.0
// The subpopulations of the distributed GA on CPU threads: one task per subpopulation, or with an improver one per
// individual. The trajectory does not depend on it.
#pragma once

#include <atomic>

#include "plugins/ga_distributed/islands.hpp"
#include "qapfw/sdk/child_costs.hpp"

namespace qapfw::ga_distributed {

class CpuIslands final : public Islands {
  public:
    CpuIslands(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
               const IslandOptions& options);

    bool start(const sdk::Run& run) override;
    bool evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) override;
    void exchange(std::uint64_t generation, std::uint32_t moved) override;
    void mark() override { marked_ = now_; }
    void revert() override { now_ = marked_; }
    IslandsReport report(std::uint64_t generation, bool with_digest) override {
        return {leader(), with_digest ? digest(generation) : 0};
    }
    std::uint64_t evaluations() const override { return evaluations_; }
    void save(sdk::Writer& writer) override { now_.save(writer); }
    void load(sdk::Reader& reader) override { now_.load(reader); }

  private:
    kernels::GaPools<qapfw_cost> pools();
    Champion leader() const;
    std::uint64_t digest(std::uint64_t generation) const;
    void draw_individual(std::uint32_t k, const std::vector<std::uint64_t>& warm, const sdk::Run& run);
    bool evolve_alone(std::uint64_t first, std::uint64_t last, const sdk::Run& run);
    bool evolve_with_improver(std::uint64_t first, std::uint64_t last, const sdk::Run& run);
    bool breed_island(std::uint32_t island, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run);
    void breed(std::uint32_t first, std::uint32_t last, std::uint64_t generation, std::uint32_t worker);
    void evaluate_children(std::uint32_t first, std::uint32_t last);
    std::uint64_t improve(std::uint16_t* solution, qapfw_cost* cost, std::uint32_t k, std::uint64_t generation,
                          std::uint32_t stream, std::uint32_t worker, const sdk::Run& run);

    sdk::Host host_;
    sdk::ProblemRef problem_;
    sdk::ChildCosts costs_of_children_;
    sdk::ImproverPool improvers_;
    IslandOptions options_;
    std::uint64_t stride_;  ///< elements of one solution with its padding
    Individuals now_, marked_, next_;
    std::vector<std::uint16_t> base_;      ///< the fixed solution, or the identity
    std::vector<std::uint16_t> children_;  ///< W
    std::vector<qapfw_cost> child_costs_;
    std::vector<std::uint8_t> ready_;   ///< individual or child k is there with its cost
    std::vector<std::uint8_t> taken_;   ///< per worker: scratch of OX
    std::vector<std::uint16_t> where_;  ///< per worker: scratch of PMX
    std::atomic<std::uint64_t> evaluations_{0};
};

}  // namespace qapfw::ga_distributed

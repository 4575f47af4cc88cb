// SPDX-License-Identifier: Apache-2.0
// The islands on CPU threads. Tasks are whole islands between two migrations, or parts of an island in one generation
// where there are few islands or an improver; the trajectory does not depend on it.
#pragma once

#include <atomic>

#include "plugins/imga/islands.hpp"

namespace qapfw::imga {

constexpr std::uint32_t kBatch = 64;         ///< children made and evaluated between two looks at should_stop
constexpr std::uint32_t kImproverBatch = 2;  ///< pairs: improving a child is long enough to be a task

class CpuIslands final : public Islands {
  public:
    CpuIslands(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
               const ImgaOptions& options, IslandState state);

    void migrate(const sdk::Run& run) override;
    bool idle_since(std::uint64_t generation) override;
    void mark() override { marked_ = state_; }
    void revert() override { state_ = marked_; }
    IslandsReport report(bool with_digest) override;
    void save(sdk::Writer& writer) override { state_.save(writer); }

  protected:
    bool fill(const std::vector<unsigned char>& warm, const sdk::Run& run) override;
    bool produce(std::uint64_t last, const sdk::Run& run) override;

  private:
    /// Children or individuals first..last-1 of an island.
    struct Part {
        std::uint32_t island, first, last;
    };
    /// Memory of one worker.
    struct Scratch {
        std::vector<std::uint16_t> positions;
        std::vector<unsigned char> mirror;  ///< one solution
        std::vector<unsigned char> batch;   ///< children to be evaluated
        std::vector<qapfw_cost> batch_costs;
        std::vector<std::uint64_t> batch_members;  ///< whose they are
        std::uint64_t evaluations = 0;
    };

    template <class Body>
    void with_solutions(const Body& body) const;
    template <class Body>
    bool for_all_parts(const sdk::Run& run, const Body& body);
    bool produce_by_island(std::uint64_t last, const sdk::Run& run);
    bool produce_by_generation(std::uint64_t last, const sdk::Run& run);

    void make_children(const Part& part, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run);
    void select(const Part& part, std::uint64_t generation);
    void cross(const Part& part, std::uint64_t generation, Scratch& scratch);
    void mutate(const Part& part, std::uint64_t generation, Scratch& scratch);
    void recognise_copies(const Part& part);
    void evaluate(const Part& part, Scratch& scratch);
    void improve(const Part& part, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run);
    void replace(std::uint32_t island, std::uint64_t generation);
    void let_elites_live(std::uint32_t island);
    void take_best_distinct(std::uint32_t island);

    void draw(const Part& part, const std::vector<unsigned char>& warm, std::uint32_t worker);
    void invite(std::uint32_t island, Travellers& travellers) const;
    void settle(std::uint32_t island, const qapfw_batch& newcomers);
    bool is_welcome(std::uint32_t island, qapfw_cost cost, qapfw_cost worst) const;
    void exchange_with_processes(const sdk::Run& run);
    void keep_best(std::uint32_t island, std::uint64_t generation);
    void keep_best_of_children(std::uint64_t generation);
    void take_best(std::uint32_t island, const void* solution, qapfw_cost cost, std::uint64_t generation);
    std::uint32_t leader() const;
    std::uint64_t digest() const;

    /// Members of the island by cost and number, as far as `count`; from the worst on where `worst` is set.
    std::vector<std::uint32_t> ranked(const std::vector<qapfw_cost>& costs, std::uint32_t island, std::uint32_t count,
                                      bool worst) const;
    bool equal(qapfw_cost a, qapfw_cost b) const;
    std::uint64_t number(std::uint32_t island, std::uint32_t member) const {
        return std::uint64_t{island} * options_.size() + member;
    }
    std::uint32_t individual(std::uint64_t k) const {
        return options_.first_individual() + static_cast<std::uint32_t>(k);
    }
    std::uint32_t island_number(std::uint32_t island) const { return options_.first_island + island; }
    unsigned char* parent(std::uint64_t k) { return state_.solutions.data() + k * bytes_; }
    const unsigned char* parent(std::uint64_t k) const { return state_.solutions.data() + k * bytes_; }
    unsigned char* child(std::uint64_t k) { return children_.data() + k * bytes_; }

    sdk::Host host_;
    sdk::ProblemRef problem_;
    sdk::ImproverPool improvers_;
    ImgaOptions options_;
    std::uint64_t bytes_;  ///< of one solution with its padding
    FixedElements fixed_;
    IslandState marked_;
    std::vector<unsigned char> children_;
    std::vector<qapfw_cost> child_costs_;
    std::vector<std::uint32_t> survivors_;  ///< per place: the member that won its tournament
    std::vector<std::uint8_t> changed_;     ///< per child: its cost is to be computed
    std::vector<std::uint8_t> ready_;       ///< per child or individual: it is there with its cost
    std::vector<Scratch> scratch_;          ///< per worker
};

/// Calls body(view): view(address) is the solution there, with bay bits or without.
template <class Body>
void CpuIslands::with_solutions(const Body& body) const {
    if (!options_.has_bits) {
        body([](unsigned char* at) {
            return kernels::fbs_solution(sdk::permutation_of(static_cast<void*>(at)), kernels::FbsNoBits{});
        });
        return;
    }
    const std::uint32_t offset = options_.bits_offset;
    body([offset](unsigned char* at) {
        return kernels::fbs_solution(sdk::permutation_of(static_cast<void*>(at)), at + offset);
    });
}

/// body(part, worker) for parts of all islands; false: one was left out.
template <class Body>
bool CpuIslands::for_all_parts(const sdk::Run& run, const Body& body) {
    const std::uint32_t batch = improvers_ ? kImproverBatch : kBatch;
    const std::uint32_t parts = (options_.size() + batch - 1) / batch;
    std::atomic<bool> complete{true};
    host_.parallel_for(std::uint64_t{options_.islands} * parts, [&](std::uint64_t index, std::uint32_t worker) {
        const auto island = static_cast<std::uint32_t>(index / parts);
        const auto first = static_cast<std::uint32_t>(index % parts) * batch;
        if (index > 0 && run.should_stop())
            complete = false;
        else
            body(Part{island, first, std::min(options_.size(), first + batch)}, worker);
    });
    return complete && !(improvers_ && run.should_stop());
}

}  // namespace qapfw::imga

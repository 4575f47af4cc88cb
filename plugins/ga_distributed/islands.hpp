// SPDX-License-Identifier: Apache-2.0
// The subpopulations of the distributed GA (GECCO 2009, section 3.2) for all of them in a process: on CPU threads
// (cpu_islands) or on GPUs (device_islands), with equal results.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::ga_distributed {

constexpr std::uint32_t kImproverStream = 64;       ///< and 65: children
constexpr std::uint32_t kStartImproverStream = 68;  ///< and 69: first individuals

struct IslandOptions {
    kernels::GaRules rules{};
    std::uint32_t islands = 1;
    std::vector<std::uint16_t> free;  ///< movable positions
    std::uint32_t individuals() const { return islands * rules.size; }
};

/// What the subpopulations are between two generations.
struct Individuals {
    Individuals(const IslandOptions& options, std::uint64_t stride);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

    std::vector<std::uint16_t> solutions;
    std::vector<qapfw_cost> costs;
    std::vector<std::uint64_t> found;  ///< generation in which the individual was made
};

/// `to` becomes `from` with `moved` individuals at other places; `generation` is the one just ended.
void exchange(const Individuals& from, Individuals& to, const IslandOptions& options, std::uint64_t generation,
              std::uint32_t moved);

/// A solution taken out of the population.
struct Champion {
    std::vector<std::uint16_t> solution;
    qapfw_cost cost;
    std::uint64_t found;
    std::uint32_t individual;
};

struct IslandsReport {
    Champion best;
    std::uint64_t digest;  ///< 0 where none is wanted
};

class Islands {
  public:
    virtual ~Islands() = default;

    /// Steps 1 and 2 of the base GA. False: cut short; individual 0 is there in any case.
    virtual bool start(const sdk::Run& run) = 0;
    /// Generations first+1..last of all subpopulations. False: cut short; every individual and its cost are right.
    virtual bool evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) = 0;
    /// Moves `moved` individuals to other places; `generation` is the one just ended.
    virtual void exchange(std::uint64_t generation, std::uint32_t moved) = 0;

    virtual void mark() = 0;
    virtual void revert() = 0;
    /// At the end of `generation`.
    virtual IslandsReport report(std::uint64_t generation, bool with_digest) = 0;
    /// Candidates whose cost became known, children equal to a parent included.
    virtual std::uint64_t evaluations() const = 0;
    virtual void save(sdk::Writer& writer) = 0;
    virtual void load(sdk::Reader& reader) = 0;
};

std::unique_ptr<Islands> make_cpu_islands(const sdk::Host& host, const sdk::ProblemRef& problem,
                                          const qapfw_improver_ref* improver, const IslandOptions& options);

/// The subpopulations are shared out over the run's GPUs; those that would have none stay idle.
std::unique_ptr<Islands> make_device_islands(const sdk::Host& host, const sdk::ProblemRef& problem,
                                             const qapfw_improver_ref* improver, const IslandOptions& options,
                                             std::span<const qapfw_device* const> devices);

}  // namespace qapfw::ga_distributed

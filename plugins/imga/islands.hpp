// SPDX-License-Identifier: Apache-2.0
// The islands of a process and what is done with all of them together: on CPU threads (cpu_islands) or on GPUs
// (device_islands), with equal results.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "plugins/imga/imga_options.hpp"
#include "plugins/imga/island_state.hpp"

namespace qapfw::imga {

constexpr std::uint32_t kImproverStream = 64;       ///< and 65: children
constexpr std::uint32_t kStartImproverStream = 68;  ///< and 69: first individuals

/// What the framework hears of at the end of a round.
struct IslandsReport {
    std::vector<unsigned char> best;  ///< of all islands; ties: found first, then the lowest number
    qapfw_cost cost{};
    std::uint64_t found = 0;   ///< generation
    std::uint32_t island = 0;  ///< within the process
    std::uint64_t digest = 0;
    std::uint64_t evaluations = 0;  ///< so far
};

class Islands {
  public:
    explicit Islands(IslandState state) : state_(std::move(state)) {}
    Islands(const Islands&) = delete;
    Islands& operator=(const Islands&) = delete;
    virtual ~Islands() = default;

    std::uint64_t generation() const { return state_.generation; }
    std::uint64_t restarts() const { return state_.restarts; }
    bool populated() const { return state_.populated; }

    // Each returns false where it was cut short, to be followed by revert.

    /// Random individuals for all islands, with warm starts, which come the best first, dealt out to them.
    bool populate(const std::vector<unsigned char>& warm, const sdk::Run& run) {
        state_.populated = true;
        return fill(warm, run);
    }
    bool restart(const sdk::Run& run) {
        ++state_.restarts;
        return fill({}, run);
    }
    /// Generations up to and with `last`, without migration.
    bool evolve(std::uint64_t last, const sdk::Run& run) {
        if (!produce(last, run)) return false;
        state_.generation = last;
        return true;
    }

    /// Each island's places for migrants are taken by the best of its sources, or of another process.
    virtual void migrate(const sdk::Run& run) = 0;
    /// Whether no island has improved after that generation since the last restart.
    virtual bool idle_since(std::uint64_t generation) = 0;

    /// Remembers the state at the start of a round; `revert` goes back to it.
    virtual void mark() = 0;
    virtual void revert() = 0;
    /// The digest where it is asked for; else 0.
    virtual IslandsReport report(bool with_digest) = 0;
    virtual void save(sdk::Writer& writer) = 0;

  protected:
    virtual bool fill(const std::vector<unsigned char>& warm, const sdk::Run& run) = 0;
    virtual bool produce(std::uint64_t last, const sdk::Run& run) = 0;

    IslandState state_;  ///< on GPUs the arrays are what they were when last brought to the host
};

/// The positions whose elements stay, for rules that point to them.
struct FixedElements {
    explicit FixedElements(const sdk::ProblemRef& problem);
    std::vector<std::uint16_t> positions;
    std::vector<unsigned char> base;  ///< the fixed solution, or the identity
};

/// `migrants` solutions with their costs, apart from any island.
struct Travellers {
    Travellers(std::uint64_t seats, std::uint64_t bytes) : solutions(seats * bytes), costs(seats) {}
    qapfw_batch batch() { return {solutions.data(), costs.data(), costs.size()}; }
    std::vector<unsigned char> solutions;
    std::vector<qapfw_cost> costs;
};

inline bool has_other_processes(const sdk::Run& run) {
    return run.exchange() != nullptr && run.exchange()->size > 1;
}
/// Hands the emigrants to the next process on the ring; `arriving`, of as many seats, gets the previous one's.
inline void swap_with_processes(const sdk::Run& run, Travellers& leaving, Travellers& arriving) {
    const qapfw_batch out = leaving.batch();
    qapfw_batch in = arriving.batch();
    sdk::check(run.exchange()->ring(run.exchange()->context, &out, &in), "exchange: ring");
}

/// `state`: where the run goes on, of the right size.
std::unique_ptr<Islands> make_cpu_islands(const sdk::Host& host, const sdk::ProblemRef& problem,
                                          const qapfw_improver_ref* improver, const ImgaOptions& options,
                                          IslandState state);

/// The islands are shared out over the GPUs in contiguous parts; those that would have none stay idle.
std::unique_ptr<Islands> make_device_islands(const sdk::Host& host, const sdk::ProblemRef& problem,
                                             const qapfw_improver_ref* improver, const ImgaOptions& options,
                                             IslandState state, std::span<const qapfw_device* const> devices);

}  // namespace qapfw::imga

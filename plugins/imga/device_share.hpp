// SPDX-License-Identifier: Apache-2.0
// The islands that live on one GPU: buffers, kernels, the improver's workspace. Calls enqueue and return unless they
// say that they wait; host memory must stay until synchronize.
#pragma once

#include "plugins/imga/islands.hpp"
#include "qapfw/kernels/island_report.hpp"
#include "qapfw/sdk/device_improver.hpp"
#include "qapfw/sdk/device_population.hpp"

namespace qapfw::imga {

class DeviceShare {
  public:
    /// `islands` of the process' islands from `first` on.
    DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                const ImgaOptions& options, std::uint32_t first, std::uint32_t islands);

    /// This share's part of the state to and from the host.
    void upload(const IslandState& state);
    void download(IslandState& state);
    /// Remembers the state before the generations of a round, and goes back to it.
    void mark();
    void revert();

    /// New individuals in all places, the warm ones in the first. Waits where there is an improver.
    void fill(const std::vector<unsigned char>& warm, std::uint64_t generation, const sdk::Run& run);
    /// Generations first+1..last. Waits where there is an improver.
    void evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run);

    /// Emigrants of its own islands step aside; immigrate when those of all others are there, too.
    void emigrate(std::uint64_t generation);
    void immigrate(std::uint64_t generation);
    /// Between GPUs: this share's emigrants to, and those of all other shares from, places for the whole process.
    void download_emigrants(Travellers& all);
    void upload_emigrants(const Travellers& all);
    /// Between processes: the best of the last island; others at the first one.
    void send(Travellers& leaving);
    void receive(const Travellers& arriving, std::uint64_t generation);

    void start_report(std::uint64_t generation, bool with_digest);
    /// After synchronize.
    kernels::IslandReport report() const { return report_.header(); }
    std::vector<unsigned char> best_solution() const { return report_.solution<unsigned char>(); }
    std::uint32_t first() const { return first_; }
    /// Of all finished calls. Waits.
    std::uint64_t improver_evaluations() const { return improver_.evaluations(); }

    void synchronize() { stream_.synchronize(); }

  private:
    /// The islands, and where the parts of their records lie.
    struct State {
        State(const qapfw_device& device, std::uint64_t islands, std::uint64_t size, std::uint64_t bytes);
        void copy_individuals(sdk::Stream& stream, const State& other);
        void swap_individuals(State& other);
        sdk::DeviceBuffer<unsigned char> parents;
        sdk::DeviceBuffer<qapfw_cost> costs;
        std::uint64_t best_solutions, best_costs, best_found, present_best, improved, end;
        sdk::DeviceBuffer<unsigned char> records;
    };
    struct Kernels {
        Kernels(const qapfw_device& device, const ImgaOptions& options, std::uint32_t work_bytes);
        /// make(file, entry)
        template <class Make>
        explicit Kernels(const Make& make);
        sdk::Kernel draw, begin, breed, choose, take_improved, replace, emigrate, immigrate, send, receive, report,
            digest;
    };
    /// Copies of children that the improver works on, with their numbers.
    struct Chosen {
        Chosen(const qapfw_device& device, std::uint64_t children, std::uint64_t bytes);
        sdk::DeviceBuffer<unsigned char> solutions;
        sdk::DeviceBuffer<qapfw_cost> costs;
        sdk::DeviceBuffer<std::uint32_t> numbers, count;
    };

    kernels::IslandArrays<qapfw_cost> make_arrays() const;
    kernels::IslandTravel<qapfw_cost> travel(std::uint64_t generation) const;
    template <class Move>
    void for_all_records(const Move& move) const;
    void improve(std::uint64_t generation, const sdk::Run& run);
    void children_become_parents();

    sdk::Stream stream_;
    ImgaOptions options_;             ///< of this share: its number of islands and its first one
    std::uint32_t first_, together_;  ///< number of its first island within this process, and how many that has
    std::uint64_t bytes_;             ///< of one solution
    State now_, marked_;
    bool marked_here_ = false;  ///< the marked individuals are those of now_: no generation has passed
    sdk::DeviceBuffer<unsigned char> children_, mirrors_, emigrants_, warm_;
    sdk::DeviceReport<kernels::IslandReport> report_;
    sdk::DeviceBuffer<std::uint16_t> positions_, fixed_;
    sdk::DeviceBuffer<qapfw_cost> child_costs_, emigrant_costs_;
    sdk::DeviceBuffer<std::uint32_t> sorted_;
    sdk::DeviceBuffer<std::uint8_t> changed_;
    sdk::DevicePositions order_;
    sdk::ProblemView problem_view_;
    sdk::DeviceImprover improver_;
    Chosen chosen_;
    std::uint32_t work_bytes_;  ///< of shared memory for each warp of breed
    std::uint32_t blocks_;      ///< of breed for each island
    Kernels kernels_;
    kernels::IslandArrays<qapfw_cost> arrays_;
};

}  // namespace qapfw::imga

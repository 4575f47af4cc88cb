// SPDX-License-Identifier: Apache-2.0
// Searches spread over the run's GPUs in contiguous ranges; search k depends on (seed, k) alone, so any number of GPUs
// gives the same trajectories.
#include <algorithm>
#include <limits>
#include <utility>

#include "plugins/tabu/device_searches.hpp"
#include "plugins/tabu/searches.hpp"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/sdk/launch_length.hpp"

namespace qapfw::tabu {
namespace {

constexpr std::uint64_t kFirstLaunch = 64;  ///< iterations

class GpuSearches final : public Searches {
  public:
    GpuSearches(std::span<const qapfw_device* const> devices, const sdk::ProblemRef& problem,
                const kernels::TabuOptions& options, const sdk::ThreadAssignment& assignment, std::uint32_t count,
                bool few)
        : length_(problem.length()) {
        std::uint32_t first = 0;
        for (std::size_t d = 0; d < devices.size() && first < count; ++d) {
            const auto left = static_cast<std::uint32_t>(devices.size() - d);
            const std::uint32_t share = (count - first + left - 1) / left;
            parts_.push_back(
                std::make_unique<DeviceSearches>(*devices[d], problem, options, assignment, first, share, few));
            first += share;
        }
    }

    bool start(const std::vector<std::uint16_t>& starts, const sdk::Run&) override {
        for (auto& part : parts_) {
            part->start(
                std::span(starts).subspan(std::size_t{part->first()} * length_, std::size_t{part->count()} * length_));
        }
        refresh();
        return true;
    }

    bool advance(std::uint64_t until, const sdk::Run& run) override {
        while (iteration_ < until) {
            if (run.should_stop()) break;
            const std::uint64_t iterations = std::min(launch_.value(), until - iteration_);
            launch_.start();
            for (auto& part : parts_) part->enqueue(iterations);
            for (auto& part : parts_) part->wait();
            iteration_ += iterations;
            launch_.finish(iterations);
        }
        refresh();
        return iteration_ >= until;
    }

    std::uint64_t total_iterations() const override {
        std::uint64_t sum = 0;
        for (const auto& part : parts_) sum += iteration_ * part->count();
        return sum;
    }

    std::vector<SearchBest> bests() override {
        std::vector<SearchBest> bests;
        for (const auto& part : parts_) {
            for (const DeviceState& state : part->states())
                bests.push_back({{.i = state.best_cost}, state.best_iteration});
        }
        return bests;
    }

    std::vector<std::uint16_t> best_solution(std::uint32_t search) override {
        for (auto& part : parts_) {
            if (search < part->first() + part->count()) return part->best_solutions(search - part->first(), 1);
        }
        return {};
    }

    std::vector<std::uint16_t> best_solutions() override {
        std::vector<std::uint16_t> all;
        for (auto& part : parts_) {
            const std::vector<std::uint16_t> some = part->best_solutions(0, part->count());
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }

    bool replace(const std::vector<std::uint16_t>& solutions, const std::vector<std::uint8_t>& forget,
                 const sdk::Run&) override {
        for (auto& part : parts_) {
            part->replace(std::span(solutions).subspan(std::size_t{part->first()} * length_,
                                                       std::size_t{part->count()} * length_),
                          std::span(forget).subspan(part->first(), part->count()));
        }
        refresh();
        return true;
    }

    std::uint64_t digest() override {
        std::uint64_t sum = 0;
        for (const auto& part : parts_) {
            for (std::uint32_t k = 0; k < part->count(); ++k) {
                sum += kernels::digest_in_round(part->first() + k, part->digests()[k]);
            }
        }
        return sum;
    }

    void save(sdk::Writer& writer) override {
        writer.value(iteration_);
        for (auto& part : parts_) {
            const DeviceSearches::Saved saved = part->save();
            writer.array(saved.current);
            writer.array(saved.best);
            writer.array(saved.expiry);
            writer.array(saved.states);
        }
    }

    void load(sdk::Reader& reader) override {
        iteration_ = reader.value<std::uint64_t>();
        for (auto& part : parts_) {
            DeviceSearches::Saved saved;
            const std::uint64_t elements = std::uint64_t{part->count()} * length_;
            reader.array(saved.current, elements);
            reader.array(saved.best, elements);
            reader.array(saved.expiry, part->count() * part->expiry_words());
            reader.array(saved.states, part->count());
            part->load(saved);
        }
    }

  private:
    void refresh() {
        for (auto& part : parts_) part->refresh();
    }

    std::uint32_t length_;
    std::vector<std::unique_ptr<DeviceSearches>> parts_;
    std::uint64_t iteration_ = 0;  ///< of every search: launches advance all alike
    sdk::LaunchLength launch_{kFirstLaunch, std::numeric_limits<std::uint32_t>::max()};
};

}  // namespace

std::unique_ptr<Searches> make_gpu_searches(std::span<const qapfw_device* const> devices,
                                            const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
                                            const sdk::ThreadAssignment& assignment, std::uint32_t count, bool few) {
    return std::make_unique<GpuSearches>(devices, problem, options, assignment, count, few);
}

std::uint32_t gpu_capacity(std::span<const qapfw_device* const> devices, const sdk::ProblemRef& problem,
                           const kernels::TabuOptions& options, const sdk::ThreadAssignment& assignment) {
    std::uint32_t capacity = 0;
    for (const qapfw_device* device : devices) {
        capacity += TabuKernel(*device, problem, options, assignment, 0).capacity();
    }
    return capacity;
}

}  // namespace qapfw::tabu

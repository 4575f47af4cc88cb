// SPDX-License-Identifier: Apache-2.0
// The independent blocks on GPUs, a contiguous share of them on each. Everything happens on the devices; the host looks
// at the found flag and at the bests. The host's threads drive a GPU each.
#include <algorithm>

#include "plugins/ga_independent/device_share.hpp"
#include "qapfw/sdk/device_shares.hpp"
#include "qapfw/sdk/launch_length.hpp"
#include "qapfw/sdk/warm_starts.hpp"

namespace qapfw::ga_independent {
namespace {

class DeviceBlocks final : public Blocks {
  public:
    DeviceBlocks(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                 const BlockOptions& options, std::span<const qapfw_device* const> devices)
        : problem_(problem),
          options_(options),
          improves_(improver != nullptr),
          now_(options, problem.solution_bytes() / sizeof(std::uint16_t)),
          marked_(now_),
          shares_(host, devices, options.blocks, problem, improver, options),
          launch_(sdk::LaunchLength::of_generations(improves_)) {}

    bool start(const sdk::Run& run) override {
        const std::vector<unsigned char> warm = sdk::warm_starts(run, problem_, options_.individuals());
        shares_.side_by_side([&](DeviceShare& share) { share.begin(warm, run); });
        fetch_bests();
        return !run.should_stop();
    }

    std::optional<std::uint64_t> evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) override {
        for (const auto& share : shares_) share->mark();
        marked_ = now_;
        marked_improver_evaluations_ = improver_evaluations();
        const bool complete = advance(first, last, run);
        fetch_bests();
        if (!complete) return std::nullopt;
        if (stands_at_ == end_ || options_.asynchronous) return end_;
        // Some blocks have run ahead: all come again from the round's start, up to where the target was reached.
        for (const auto& share : shares_) share->revert();
        if (!advance(first, end_, run)) return std::nullopt;
        fetch_bests();
        return end_;
    }

    void revert() override {
        for (const auto& share : shares_) share->revert();
        static_cast<BlockBests&>(now_) = marked_;
        reverted_evaluations_ += improver_evaluations() - marked_improver_evaluations_;
    }

    const BlockBests& bests() const override { return now_; }
    std::uint64_t evaluations() const override { return Blocks::evaluations() + improver_evaluations(); }

    std::uint64_t digest(std::uint64_t generation) override {
        for (const auto& share : shares_) share->start_digest(generation);
        shares_.synchronize();
        return shares_.sum(&DeviceShare::digest);
    }

    void save(sdk::Writer& writer) override {
        for (const auto& share : shares_) share->download_best_solutions(now_);
        download_individuals();
        now_.save(writer);
    }
    void load(sdk::Reader& reader) override {
        now_.load(reader);
        upload();
    }

  private:
    /// Blocks go on from `first` to `last`, or until one reaches the target: `end_`. Where some may have gone further
    /// than that, `stands_at_` says how far. False: cut short.
    bool advance(std::uint64_t first, std::uint64_t last, const sdk::Run& run) {
        for (const auto& share : shares_) share->start_round(last, run);
        shares_.synchronize();  // relay_found_flag looks at the flag on another stream
        end_ = last;
        for (stands_at_ = first; stands_at_ < end_;) {
            const std::uint64_t to = std::min(last, stands_at_ + launch_.value());
            launch_.start();
            shares_.side_by_side([&](DeviceShare& share) { share.evolve(stands_at_, to, run); });
            if (options_.asynchronous && shares_.size() > 1) relay_found_flag(last);
            for (const auto& share : shares_) share->start_end_download();
            shares_.synchronize();
            launch_.finish(to - stands_at_);
            stands_at_ = to;
            end_ = std::min(end_, shares_.least(&DeviceShare::end));
            if (run.should_stop() && (improves_ || stands_at_ < end_)) return false;
        }
        return true;
    }

    /// While blocks run: the first GPU that reaches the target stops the others.
    void relay_found_flag(std::uint64_t last) {
        bool told = false;
        const auto busy = [](const auto& share) { return !share->finished(); };
        while (!told && std::any_of(shares_.begin(), shares_.end(), busy)) {
            const std::uint64_t found = std::min(last, shares_.least(&DeviceShare::look_at_end));
            told = found < last;
            for (const auto& share : shares_) {
                if (told) share->send_end(found);
            }
        }
    }

    std::uint64_t improver_evaluations() const {
        return shares_.sum(&DeviceShare::improver_evaluations) - reverted_evaluations_;
    }
    void upload() {
        for (const auto& share : shares_) share->upload(now_);
        shares_.synchronize();
    }
    void download_individuals() {
        for (const auto& share : shares_) share->download_individuals(now_);
        shares_.synchronize();
    }
    void fetch_bests() {
        for (const auto& share : shares_) share->download_bests(now_);
        shares_.synchronize();
        const std::uint32_t best = leader(problem_.less());
        share_of(best).download_best_solution(now_, best);
        shares_.synchronize();
    }
    DeviceShare& share_of(std::uint32_t block) {
        for (const auto& share : shares_) {
            if (share->holds(block)) return *share;
        }
        throw Error(ErrorKind::kInternal, "no GPU holds block " + std::to_string(block));
    }

    sdk::ProblemRef problem_;
    BlockOptions options_;
    bool improves_;
    BlockState now_;  ///< as far as it was downloaded last; bests always, but only the leader's solution
    BlockBests marked_;
    sdk::DeviceShares<DeviceShare> shares_;
    sdk::LaunchLength launch_;  ///< generations
    std::uint64_t stands_at_ = 0, end_ = 0;
    std::uint64_t marked_improver_evaluations_ = 0, reverted_evaluations_ = 0;
};

}  // namespace

std::unique_ptr<Blocks> make_device_blocks(const sdk::Host& host, const sdk::ProblemRef& problem,
                                           const qapfw_improver_ref* improver, const BlockOptions& options,
                                           std::span<const qapfw_device* const> devices) {
    return std::make_unique<DeviceBlocks>(host, problem, improver, options, devices);
}

}  // namespace qapfw::ga_independent

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
        reported_at_ = kNotFound;
        fetch(0);
        return !run.should_stop();
    }

    std::optional<std::uint64_t> evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) override {
        for (const auto& share : shares_) share->mark();
        marked_ = now_;
        marked_improver_evaluations_ = improver_evaluations();
        const bool complete = advance(first, last, run);
        fetch(stands_at_);
        if (!complete) return std::nullopt;
        if (stands_at_ == end_ || options_.asynchronous) return end_;
        // Some blocks have run ahead: all come again from the round's start, up to where the target was reached.
        for (const auto& share : shares_) share->revert();
        const bool again = advance(first, end_, run);
        fetch(stands_at_);
        if (!again) return std::nullopt;
        return end_;
    }

    void revert() override {
        for (const auto& share : shares_) share->revert();
        static_cast<BlockBests&>(now_) = marked_;
        reported_at_ = kNotFound;
        reverted_evaluations_ += improver_evaluations() - marked_improver_evaluations_;
    }

    const BlockBests& bests() const override { return now_; }
    std::uint64_t evaluations() const override { return Blocks::evaluations() + improver_evaluations(); }

    std::uint64_t digest(std::uint64_t generation) override {
        fetch(generation);
        return shares_.sum(&DeviceShare::digest);
    }

    void save(sdk::Writer& writer) override {
        for (const auto& share : shares_) share->download(now_);
        shares_.synchronize();
        now_.save(writer);
    }
    void load(sdk::Reader& reader) override {
        now_.load(reader);
        for (const auto& share : shares_) share->upload(now_);
        shares_.synchronize();
    }

  private:
    /// Blocks go on from `first` to `last`, or until one reaches the target: `end_`. Where some may have gone further
    /// than that, `stands_at_` says how far. False: cut short.
    bool advance(std::uint64_t first, std::uint64_t last, const sdk::Run& run) {
        for (const auto& share : shares_) share->start_round(last, run);
        if (relays()) shares_.synchronize();  // relay_found_flag looks at the flag on another stream
        end_ = last;
        reported_at_ = kNotFound;
        for (stands_at_ = first; stands_at_ < end_;) {
            const std::uint64_t to = std::min(last, stands_at_ + launch_.value());
            launch_.start();
            shares_.side_by_side([&](DeviceShare& share) { share.evolve(stands_at_, to, run); });
            if (relays()) relay_found_flag(last);
            for (const auto& share : shares_) share->start_end_download();
            if (to == last) start_reports(to);
            shares_.synchronize();
            launch_.finish(to - stands_at_);
            stands_at_ = to;
            end_ = std::min(end_, shares_.least(&DeviceShare::end));
            if (run.should_stop() && (improves_ || stands_at_ < end_)) return false;
        }
        return true;
    }

    bool relays() const { return options_.asynchronous && shares_.size() > 1; }

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
    void start_reports(std::uint64_t generation) {
        for (const auto& share : shares_) share->start_report(generation);
        reported_at_ = generation;
    }
    /// Reports of `generation`, where the blocks stand, unless they have come already.
    void fetch(std::uint64_t generation) {
        if (reported_at_ != generation) {
            start_reports(generation);
            shares_.synchronize();
        }
        for (const auto& share : shares_) share->take_bests(now_);
    }

    sdk::ProblemRef problem_;
    BlockOptions options_;
    bool improves_;
    BlockState now_;  ///< as far as it was downloaded last; bests always, but only the leader's solution
    BlockBests marked_;
    sdk::DeviceShares<DeviceShare> shares_;
    sdk::LaunchLength launch_;  ///< generations
    std::uint64_t stands_at_ = 0, end_ = 0;
    std::uint64_t reported_at_ = kNotFound;  ///< generation of the last reports, none where others came after it
    std::uint64_t marked_improver_evaluations_ = 0, reverted_evaluations_ = 0;
};

}  // namespace

std::unique_ptr<Blocks> make_device_blocks(const sdk::Host& host, const sdk::ProblemRef& problem,
                                           const qapfw_improver_ref* improver, const BlockOptions& options,
                                           std::span<const qapfw_device* const> devices) {
    return std::make_unique<DeviceBlocks>(host, problem, improver, options, devices);
}

}  // namespace qapfw::ga_independent

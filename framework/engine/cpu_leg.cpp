// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/cpu_leg.hpp"

#include <utility>

namespace qapfw::framework {
namespace {

/// A shorter round is not cut: the run moves to the GPU only after that round's end.
constexpr std::chrono::milliseconds kLongRound{50};

}  // namespace

CpuLeg::CpuLeg(const GpuPreparation* preparation, bool may_cut, ThreadPool* threads)
    : preparation_(preparation), may_cut_(may_cut), shared_(preparation != nullptr ? threads : nullptr) {
    if (shared_ != nullptr) shared_->use((shared_->worker_count() + 1) / 2);
}

void CpuLeg::take_all_threads() {
    if (shared_ != nullptr) shared_->use(shared_->worker_count());
    shared_ = nullptr;
}

void CpuLeg::close() {
    closed_ = true;
    take_all_threads();
}

bool CpuLeg::is_ready() const {
    return is_open() && preparation_->is_finished() && preparation_->why_none().empty();
}

std::string CpuLeg::why_it_stays() const {
    return is_open() && preparation_->is_finished() ? preparation_->why_none() : std::string();
}

std::exception_ptr CpuLeg::failure() const {
    return preparation_ != nullptr && preparation_->is_finished() ? preparation_->failure() : nullptr;
}

void CpuLeg::restored(const std::vector<std::byte>& state) {
    if (is_open()) state_ = state;
}

void CpuLeg::round_begins() {
    if (!is_open()) return;
    if (preparation_->is_finished()) take_all_threads();
    has_cut_ = false;
    began_ = Clock::now();
    const bool can_cut = may_cut_ && is_current_;
    cut_after_ = can_cut ? (began_ + kLongRound).time_since_epoch().count() : Clock::duration::max().count();
}

bool CpuLeg::cuts() const {
    if (!is_open()) return false;
    if (has_cut_.load(std::memory_order_relaxed)) return true;
    const Clock::rep after = cut_after_.load(std::memory_order_relaxed);
    if (!is_ready() || Clock::now().time_since_epoch().count() < after) return false;
    has_cut_ = true;
    return true;
}

void CpuLeg::round_ended(const Solver& solver) {
    if (!is_open()) return;
    cut_after_ = Clock::duration::max().count();
    is_current_ = may_cut_ && Clock::now() - began_ >= kLongRound;
    if (is_current_) solver.save(state_.emplace());
}

std::optional<std::vector<std::byte>> CpuLeg::take_state(const Solver& solver) {
    if (!is_current_) solver.save(state_.emplace());
    is_current_ = true;
    return std::move(state_);
}

}  // namespace qapfw::framework

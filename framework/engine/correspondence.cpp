// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/correspondence.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace qapfw::framework {
namespace {

constexpr std::uint32_t kReports = 0, kOrders = 1;  // channels

/// A report as bytes; the solution follows.
struct Head {
    std::uint64_t rounds = 0, evaluations = 0, best_iteration = 0, best_search = 0;
    qapfw_cost cost{};
    std::int64_t signal = 0;
};

struct OrderBytes {
    std::uint32_t reason = 0, snapshots = 0;
    std::int64_t signal = 0;
};

}  // namespace

Correspondence::Correspondence(Processes& processes, const CostSpace& costs, std::size_t solution_bytes)
    : processes_(processes), costs_(costs), solution_bytes_(solution_bytes), known_(processes.count()) {
    processes_.begin_apart();
}

void Correspondence::count(const qapfw_round& round) {
    own_.evaluations += round.evaluations;
    own_.rounds += round.complete != 0 ? 1 : 0;
    if (round.best_solution == nullptr) return;
    if (!own_.solution.empty() && !costs_.less(round.best_cost, own_.best.best_cost)) return;
    own_.best = round;
    const auto* const bytes = static_cast<const unsigned char*>(round.best_solution);
    own_.solution.assign(bytes, bytes + solution_bytes_);
}

std::string Correspondence::packed() const {
    const Head head{own_.rounds,           own_.evaluations,    own_.best.best_iteration,
                    own_.best.best_search, own_.best.best_cost, own_.signal};
    std::string text(reinterpret_cast<const char*>(&head), sizeof head);
    text.append(own_.solution.begin(), own_.solution.end());
    return text;
}

void Correspondence::report(int signal) {
    own_.signal = signal;
    processes_.post(kReports, packed());
}

void Correspondence::hear(std::uint32_t rank, const std::string& message, std::vector<ProcessReport>& heard) {
    if (message.empty()) return;
    Head head;
    const std::size_t rest = message.size() - std::min(message.size(), sizeof head);
    if (message.size() < sizeof head || (rest != 0 && rest != solution_bytes_)) {
        throw Error(
            ErrorKind::kInternal,
            fmt::format("process {} tells of its rounds in {} bytes: is it the same program?", rank, message.size()));
    }
    std::memcpy(&head, message.data(), sizeof head);
    ProcessReport report{head.rounds, head.evaluations, head.evaluations - known_[rank].evaluations,
                         static_cast<int>(head.signal)};
    report.best.best_iteration = head.best_iteration;
    report.best.best_search = head.best_search;
    report.best.best_cost = head.cost;
    report.solution.assign(message.begin() + sizeof head, message.end());
    known_[rank] = report;
    heard.push_back(std::move(report));
}

std::vector<ProcessReport> Correspondence::news() {
    std::vector<ProcessReport> heard;
    for (std::uint32_t p = 0; p < processes_.count(); ++p) {
        if (p != processes_.rank()) hear(p, processes_.take(kReports, p), heard);
    }
    return heard;
}

bool Correspondence::all_have_begun() const {
    for (std::uint32_t p = 0; p < known_.size(); ++p) {
        if ((p == processes_.rank() ? own_ : known_[p]).rounds == 0) return false;
    }
    return true;
}

void Correspondence::give(const Order& order) {
    if (order.reason == order_.reason && order.snapshots == order_.snapshots) return;
    order_ = order;
    const OrderBytes bytes{static_cast<std::uint32_t>(order.reason), order.snapshots, order.signal};
    processes_.post(kOrders, {reinterpret_cast<const char*>(&bytes), sizeof bytes});
}

Correspondence::Order Correspondence::order() {
    const std::string message = processes_.take(kOrders, 0);
    OrderBytes bytes;
    if (message.size() != sizeof bytes) return order_;
    std::memcpy(&bytes, message.data(), sizeof bytes);
    order_ = {static_cast<StopReason>(bytes.reason), static_cast<int>(bytes.signal), bytes.snapshots};
    return order_;
}

std::vector<ProcessReport> Correspondence::meet() {
    std::vector<ProcessReport> heard;
    const std::vector<std::string> all = processes_.gather_texts(packed());
    for (std::uint32_t p = 0; p < all.size(); ++p) {
        if (p != processes_.rank()) hear(p, all[p], heard);
    }
    return heard;
}

}  // namespace qapfw::framework

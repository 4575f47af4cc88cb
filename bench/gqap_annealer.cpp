// SPDX-License-Identifier: Apache-2.0
#include "bench/gqap_annealer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "problems/gqap/capacities.hpp"

namespace qapfw::bench {
namespace {

class Annealer {
  public:
    Annealer(const gqap::Instance& instance, std::uint64_t seed)
        : in_(instance), n_(instance.items), m_(instance.locations), random_(seed), flow_(std::size_t{n_} * n_, 0) {
        for (std::uint32_t i = 0; i < n_; ++i) {
            for (std::uint64_t f = in_.first[i]; f < in_.first[i + 1]; ++f) {
                flow_[std::size_t{i} * n_ + in_.flows[f].other] = in_.flows[f].out;
            }
        }
    }
    std::int64_t run(double seconds) {
        using Clock = std::chrono::steady_clock;
        const gqap::FeasibleStart start = gqap::find_feasible(in_);
        if (start.feasibility != gqap::Feasibility::kFound || start.location_of.empty()) return best_;
        at_ = start.location_of;
        load_ = gqap::loads(in_, at_);
        best_ = cost_ = full_cost();
        const double hot = first_temperature();
        const auto begin = Clock::now();
        for (double part = 0; part < 1; part = std::chrono::duration<double>(Clock::now() - begin).count() / seconds) {
            temperature_ = hot * std::pow(1e-4, part);
            for (int k = 0; k < 256; ++k) step();
        }
        return best_;
    }

  private:
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
    std::int64_t full_cost() const {
        std::int64_t cost = 0;
        for (std::uint32_t i = 0; i < n_; ++i) cost += in_.linear[std::size_t{i} * m_ + at_[i]];
        for (std::uint32_t i = 0; i < n_; ++i) {
            for (std::uint32_t j = 0; j < n_; ++j) cost += flow_[std::size_t{i} * n_ + j] * in_.d(at_[i], at_[j]);
        }
        return cost;
    }
    /// The change of the cost when item i moves to location `to` and all other items stay.
    std::int64_t moved(std::uint32_t i, std::uint32_t to) const {
        const std::uint32_t from = at_[i];
        std::int64_t delta = in_.linear[std::size_t{i} * m_ + to] - in_.linear[std::size_t{i} * m_ + from];
        for (std::uint32_t j = 0; j < n_; ++j) {
            if (j == i) continue;
            delta += flow_[std::size_t{i} * n_ + j] * (in_.d(to, at_[j]) - in_.d(from, at_[j]));
            delta += flow_[std::size_t{j} * n_ + i] * (in_.d(at_[j], to) - in_.d(at_[j], from));
        }
        return delta;
    }
    double first_temperature() {
        double sum = 0;
        for (int k = 0; k < 200; ++k) sum += std::abs(static_cast<double>(moved(below(n_), below(m_))));
        return std::max(1.0, sum / 200);
    }
    bool accepts(std::int64_t delta) {
        if (delta <= 0) return true;
        const double chance = std::exp(-static_cast<double>(delta) / temperature_);
        return static_cast<double>(random_() >> 11) * 0x1p-53 < chance;
    }
    void place(std::uint32_t i, std::uint32_t to) {
        load_[at_[i]] -= in_.w(i, at_[i]);
        load_[to] += in_.w(i, to);
        at_[i] = to;
    }
    bool fits(std::uint32_t location, std::int64_t more) const {
        return in_.capacity.empty() || load_[location] + more <= in_.capacity[location];
    }
    void step() {
        const std::uint32_t i = below(n_), a = at_[i];
        if (below(2) == 0) {
            const std::uint32_t to = below(m_);
            if (to == a || !fits(to, in_.w(i, to))) return;
            const std::int64_t delta = moved(i, to);
            if (!accepts(delta)) return;
            place(i, to);
            cost_ += delta;
        } else {
            const std::uint32_t j = below(n_), b = at_[j];
            if (a == b || !fits(b, in_.w(i, b) - in_.w(j, b)) || !fits(a, in_.w(j, a) - in_.w(i, a))) return;
            std::int64_t delta = moved(i, b);
            at_[i] = b;
            delta += moved(j, a);
            at_[i] = a;
            if (!accepts(delta)) return;
            place(i, b);
            place(j, a);
            cost_ += delta;
        }
        best_ = std::min(best_, cost_);
    }

    const gqap::Instance& in_;
    std::uint32_t n_, m_;
    std::mt19937_64 random_;
    std::vector<std::int64_t> flow_, load_;
    std::vector<std::uint32_t> at_;
    std::int64_t cost_ = 0, best_ = std::numeric_limits<std::int64_t>::max();
    double temperature_ = 1;
};

}  // namespace

std::int64_t anneal_gqap(const gqap::Instance& instance, double seconds, std::uint64_t seed) {
    return Annealer(instance, seed).run(seconds);
}

}  // namespace qapfw::bench

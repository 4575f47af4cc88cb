// SPDX-License-Identifier: Apache-2.0
// The standing of a search during a launch: its record (cost and iteration of the best solution) and the cost of its
// current solution. Between launches, a TabuState stores the record and this cost.
#include "plugins/tabu/device/tabu_state.hpp"
#include "qapfw/kernels/device_team.hpp"

namespace qapfw::tabu {

QAPFW_DEVICE int64_t as_bits(int64_t cost) {
    return cost;
}
QAPFW_DEVICE int64_t as_bits(double cost) {
    return __double_as_longlong(cost);
}
QAPFW_DEVICE void from_bits(int64_t bits, int64_t& cost) {
    cost = bits;
}
QAPFW_DEVICE void from_bits(int64_t bits, double& cost) {
    cost = __longlong_as_double(bits);
}

/// The facts that a search keeps about earlier iterations. The record lies in shared memory and is written rarely.
template <class Cost>
struct Record {
    Cost best_cost;
    uint64_t best_iteration;  ///< iteration that found the cost best_cost
    /// Iteration of the last reset of the idle count: idle = last iteration done - last_reset, modulo 2^64.
    uint64_t last_reset;

    QAPFW_DEVICE void read(const TabuState& state) {
        from_bits(state.best_cost, best_cost);
        best_iteration = state.best_iteration;
        last_reset = state.iteration - 1 - state.idle;
    }
    QAPFW_DEVICE void write(TabuState& state, Cost cost, uint64_t iteration, uint64_t base) const {
        state =
            TabuState{as_bits(cost), as_bits(best_cost), iteration, best_iteration, iteration - 1 - last_reset, base};
    }
};

/// The current cost. An integer cost is stored as its distance from the best cost, because an iteration needs only this
/// distance.
template <class Neighbourhood, class Cost>
struct Standing {
    using Value = typename Neighbourhood::Value;
    using Total = typename Neighbourhood::Total;
    /// True if improved() and threshold() read the best cost in every iteration.
    static constexpr bool kAsksRecord = false;
    Total behind = 0;

    QAPFW_DEVICE void set(Cost cost, Cost best) { behind = Neighbourhood::total_of_cost(cost - best); }
    QAPFW_DEVICE void take_as_best() { behind = 0; }
    QAPFW_DEVICE Cost cost(const Record<Cost>& record) const {
        return record.best_cost + Neighbourhood::cost_change(behind);
    }
    QAPFW_DEVICE void add(Value delta) { behind += static_cast<Total>(delta); }
    QAPFW_DEVICE bool improved(const Record<Cost>&) const { return behind < 0; }
    QAPFW_DEVICE Value threshold(const Record<Cost>&) const { return Neighbourhood::threshold(behind); }
};

/// A real cost is stored itself, not as a distance from the best cost: the distance would be rounded differently.
template <class Neighbourhood>
struct Standing<Neighbourhood, double> {
    static constexpr bool kAsksRecord = true;
    double current = 0;

    QAPFW_DEVICE void set(double cost, double /*best*/) { current = cost; }
    QAPFW_DEVICE void take_as_best() {}
    QAPFW_DEVICE double cost(const Record<double>&) const { return current; }
    QAPFW_DEVICE void add(double delta) { current += delta; }
    QAPFW_DEVICE bool improved(const Record<double>& record) const { return current < record.best_cost; }
    QAPFW_DEVICE double threshold(const Record<double>& record) const { return record.best_cost - current; }
};

}  // namespace qapfw::tabu

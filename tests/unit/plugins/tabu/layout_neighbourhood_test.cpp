// SPDX-License-Identifier: Apache-2.0
// Compares the neighbourhood of layouts with a plain program, which makes every move on a copy and evaluates the copy
// from scratch.
#include "plugins/tabu/layout_neighbourhood.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "tests/support/test_host.hpp"
#include "tests/support/toy_bays.hpp"

namespace {

using namespace qapfw;
using tabu::LayoutNeighbourhood;
using tabu::TabuMemory;
using test::TestHost;
using test::TestProblem;
using test::ToyBays;

using Bays = std::vector<std::vector<std::uint16_t>>;
using Bytes = std::vector<unsigned char>;
constexpr std::uint32_t kN = 9;

struct Neighbour {
    std::pair<std::uint32_t, std::uint32_t> places;
    Bytes solution;
    std::int32_t expiry;
};

class PlainSearch {
  public:
    PlainSearch(TestProblem<ToyBays>& problem, bool first_is_fixed, unsigned seed)
        : problem_(problem), first_(first_is_fixed ? 1 : 0), random_(seed) {
        Bays bays;
        std::vector<std::uint16_t> p(kN);
        for (std::uint16_t k = 0; k < kN; ++k) p[k] = k;
        if (first_is_fixed) std::swap(p[0], p[2]);
        std::shuffle(p.begin() + first_, p.end(), random_);
        for (std::uint32_t k = 0; k < kN; ++k) {
            if (k == 0 || random_() % 3 == 0) bays.emplace_back();
            bays.back().push_back(p[k]);
        }
        current = bytes_of(bays);
        for (std::uint32_t k = 0; k < kN * kN; ++k) elements_[{k / kN, k % kN}] = -static_cast<std::int32_t>(k);
        for (std::uint32_t b = 0; b + 1 < kN; ++b) bits_[b] = -static_cast<std::int32_t>(kN * kN + b);
    }

    const std::uint16_t* permutation(const Bytes& of) const {
        return sdk::permutation_of(static_cast<const void*>(of.data()));
    }
    double cost(const Bytes& of) const { return problem_.object().cost(of.data()); }

    /// All moves that change the cost, in ascending order of Neighbour::places.
    std::vector<Neighbour> neighbours() const {
        std::vector<Neighbour> all;
        const Bays bays = bays_of(current);
        const std::uint16_t* p = permutation(current);
        const auto add = [&](std::uint32_t i, std::uint32_t j, Bytes&& solution, std::int32_t expiry) {
            if (cost(solution) != cost(current)) all.push_back({{i, j}, std::move(solution), expiry});
        };
        for (std::uint32_t i = first_; i < kN; ++i) {
            for (std::uint32_t j = i + 1; j < kN; ++j) {
                Bytes swapped = current;
                std::swap(sdk::permutation_of(static_cast<void*>(swapped.data()))[i],
                          sdk::permutation_of(static_cast<void*>(swapped.data()))[j]);
                add(i, j, std::move(swapped), std::min(elements_.at({i, p[j]}), elements_.at({j, p[i]})));
            }
        }
        for (std::uint32_t b = 0; b + 1 < kN; ++b) {
            Bytes flipped = current;
            bit(flipped, b) ^= 1;
            if (b + 2 < kN && bit(current, b) != bit(current, b + 1)) {
                Bytes shifted = flipped;
                bit(shifted, b + 1) ^= 1;
                add(kN + b, kN + b, std::move(flipped), bits_.at(b));
                add(kN + b, kN + b + 1, std::move(shifted), std::min(bits_.at(b), bits_.at(b + 1)));
            } else {
                add(kN + b, kN + b, std::move(flipped), bits_.at(b));
            }
        }
        std::uint32_t begin = 0;
        for (std::size_t k = 0; k + 1 < bays.size(); ++k) {
            const auto left = static_cast<std::uint32_t>(bays[k].size()),
                       right = static_cast<std::uint32_t>(bays[k + 1].size());
            const std::uint32_t place = 2 * kN - 1 + begin + left - 1;
            Bays exchanged = bays;
            std::swap(exchanged[k], exchanged[k + 1]);
            if (begin >= first_)
                add(place, place, bytes_of(exchanged),
                    std::min(elements_.at({begin, bays[k + 1][0]}), elements_.at({begin + right, bays[k][0]})));
            begin += left;
        }
        return all;
    }

    /// Notes what a move removed: two elements, one or two bits, or two bays' first elements. The first of the two
    /// elements or bits may not return before iteration `one`, the second not before iteration `other`.
    void note(const Neighbour& made, std::int32_t one, std::int32_t other) {
        const auto [i, j] = made.places;
        const std::uint16_t* p = permutation(current);
        if (i < kN) {
            elements_[{i, p[i]}] = one;
            elements_[{j, p[j]}] = other;
        } else if (i < 2 * kN - 1) {
            bits_[i - kN] = one;
            if (j != i) bits_[j - kN] = other;
        } else {
            std::uint32_t begin = 0;
            const Bays bays = bays_of(current);
            std::size_t k = 0;
            for (; begin + bays[k].size() != i - (2 * kN - 1) + 1; ++k)
                begin += static_cast<std::uint32_t>(bays[k].size());
            const auto middle = begin + static_cast<std::uint32_t>(bays[k].size());
            elements_[{begin, p[begin]}] = one;
            elements_[{middle, p[middle]}] = other;
        }
    }

    Bytes current;

  private:
    unsigned char& bit(Bytes& of, std::uint32_t b) const {
        return of[problem_.ref().encoding().segments[1].offset + b];
    }
    unsigned char bit(const Bytes& of, std::uint32_t b) const {
        return of[problem_.ref().encoding().segments[1].offset + b];
    }
    Bytes bytes_of(const Bays& bays) const {
        Bytes bytes(problem_.ref().solution_bytes(), 0);
        std::uint32_t at = 0;
        for (const auto& bay : bays) {
            for (const std::uint16_t element : bay)
                sdk::permutation_of(static_cast<void*>(bytes.data()))[at++] = element;
            if (at < kN) bit(bytes, at - 1) = 1;
        }
        return bytes;
    }
    Bays bays_of(const Bytes& solution) const {
        Bays bays(1);
        for (std::uint32_t k = 0; k < kN; ++k) {
            bays.back().push_back(permutation(solution)[k]);
            if (k + 1 < kN && bit(solution, k) != 0) bays.emplace_back();
        }
        return bays;
    }

    TestProblem<ToyBays>& problem_;
    std::uint32_t first_;
    std::mt19937 random_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> elements_;
    std::map<std::uint32_t, std::int32_t> bits_;
};

/// The move that the rules choose; null if none. The rules are in the head of tabu_reference.hpp.
const Neighbour* chosen(const PlainSearch& search, const std::vector<Neighbour>& all, std::int32_t now,
                        double aspiration, std::int32_t forced_before, bool forces) {
    const double cost = search.cost(search.current);
    const Neighbour *free = nullptr, *preferred = nullptr;
    const auto better = [&](const Neighbour& one, const Neighbour* than) {
        return than == nullptr || search.cost(one.solution) - cost < search.cost(than->solution) - cost;
    };
    for (const Neighbour& one : all) {
        const bool aspired = search.cost(one.solution) - cost < aspiration;
        if ((aspired || one.expiry <= now) && better(one, free)) free = &one;
        if (forces && (aspired || one.expiry < forced_before) && better(one, preferred)) preferred = &one;
    }
    return preferred != nullptr ? preferred : free;
}

}  // namespace

TEST_CASE("a layout's best admissible move and its cost are those of evaluation from scratch") {
    const TestHost host;
    int bays_exchanged = 0, borders_moved = 0, bits_inverted = 0;
    for (const bool fixed : {false, true}) {
        TestProblem<ToyBays> problem(host, {{"n", "9"}, {"fix_first", fixed ? "true" : "false"}});
        for (const bool forces : {false, true}) {
            PlainSearch plain(problem, fixed, forces ? 5 : 6);
            LayoutNeighbourhood<double> neighbourhood(problem.ref());
            TabuMemory memory(kN, kN - 1);
            REQUIRE(neighbourhood.reset(sdk::permutation_of(static_cast<const void*>(plain.current.data()))) ==
                    plain.cost(plain.current));
            memory.reset(plain.permutation(plain.current));
            std::mt19937 random(8);
            double best = plain.cost(plain.current);
            for (std::int32_t now = 0; now < 250; ++now) {
                CAPTURE(now);
                const double cost = plain.cost(plain.current);
                REQUIRE(neighbourhood.cost() == cost);
                qapfw_swap_filter filter{};
                filter.stride = memory.stride();
                filter.pair_expiry = memory.pair_expiry();
                filter.pair_latest = forces ? memory.pair_expiry() : nullptr;
                filter.iteration = now;
                filter.forced_before = now - 60;
                filter.aspiration.f = best - cost;
                qapfw_swap_move move{};
                const bool found = neighbourhood.best_admissible(filter, memory, move);
                const std::vector<Neighbour> all = plain.neighbours();
                const Neighbour* wanted = chosen(plain, all, now, best - cost, now - 60, forces);
                REQUIRE(found == (wanted != nullptr));
                if (!found) continue;
                REQUIRE(move.i == wanted->places.first);
                REQUIRE(move.j == wanted->places.second);
                REQUIRE(move.delta.f == plain.cost(wanted->solution) - cost);
                if (move.i >= 2 * kN - 1)
                    ++bays_exchanged;
                else if (move.i >= kN)
                    ++(move.i == move.j ? bits_inverted : borders_moved);
                const std::int32_t one = now + static_cast<std::int32_t>(random() % 40),
                                   other = now + static_cast<std::int32_t>(random() % 40);
                plain.note(*wanted, one, other);
                if (move.i < kN) {
                    memory.record_swap(move.i, move.j, one, other);
                } else if (tabu::moves_bits({move.i, move.j}, kN)) {
                    memory.record_bits(move.i - kN, move.j - kN, one, other);
                } else {
                    const unsigned char* bits = plain.current.data() + problem.ref().encoding().segments[1].offset;
                    memory.record_bays(tabu::bays_of({move.i, move.j}, bits, kN), one, other);
                    memory.place(plain.permutation(wanted->solution));
                }
                neighbourhood.apply(move.i, move.j);
                plain.current = wanted->solution;
                best = std::min(best, plain.cost(plain.current));
            }
        }
    }
    // All kinds of moves were made.
    CHECK(bays_exchanged > 5);
    CHECK(borders_moved > 5);
    CHECK(bits_inverted > 5);
}

TEST_CASE("the memory of bits is saved, restored and moved with its base") {
    const std::vector<std::uint16_t> positions = {0, 1, 2};
    const std::uint16_t p[] = {2, 0, 1};
    TabuMemory memory(3, 2);
    memory.reset(p);
    CHECK(memory.bits_expiry(0, 0) == -9);
    CHECK(memory.bits_expiry(0, 1) == -10);
    memory.record_bits(0, 1, 30, 20);
    memory.record_bits(1, 1, 25, 99);
    CHECK(memory.bits_expiry(0, 1) == 25);
    memory.rebase(5);
    CHECK(memory.bits_expiry(0, 0) == 25);
    REQUIRE(TabuMemory::saved_size(3, 3, true) == 12);
    std::vector<std::int32_t> saved(12);
    memory.save(positions, saved.data());
    TabuMemory restored(3, 2);
    restored.restore(positions, saved.data(), p);
    CHECK(restored.bits_expiry(0, 0) == 25);
    CHECK(restored.bits_expiry(1, 1) == 20);
}

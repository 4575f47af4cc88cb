// SPDX-License-Identifier: Apache-2.0
// Where an island's immigrants come from. The paper (Symmetry 2019) has a ring; the others are the usual ones.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace qapfw::imga {

/// In the order of the parameter's choices.
enum class Topology {
    kRing,               ///< from the island before
    kBidirectionalRing,  ///< from both neighbours
    kTorus,              ///< from the four neighbours on a grid as square as the number of islands allows
    kComplete,           ///< from all others
    kRandom              ///< from one other, drawn anew for every migration
};

/// Islands, each once: listed, or all but one, which takes no memory.
class Sources {
  public:
    Sources(std::initializer_list<std::uint32_t> listed) : listed_(listed) {}
    explicit Sources(std::vector<std::uint32_t> listed) : listed_(std::move(listed)) {}
    static Sources all_but(std::uint32_t island, std::uint32_t islands) {
        Sources all{};
        all.others_ = islands - 1;
        all.left_out_ = island;
        return all;
    }
    std::uint32_t size() const { return others_ + static_cast<std::uint32_t>(listed_.size()); }
    std::uint32_t operator[](std::uint32_t k) const {
        if (others_ == 0) return listed_[k];
        return k < left_out_ ? k : k + 1;
    }

  private:
    std::vector<std::uint32_t> listed_;
    std::uint32_t others_ = 0, left_out_ = 0;
};

/// Islands whose emigrants come to `island`, never itself; none where it is alone.
Sources sources(Topology topology, std::uint32_t islands, std::uint32_t island, std::uint64_t seed,
                std::uint64_t generation);

/// One place that an immigrant takes: he is the `rank`-th best (from 0) of `source`.
struct Immigrant {
    std::uint32_t source, rank;
};

/// The `places` immigrants of an island in migration number `migration`: its sources take turns, and who comes first
/// changes from one migration to the next, so that an island takes in the same number whatever the topology.
std::vector<Immigrant> immigrants(const Sources& sources, std::uint32_t places, std::uint64_t migration);

}  // namespace qapfw::imga

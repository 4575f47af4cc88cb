// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/solution_text.hpp"

#include <fmt/core.h>

#include <charconv>
#include <string>
#include <unordered_map>

#include "common/text_cursor.hpp"
#include "problems/sparse_qap/graphs/edge_cells.hpp"

namespace qapfw::sparse {
namespace {

using common::TextCursor;

constexpr std::uint32_t kOpen = ~std::uint32_t{0};

/// Finds the index of a vertex or location by a cell of a CSV file. The cell has the name or, if there are no names,
/// the number counted from 1.
class Lookup {
  public:
    Lookup(const std::vector<std::string>& names, std::uint32_t count) : count_(count) {
        for (std::uint32_t k = 0; k < names.size(); ++k) index_.emplace(names[k], k);
    }
    std::uint32_t find(std::string_view text) const {
        if (const auto at = index_.find(text_of_cell(text)); at != index_.end()) return at->second;
        std::uint32_t value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
        return whole && index_.empty() && value >= 1 && value <= count_ ? value - 1 : kOpen;
    }

  private:
    std::unordered_map<std::string, std::uint32_t> index_;
    std::uint32_t count_;
};

/// Gives locations to vertices one by one. Refuses a vertex that has a location already, and a location that is taken.
class Placer {
  public:
    Placer(const Graph& graph, const Target& target)
        : vertices_(graph.n), location_of_(target.n(), kOpen), taken_(target.n(), false) {}
    void place(const TextCursor& text, std::uint32_t vertex, std::uint32_t location) {
        if (location_of_[vertex] != kOpen)
            text.fail(fmt::format("vertex {} (counted from 0) comes a second time", vertex));
        if (taken_[location])
            text.fail(
                fmt::format("location {} (counted from 0) is taken twice; each location takes one vertex", location));
        location_of_[vertex] = location;
        taken_[location] = true;
        placed_ += vertex < vertices_ ? 1 : 0;
    }
    /// Gives the free locations, in ascending order, to the dummies and vertices that have no location yet. `all`: the
    /// text must have all vertices, not only some.
    std::vector<std::uint32_t> finish(const TextCursor& text, bool all = true) {
        if (placed_ == 0 || (all && placed_ != vertices_))
            text.fail(fmt::format("locations of {} vertices were wanted, found {}", vertices_, placed_));
        std::uint32_t free = 0;
        for (std::uint32_t& location : location_of_) {
            if (location != kOpen) continue;
            while (taken_[free]) ++free;
            location = free++;
        }
        return std::move(location_of_);
    }

  private:
    std::uint32_t vertices_, placed_ = 0;
    std::vector<std::uint32_t> location_of_;
    std::vector<bool> taken_;
};

std::vector<std::uint32_t> read_pairs(TextCursor& text, const Graph& graph, const Target& target) {
    const Lookup vertices(graph.names, graph.n), locations(target.names(), target.n());
    Placer placer(graph, target);
    const char separator = separator_in(text.text());
    for (bool first = true; text.next_line('#', false); first = false) {
        const EdgeCells cells = edge_cells_of(text.rest_of_line(), separator);
        if (cells.count != 2)
            text.fail(fmt::format("a line \"vertex,location\" was wanted, found {} cells", cells.count));
        const std::uint32_t u = vertices.find(cells.cell[0]), a = locations.find(cells.cell[1]);
        if (first && u == kOpen && a == kOpen) continue;  // the line is a header
        if (u == kOpen) text.fail_at(cells.cell[0], common::shown_word(cells.cell[0]) + " is no vertex");
        if (a == kOpen) text.fail_at(cells.cell[1], common::shown_word(cells.cell[1]) + " is no location");
        placer.place(text, u, a);
    }
    return placer.finish(text, false);
}

/// True if the text begins with QAPLIB's line "n cost". No vertex has the number n, so this line cannot be a line
/// "vertex location" of another form.
bool is_qaplib(std::string_view text, const Graph& graph, const Target& target) {
    TextCursor ahead(text, "the mapping");
    if (!ahead.next_line('#', false)) return false;
    const std::int64_t size = ahead.integer("a number");
    return !ahead.at_line_end() && (size == target.n() || size == graph.n);
}

/// Reads a mapping written like QAPLIB's solution files: "n cost", then n locations counted from 1.
std::vector<std::uint32_t> read_qaplib(TextCursor& text, const Graph& graph, const Target& target) {
    Placer placer(graph, target);
    text.next_line('#', false);
    const std::int64_t size = text.integer("the number of locations");
    text.integer("a cost");
    std::int64_t vertex = 0;
    while (text.next_line('#', false)) {
        while (!text.at_line_end()) {
            const std::int64_t location = text.integer("a location's number", 1, target.n());
            if (vertex == size) text.fail(fmt::format("{} locations were wanted, but more numbers follow", size));
            placer.place(text, static_cast<std::uint32_t>(vertex++), static_cast<std::uint32_t>(location - 1));
        }
    }
    return placer.finish(text);
}

}  // namespace

std::vector<std::uint32_t> read_locations(std::string_view text, const Graph& graph, const Target& target) {
    TextCursor cursor(text, "the mapping");
    const std::string_view begin = text.substr(0, text.find('\n'));
    if (begin.find_first_of(",;") != begin.npos) return read_pairs(cursor, graph, target);
    if (is_qaplib(text, graph, target)) return read_qaplib(cursor, graph, target);
    Placer placer(graph, target);
    std::uint32_t next = 0;
    bool pairs = false;
    for (bool first = true; cursor.next_line('#', false); first = false) {
        const std::int64_t number = cursor.integer("a location's or a vertex's number");
        // Scotch's first line holds n alone, and the next line holds two numbers.
        if (first && number == graph.n) {
            TextCursor ahead(text, "the mapping");
            ahead.next_line('#', false);
            ahead.integer("a number");
            if (ahead.at_line_end() && ahead.next_line('#', false)) {
                ahead.integer("a number");
                pairs = !ahead.at_line_end();
            }
            if (pairs) continue;
        }
        const bool two = !cursor.at_line_end();
        const std::int64_t location = two ? cursor.integer("a location's number") : number;
        const std::int64_t vertex = two ? number : next++;
        // Lines with one number that follow the last vertex's line are for dummies.
        if (two && (vertex < 0 || vertex >= graph.n))
            cursor.fail(fmt::format("there are vertices 0 to {}, found {}", graph.n - 1, vertex));
        if (vertex >= target.n())
            cursor.fail(
                fmt::format("at most {} lines with one number were wanted, one for each location, but more follow; "
                            "such a line gives the location of the next vertex or dummy",
                            target.n()));
        if (location < 0 || location >= target.n())
            cursor.fail(fmt::format("there are locations 0 to {}, found {}", target.n() - 1, location));
        placer.place(cursor, static_cast<std::uint32_t>(vertex), static_cast<std::uint32_t>(location));
    }
    return placer.finish(cursor);
}

}  // namespace qapfw::sparse

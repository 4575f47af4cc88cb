// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/statistics/simplex_search.hpp"

#include <algorithm>
#include <cmath>

namespace qapfw::statistics {
namespace {

Point along(const Point& from, const Point& to, double step) {
    return {from[0] + step * (to[0] - from[0]), from[1] + step * (to[1] - from[1])};
}

struct Vertex {
    Point point;
    double value;
};

/// Makes one step of the search. The vertices of the simplex are sorted by value before and after the step.
void improve(std::array<Vertex, 3>& simplex, const Objective& objective) {
    const auto at = [&](const Point& point) { return Vertex{point, objective(point)}; };
    const Point centre = along(simplex[0].point, simplex[1].point, 0.5);
    const Vertex reflected = at(along(centre, simplex[2].point, -1));
    if (reflected.value < simplex[0].value) {
        const Vertex expanded = at(along(centre, simplex[2].point, -2));
        simplex[2] = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < simplex[1].value) {
        simplex[2] = reflected;
    } else {
        const bool outside = reflected.value < simplex[2].value;
        const Vertex contracted = at(along(centre, simplex[2].point, outside ? -0.5 : 0.5));
        if (contracted.value < std::min(reflected.value, simplex[2].value)) {
            simplex[2] = contracted;
        } else {
            for (std::size_t k = 1; k < 3; ++k) simplex[k] = at(along(simplex[0].point, simplex[k].point, 0.5));
        }
    }
    std::sort(simplex.begin(), simplex.end(), [](const Vertex& a, const Vertex& b) { return a.value < b.value; });
}

/// True if all three vertices are one point, up to rounding.
bool has_converged(const std::array<Vertex, 3>& simplex) {
    constexpr double kSame = 1e-13;
    const auto near = [&](const Vertex& v) {
        return std::abs(v.point[0] - simplex[0].point[0]) < kSame && std::abs(v.point[1] - simplex[0].point[1]) < kSame;
    };
    return near(simplex[1]) && near(simplex[2]);
}

}  // namespace

Point minimum(const Objective& objective, Point start) {
    constexpr int kRestarts = 4, kSteps = 400;
    double edge = 0.5;
    for (int restart = 0; restart < kRestarts; ++restart, edge /= 4) {
        std::array<Vertex, 3> simplex{Vertex{start, objective(start)},
                                      Vertex{{start[0] + edge, start[1]}, objective({start[0] + edge, start[1]})},
                                      Vertex{{start[0], start[1] + edge}, objective({start[0], start[1] + edge})}};
        std::sort(simplex.begin(), simplex.end(), [](const Vertex& a, const Vertex& b) { return a.value < b.value; });
        for (int step = 0; step < kSteps && !has_converged(simplex); ++step) improve(simplex, objective);
        start = simplex[0].point;
    }
    return start;
}

}  // namespace qapfw::statistics

// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/device/device_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "embedded/qap_texts.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::qap {
namespace {

using Matrix = std::vector<std::int64_t>;

std::int64_t trace(const Matrix& m, std::uint32_t n) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += m[i * n + i];
    return sum;
}

std::int64_t off_diagonal_sum(const Matrix& m, std::uint32_t n) {
    std::int64_t sum = 0;
    for (const std::int64_t entry : m) sum += entry;
    return sum - trace(m, n);
}

/// Largest minus smallest entry; with `off_diagonal`, the entries of the diagonal do not count.
std::uint64_t range(const Matrix& m, std::uint32_t n, bool off_diagonal) {
    std::int64_t least = 0, greatest = 0;
    bool any = false;
    for (std::size_t cell = 0; cell < m.size(); ++cell) {
        if (off_diagonal && cell / n == cell % n) continue;
        least = any ? std::min(least, m[cell]) : m[cell];
        greatest = any ? std::max(greatest, m[cell]) : m[cell];
        any = true;
    }
    return static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(least);
}

/// The maximum over pairs (u, v) of sum_k |m_uk - m_vk|; with `columns`, plus the same sum over columns.
std::uint64_t greatest_row_difference(const Matrix& m, std::uint32_t n, bool columns) {
    std::uint64_t greatest = 0;
    for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t v = u + 1; v < n; ++v) {
            std::uint64_t sum = 0;
            for (std::size_t k = 0; k < n; ++k) {
                sum += static_cast<std::uint64_t>(std::abs(m[u * n + k] - m[v * n + k]));
                if (columns) sum += static_cast<std::uint64_t>(std::abs(m[k * n + u] - m[k * n + v]));
            }
            greatest = std::max(greatest, sum);
        }
    }
    return greatest;
}

/// An upper bound of greatest_row_difference, in O(n^2): twice the largest sum of |m_uk - middle| over a row (with
/// `columns`, over a row and its column). The triangle inequality proves the bound.
std::uint64_t row_difference_bound(const Matrix& m, std::uint32_t n, bool columns) {
    const auto [least, greatest] = std::minmax_element(m.begin(), m.end());
    const std::int64_t middle = *least + (*greatest - *least) / 2;
    std::vector<std::uint64_t> rows(n, 0), sums(n, 0);
    for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t k = 0; k < n; ++k) {
            const auto distance = static_cast<std::uint64_t>(std::abs(m[u * n + k] - middle));
            rows[u] += distance;
            if (columns) sums[k] += distance;
        }
    }
    for (std::size_t u = 0; u < n; ++u) sums[u] += rows[u];
    return n == 0 ? 0 : 2 * *std::max_element(sums.begin(), sums.end());
}

std::uint64_t saturated_product(std::uint64_t x, std::uint64_t y) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
    return y != 0 && x > kMost / y ? kMost : x * y;
}

/// Returns the bytes of the n x n matrix `m`, each element in `element_bytes` bytes. Zeros fill each row up to `row`
/// elements. With `transposed`, the bytes of the transposed matrix follow.
std::vector<unsigned char> packed(const Matrix& m, std::size_t n, std::size_t row, std::uint32_t element_bytes,
                                  bool transposed) {
    std::vector<unsigned char> bytes;
    bytes.reserve((transposed ? 2 : 1) * n * row * element_bytes);
    for (const bool turned : {false, true}) {
        if (turned && !transposed) continue;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < row; ++j) {
                const std::int64_t entry = j >= n ? 0 : turned ? m[j * n + i] : m[i * n + j];
                for (std::uint32_t k = 0; k < element_bytes; ++k) {
                    bytes.push_back(static_cast<unsigned char>(entry >> (8 * k)));
                }
            }
        }
    }
    return bytes;
}

}  // namespace

DeviceForm::DeviceForm(const QapMatrices& matrices, const FixedAssignments& fixed) : n(matrices.n) {
    for (const bool wanted : {false, true}) {
        for (std::uint32_t i = 0; i < n; ++i) {
            const bool is_fixed = fixed.count > 0 && fixed.is_fixed(i);
            if (is_fixed == wanted) order.push_back(static_cast<std::uint16_t>(i));
        }
    }
    // Kernels need at least one movable position. If all positions are fixed, one counts as movable. It never moves,
    // since it has no partner for a swap.
    movable = std::max(1u, n - fixed.count);
    take(NormalForm(matrices), matrices);
    make_nonnegative(a, b);
    make_nonnegative(b, a);
    greatest_a = *std::max_element(a.begin(), a.end());
    greatest_b = *std::max_element(b.begin(), b.end());
    take_linear(matrices);
    bound_deltas();
    const Matrix unordered = a;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) a[i * n + j] = unordered[std::size_t{order[i]} * n + order[j]];
    }
}

/// Takes the matrices of the normal form or, if the diagonals matter, those of the instance. The normal form stores the
/// diagonals apart from its matrices, and device code cannot use such diagonals.
void DeviceForm::take(const NormalForm& form, const QapMatrices& matrices) {
    diagonal = form.diagonals_vary;
    a = diagonal ? matrices.a : form.a;
    b = diagonal ? matrices.b : form.b;
    symmetric = diagonal ? form.was_symmetric : form.symmetric;
    linear = matrices.has_linear();
    forbidden = matrices.penalty > 0;
    if (linear && halves() && form.was_symmetric)
        double_one();
    else
        delta_scale = halves() && form.was_symmetric ? 2 : 1;
    if (!diagonal) cost_offset += form.constant_diagonal_cost();
}

/// Deltas are halved, but linear costs may be odd. So this function doubles the matrix with the smaller range: the half
/// of a doubled delta is a whole number to which linear costs can be added. If the doubled entries would need more
/// bytes than those of the other matrix, sets `whole` instead, so that deltas are not halved.
void DeviceForm::double_one() {
    const std::uint64_t of_a = range(a, n, true), of_b = range(b, n, true);
    if (bytes_of(2 * std::min(of_a, of_b)) > bytes_of(std::max(of_a, of_b))) {
        whole = true;
        return;
    }
    for (std::int64_t& entry : of_a < of_b ? a : b) entry *= 2;
}

/// Subtracts the least off-diagonal entry of `shifted` from all off-diagonal entries. If the diagonals matter, also
/// subtracts the least diagonal entry from the diagonal. This lowers the costs of all solutions by one and the same
/// amount, which is added to cost_offset.
void DeviceForm::make_nonnegative(Matrix& shifted, const Matrix& other) {
    const std::int64_t in_sum = halves() ? 2 : 1;  // (sum / in_sum) * delta_scale is the cost
    for (const bool on_diagonal : {false, true}) {
        if (n < 2 && !on_diagonal) continue;
        if (on_diagonal && !diagonal) continue;
        std::int64_t least = shifted[on_diagonal ? 0 : 1];
        for (std::size_t cell = 0; cell < shifted.size(); ++cell) {
            if ((cell / n == cell % n) == on_diagonal) least = std::min(least, shifted[cell]);
        }
        for (std::size_t cell = 0; cell < shifted.size(); ++cell) {
            if ((cell / n == cell % n) == on_diagonal) shifted[cell] -= least;
        }
        const std::int64_t met = on_diagonal ? trace(other, n) : off_diagonal_sum(other, n);
        // If in_sum is 2, the division is exact: `other` is symmetric, so the sum of its off-diagonal entries is even.
        cost_offset += least * (met * delta_scale / in_sum);
    }
}

void DeviceForm::take_linear(const QapMatrices& matrices) {
    if (!linear) return;
    for (const std::uint16_t facility : order) {
        const auto costs = matrices.linear.begin() + std::ptrdiff_t{facility} * n;
        const std::int64_t least = *std::min_element(costs, costs + n);
        linear_costs.insert(linear_costs.end(), costs, costs + n);
        std::transform(costs, costs + n, std::back_inserter(linear_rows), [&](std::int64_t v) { return v - least; });
    }
    linear_range = static_cast<std::uint64_t>(*std::max_element(linear_rows.begin(), linear_rows.end()));
}

void DeviceForm::bound_deltas() {
    const bool columns = !symmetric;
    const std::uint64_t range_a = range(a, n, !diagonal), range_b = range(b, n, !diagonal);
    // A swap changes the delta of an untouched pair by a product of two factors. If matrices are not symmetric, it
    // changes the delta by two products: one of rows and one of columns. Each factor is a difference of two differences
    // of entries. Diagonals add one term to a delta.
    const std::uint64_t change = saturated_product(4 * range_a, range_b) * (diagonal ? 4 : columns || whole ? 2 : 1);
    const std::uint64_t factor = symmetric && !halves() ? 2 : 1;
    // A delta includes four linear costs.
    const std::uint64_t of_linear = saturated_product(4, linear_range);
    const auto bound = [&](std::uint64_t rows_a, std::uint64_t rows_b) {
        const std::uint64_t sum = std::min(saturated_product(rows_a, range_b), saturated_product(rows_b, range_a));
        return std::max(saturated_product(factor, sum) + (diagonal ? change : 0) + of_linear, change);
    };
    delta_bound = bound(row_difference_bound(a, n, columns), row_difference_bound(b, n, columns));
    // The largest number of positions for which the O(n^3) bound below is computed. That bound may show that deltas fit
    // 32 bits. The gain is then worth the time.
    constexpr std::uint32_t kLargest = 1024;
    if (n > kLargest || delta_bound < kNarrowDeltas || change >= kNarrowDeltas) return;
    delta_bound = bound(greatest_row_difference(a, n, columns), greatest_row_difference(b, n, columns));
}

InstanceTraits DeviceForm::traits() const {
    return {n,
            movable,
            static_cast<std::uint64_t>(greatest_a),
            static_cast<std::uint64_t>(greatest_b),
            symmetric,
            diagonal,
            delta_bound,
            linear_range,
            forbidden,
            whole};
}

namespace {

/// A generation is a set of GPUs that get the same plan. The compute capability decides among three generations: 9.x
/// and 10.x; 8.0 and 8.7; all others.
struct Generation {
    const char* condition;
    bool (*holds)(std::uint32_t compute_capability);
    std::uint64_t shared_bytes;  ///< bytes of shared memory that one CUDA block may use
    const TabuTuning& tuning;
};
constexpr Generation kGenerations[] = {{"#if __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1100",
                                        [](std::uint32_t cc) { return cc >= 90 && cc < 110; }, 232448, kHopper},
                                       {"#elif __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 870",
                                        [](std::uint32_t cc) { return cc == 80 || cc == 87; }, 166912, kAmpere},
                                       {"#else", [](std::uint32_t) { return true; }, 101376, kAda}};

DevicePlan plan_on(const Generation& generation, const InstanceTraits& traits, std::uint32_t per_multiprocessor = 0) {
    return plan_for(traits, generation.shared_bytes, per_multiprocessor, generation.tuning);
}

std::uint32_t linear_bytes(const DeviceForm& form) {
    return linear_bytes(plan_on(kGenerations[0], form.traits()), form.traits());
}

std::string instance_macros(const DeviceForm& form) {
    const DevicePlan plan = plan_on(kGenerations[0], form.traits());
    static constexpr const char* kValues[] = {"float", "int32_t", "int64_t"};
    return fmt::format(
        "#define QAP_N {}\n#define QAP_MOVABLE {}\n#define QAP_ELEMENT uint{}_t\n#define QAP_PLANES {}\n"
        "#define QAP_SYMMETRIC {}\n#define QAP_DIAGONAL {}\n#define QAP_DELTA_SCALE {}\n#define QAP_VALUE {}\n"
        "#define QAP_ROW {}\n#define QAP_LINEAR {}\n#define QAP_WHOLE {}\n#define QAP_LINEAR_ELEMENT {}int{}_t\n",
        form.n, form.movable, 8 * plan.element_bytes, plan.planes, form.symmetric ? 1 : 0, form.diagonal ? 1 : 0,
        form.delta_scale, kValues[static_cast<int>(plan.value)], row_elements(form.n, plan.element_bytes),
        form.linear ? 1 : 0, form.whole ? 1 : 0, linear_bytes(form) < 4 ? "u" : "", 8 * linear_bytes(form));
}

std::string plan_macros(const DevicePlan& plan) {
    return fmt::format(
        "#define QAP_ASSIGNMENT {}\n#define QAP_WARPS {}\n#define QAP_RECOMPUTE {}\n#define QAP_TOGETHER {}\n"
        "#define QAP_ALONE {}\n#define QAP_LINEAR_SHARED {}\n"
        "#define QAPFW_HINT_TEAMS {}\n#define QAPFW_HINT_BLOCKS {}\n"
        "#define QAPFW_HINT_WORDS_IN_SHARED {}\n#define QAP_SHARED_BYTES {}\n",
        plan.tile ? 0 : 1, plan.warps, plan.recompute ? 1 : 0, plan.together ? 1 : 0, plan.alone ? 1 : 0,
        plan.linear_shared ? 1 : 0, plan.teams, plan.blocks, plan.tile ? 1 : 0, plan.shared_bytes);
}

/// Preprocessor lines that choose how pairs are dealt to threads. If the solver defines QAPFW_ASSIGNMENT_MATA or
/// QAPFW_ASSIGNMENT_PLAIN, that macro decides. Otherwise, an instance with forbidden pairs gets the plain assignment.
/// For any other instance the choice depends on the GPU and on the number of searches per multiprocessor.
std::string launch_macros(const DeviceForm& form) {
    std::string text =
        "#ifndef QAPFW_SEARCHES_PER_MULTIPROCESSOR\n#define QAPFW_SEARCHES_PER_MULTIPROCESSOR 0\n#endif\n"
        "#if defined(QAPFW_ASSIGNMENT_MATA)\n#define QAP_ASSIGNMENT 2\n#define QAPFW_HINT_BLOCKS 2\n"
        "#elif defined(QAPFW_ASSIGNMENT_PLAIN)\n#define QAP_ASSIGNMENT 3\n#define QAPFW_HINT_BLOCKS 4\n";
    // Tiles and tables would take swaps that make forbidden pairs; the plain assignment refuses such swaps.
    if (form.forbidden) return text + "#else\n#define QAP_ASSIGNMENT 3\n#define QAPFW_HINT_BLOCKS 4\n#endif\n";
    text += "#else\n";
    for (const Generation& generation : kGenerations) {
        text += fmt::format("{}\n", generation.condition);
        const char* otherwise = "#if";
        for (const std::uint32_t few : {1u, 2u, 4u}) {
            text += fmt::format("{} QAPFW_SEARCHES_PER_MULTIPROCESSOR == {}\n{}", otherwise, few,
                                plan_macros(plan_on(generation, form.traits(), few)));
            otherwise = "#elif";
        }
        text += fmt::format("#else\n{}#endif\n", plan_macros(plan_on(generation, form.traits())));
    }
    return text + "#endif\n#endif\n";
}

/// Macros with the class of every position (numbered as in kernels) and of every value; see
/// qapfw/kernels/interchangeable.hpp. A macro is left out if no two positions, or no two values, are interchangeable.
std::string class_macros(const DeviceForm& form, const Interchangeable& equals) {
    std::string text;
    const auto define = [&](const char* macro, const std::vector<std::uint16_t>& classes, const auto& element) {
        if (classes.empty()) return;
        text += fmt::format("#define {} ", macro);
        for (std::uint32_t k = 0; k < form.n; ++k) text += fmt::format("{}{}", k == 0 ? "" : ",", classes[element(k)]);
        text += '\n';
    };
    define("QAPFW_POSITION_CLASSES", equals.facilities, [&](std::uint32_t k) { return form.order[k]; });
    define("QAPFW_VALUE_CLASSES", equals.locations, [](std::uint32_t k) { return k; });
    return text;
}

}  // namespace

DeviceProblem::DeviceProblem(const QapMatrices& matrices, const FixedAssignments& fixed,
                             const Interchangeable& equals) {
    const DeviceForm form(matrices, fixed);
    if (std::max(form.greatest_a, form.greatest_b) > std::int64_t{0xFFFFFFFF}) {
        throw Error(ErrorKind::kInput,
                    "on a GPU the entries of a matrix must differ by less than 2^32: choose device.backend = \"cpu\"");
    }
    traits_ = form.traits();
    macros_ = instance_macros(form) + launch_macros(form) + class_macros(form, equals);
    texts_.push_back({"qap/instance.cuh", macros_.c_str(), macros_.size()});
    for (const qapfw_text& text : sdk::in_include_order(device::kTexts)) texts_.push_back(text);
    const DevicePlan plan = plan_on(kGenerations[0], form.traits());
    const std::uint32_t element_bytes = plan.element_bytes;
    const std::uint32_t row = row_elements(form.n, element_bytes);
    a_ = packed(form.a, form.n, row, element_bytes, !form.symmetric);
    b_ = packed(form.b, form.n, row, element_bytes, !form.symmetric);
    buffers_ = {{a_.data(), a_.size(), offsetof(View, a)}, {b_.data(), b_.size(), offsetof(View, b)}};
    if (form.movable < form.n) {
        order_ = form.order;
        buffers_.push_back({order_.data(), order_.size() * sizeof(std::uint16_t), offsetof(View, order)});
    }
    view_.cost_offset = form.cost_offset;
    if (form.linear) {
        linear_ = form.linear_costs;
        buffers_.push_back({linear_.data(), linear_.size() * sizeof(std::int64_t), offsetof(View, linear)});
        linear_rows_ = packed(form.linear_rows, form.n, form.n, linear_bytes(form), true);
        buffers_.push_back({linear_rows_.data(), linear_rows_.size(), offsetof(View, linear_rows)});
    }
    view_.limit = matrices.penalty > 0 ? matrices.penalty / 2 : std::int64_t{1} << 62;
    problem_ = {sizeof problem_, static_cast<std::uint32_t>(texts_.size()),
                texts_.data(),   &view_,
                sizeof view_,    buffers_.size(),
                buffers_.data(), nullptr};
}

std::uint32_t DeviceProblem::searches_on(const qapfw_device& device) const {
    if (traits_.forbidden) return 0;  // unknown
    const auto& generation = *std::ranges::find_if(
        kGenerations, [&](const Generation& one) { return one.holds(device.compute_capability); });
    const DevicePlan plan = plan_on(generation, traits_);
    return plan.teams * plan.blocks;
}

}  // namespace qapfw::qap

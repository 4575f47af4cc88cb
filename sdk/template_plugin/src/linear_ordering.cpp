// SPDX-License-Identifier: Apache-2.0
#include "linear_ordering.hpp"

#include <charconv>

#include "embedded/linear_ordering_texts.hpp"
#include "qapfw/kernels/digest.hpp"

namespace linear_ordering {
namespace sdk = qapfw::sdk;

namespace {

std::uint64_t fingerprint_of(const Instance& instance) {
    std::uint64_t hash = instance.n;
    for (const std::int32_t entry : instance.matrix)
        hash = qapfw::kernels::mix64(hash + static_cast<std::uint32_t>(entry));
    return hash;
}

}  // namespace

// [problem-create]
LinearOrdering::LinearOrdering(const sdk::Host&, const sdk::Parameters& parameters)
    : instance_(read_instance(parameters.text("instance"))), encoding_(sdk::Encoding::permutation(instance_.n)) {
    describe_instance();
    describe_device();
    if (parameters.present("best_known")) {
        info_.has_best_known = 1;
        info_.best_known.i = -parameters.integer("best_known");
        info_.best_known_source = "the configuration";
    }
}

void LinearOrdering::describe_instance() {
    summary_ = "linear ordering of " + std::to_string(instance_.n) + " items";
    info_.struct_size = sizeof info_;
    info_.n = instance_.n;
    info_.encoding = encoding_.c_encoding();
    info_.cost_kind = QAPFW_COST_INT64;
    info_.sense = -1;  // a maximisation: the cost is the negated value
    info_.display_divisor = 1;
    info_.instance = instance_.name.c_str();
    info_.summary = summary_.c_str();
    info_.fingerprint = fingerprint_of(instance_);
}
// [problem-create-end]

// [problem-evaluate]
void LinearOrdering::evaluate(const qapfw_batch& batch) const {
    for (std::uint64_t k = 0; k < batch.count; ++k) {
        const void* solution = sdk::solution_at(batch.solutions, info_.encoding.solution_bytes, k);
        check_order(sdk::permutation_of(solution), instance_.n);
        batch.costs[k].i = -value_of(instance_, sdk::permutation_of(solution));
    }
}
// [problem-evaluate-end]

// [problem-insertion]
/// The change of the cost if the item at `from` moves to `to`. All items in between are then on its other side.
std::int64_t LinearOrdering::delta_insertion(const std::uint16_t* order, std::uint32_t from, std::uint32_t to) const {
    const auto entry = [&](std::uint16_t row, std::uint16_t column) {
        return std::int64_t{instance_.matrix[std::size_t{row} * instance_.n + column]};
    };
    const std::uint16_t item = order[from];
    std::int64_t value = 0;
    for (std::uint32_t k = from; k < to; ++k) value += entry(order[k + 1], item) - entry(item, order[k + 1]);
    for (std::uint32_t k = from; k > to; --k) value += entry(item, order[k - 1]) - entry(order[k - 1], item);
    return -value;
}
// [problem-insertion-end]

void LinearOrdering::read_solution(std::string_view text, void* solution) const {
    std::uint16_t* order = sdk::permutation_of(solution);
    std::size_t at = 0;
    for (std::uint32_t k = 0; k < instance_.n; ++k) {
        at = text.find_first_not_of(" \t\r\n", at);
        std::uint16_t item = 0;
        const char* begin = text.data() + std::min(at, text.size());
        const auto [stop, error] = std::from_chars(begin, text.data() + text.size(), item);
        if (error != std::errc{} || item == 0) {
            throw qapfw::Error(qapfw::ErrorKind::kInput, "solution: wanted " + std::to_string(instance_.n) +
                                                             " items numbered from 1, found only " + std::to_string(k));
        }
        order[k] = static_cast<std::uint16_t>(item - 1);
        at = static_cast<std::size_t>(stop - text.data());
    }
    if (text.find_first_not_of(" \t\r\n", at) != text.npos) {
        throw qapfw::Error(qapfw::ErrorKind::kInput,
                           "solution: wanted the end after " + std::to_string(instance_.n) + " items, found more");
    }
    check_order(order, instance_.n);
}

void LinearOrdering::write_artefacts(const void* solution, qapfw_cost, const sdk::Emit& emit) const {
    std::string text;
    for (std::uint32_t k = 0; k < instance_.n; ++k) {
        text += std::to_string(sdk::permutation_of(solution)[k] + 1) + (k + 1 < instance_.n ? " " : "\n");
    }
    emit("solution.txt", "text/plain", text);
}

// [problem-device]
void LinearOrdering::describe_device() {
    device_size_ = "constexpr int kLinearOrderingSize = " + std::to_string(instance_.n) + ";\n";
    device_texts_[0] = {"linear_ordering/size", device_size_.c_str(), device_size_.size()};
    device_texts_[1] = device_texts::kTexts[0];
    device_matrix_ = {instance_.matrix.data(), instance_.matrix.size() * sizeof(std::int32_t), 0};
    device_.struct_size = sizeof device_;
    device_.text_count = 2;
    device_.texts = device_texts_;
    device_.view = &device_view_;
    device_.view_size = sizeof device_view_;
    device_.buffer_count = 1;
    device_.buffers = &device_matrix_;
}
// [problem-device-end]

}  // namespace linear_ordering

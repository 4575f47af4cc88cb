// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/setup.hpp"

#include <fmt/format.h>

#include "qapfw/sdk/available_memory.hpp"

namespace qapfw::qap {

namespace {

thread_local const sdk::StopQuestion* present_stop = nullptr;

}  // namespace

SetupScope::SetupScope(const sdk::StopQuestion& stop) : before_(present_stop) {
    present_stop = &stop;
}

SetupScope::~SetupScope() {
    present_stop = before_;
}

void set_up_row() {
    if (present_stop != nullptr && (*present_stop)()) throw sdk::Stopped();
}

std::vector<int64_t> set_up_matrix(std::size_t n, int64_t value) {
    std::vector<int64_t> matrix;
    matrix.reserve(n * n);  // reserves addresses; memory is used row by row
    for (std::size_t i = 1; i <= n; ++i) {
        set_up_row();
        matrix.resize(i * n, value);
    }
    return matrix;
}

template <class Entry>
std::vector<Entry> set_up_copy(const std::vector<int64_t>& matrix, std::size_t n) {
    std::vector<Entry> copy;
    copy.reserve(matrix.size());
    for (std::size_t begin = 0; begin < matrix.size(); begin += n) {
        set_up_row();
        const auto from = matrix.begin() + static_cast<std::ptrdiff_t>(begin);
        copy.insert(copy.end(), from, from + static_cast<std::ptrdiff_t>(n));
    }
    return copy;
}

template std::vector<int32_t> set_up_copy(const std::vector<int64_t>& matrix, std::size_t n);
template std::vector<int64_t> set_up_copy(const std::vector<int64_t>& matrix, std::size_t n);

void require_memory_of(std::size_t n, std::size_t bytes, const std::string& what) {
    sdk::require_memory(std::uint64_t{n} * n * bytes, fmt::format("{}: n = {}", what, n));
}

}  // namespace qapfw::qap

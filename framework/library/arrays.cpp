// SPDX-License-Identifier: Apache-2.0
#include "framework/library/arrays.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Passes the entries of a strided view to `take`, row by row.
template <class Entry, class Take>
void for_each_entry(const qapfw_matrix& matrix, const Take& take) {
    const auto* row = static_cast<const std::byte*>(matrix.data);
    for (std::uint64_t i = 0; i < matrix.rows; ++i, row += matrix.row_stride) {
        const std::byte* at = row;
        for (std::uint64_t j = 0; j < matrix.columns; ++j, at += matrix.column_stride) {
            Entry entry;
            std::memcpy(&entry, at, sizeof entry);  // entries need not be aligned
            take(entry, i, j);
        }
    }
}

/// True if the entries, which have this type, lie in memory row by row without gaps.
template <class Entry>
bool is_dense(const qapfw_matrix& matrix) {
    const auto size = static_cast<std::int64_t>(sizeof(Entry));
    return matrix.column_stride == size && matrix.row_stride == static_cast<std::int64_t>(matrix.columns) * size;
}

/// Copies a matrix without gaps (see is_dense) as one block. Copying entry by entry would take about four times as
/// long.
template <class Entry>
void copy_dense(const qapfw_matrix& matrix, std::vector<Entry>& into) {
    into.resize(matrix.rows * matrix.columns);
    if (!into.empty()) std::memcpy(into.data(), matrix.data, into.size() * sizeof(Entry));
}

bool is_finite(const std::vector<double>& entries) {
    double sum = 0;
    for (const double entry : entries) sum += entry - entry;  // NaN if an entry is not finite
    return sum == 0;
}

template <class Entry>
void copy_integers(const qapfw_matrix& matrix, const std::string& what, std::vector<std::int64_t>& into) {
    if constexpr (std::is_same_v<Entry, std::int64_t>) {
        if (is_dense<Entry>(matrix)) return copy_dense(matrix, into);
    }
    into.reserve(matrix.rows * matrix.columns);
    for_each_entry<Entry>(matrix, [&](Entry entry, std::uint64_t i, std::uint64_t j) {
        if constexpr (std::is_unsigned_v<Entry> && sizeof(Entry) == 8) {
            if (entry > static_cast<Entry>(std::numeric_limits<std::int64_t>::max())) {
                throw Error(ErrorKind::kInput, fmt::format("{}[{}][{}] is {}; at most {} is possible", what, i, j,
                                                           entry, std::numeric_limits<std::int64_t>::max()));
            }
        }
        into.push_back(static_cast<std::int64_t>(entry));
    });
}

template <class Entry>
void copy_reals(const qapfw_matrix& matrix, const std::string& what, std::vector<double>& into) {
    if constexpr (std::is_same_v<Entry, double>) {
        if (is_dense<Entry>(matrix)) {
            copy_dense(matrix, into);
            if (is_finite(into)) return;
            into.clear();  // some entry is not finite: the loop below finds that entry and reports it
        }
    }
    into.reserve(matrix.rows * matrix.columns);
    for_each_entry<Entry>(matrix, [&](Entry entry, std::uint64_t i, std::uint64_t j) {
        if (!std::isfinite(entry)) {
            throw Error(ErrorKind::kInput,
                        fmt::format("{}[{}][{}] is {}; a finite number was wanted", what, i, j, entry));
        }
        into.push_back(static_cast<double>(entry));
    });
}

}  // namespace

void ArrayStore::add(const std::string& name, const qapfw_matrix& matrix, const std::string& what) {
    Array& array = arrays_[name];
    switch (matrix.type) {
        case QAPFW_TYPE_FLOAT64:
            copy_reals<double>(matrix, what, array.reals);
            break;
        case QAPFW_TYPE_FLOAT32:
            copy_reals<float>(matrix, what, array.reals);
            break;
        case QAPFW_TYPE_INT64:
            copy_integers<std::int64_t>(matrix, what, array.integers);
            break;
        case QAPFW_TYPE_INT32:
            copy_integers<std::int32_t>(matrix, what, array.integers);
            break;
        case QAPFW_TYPE_INT16:
            copy_integers<std::int16_t>(matrix, what, array.integers);
            break;
        case QAPFW_TYPE_INT8:
            copy_integers<std::int8_t>(matrix, what, array.integers);
            break;
        case QAPFW_TYPE_UINT64:
            copy_integers<std::uint64_t>(matrix, what, array.integers);
            break;
        case QAPFW_TYPE_UINT32:
            copy_integers<std::uint32_t>(matrix, what, array.integers);
            break;
        case QAPFW_TYPE_UINT16:
            copy_integers<std::uint16_t>(matrix, what, array.integers);
            break;
        case QAPFW_TYPE_UINT8:
            copy_integers<std::uint8_t>(matrix, what, array.integers);
            break;
        default:
            throw Error(ErrorKind::kUsage,
                        fmt::format("{}: its type is {}, one of QAPFW_TYPE_... was wanted", what, matrix.type));
    }
    const bool real = !array.reals.empty();
    array.view = {sizeof(qapfw_array), real ? QAPFW_ARRAY_FLOAT64 : QAPFW_ARRAY_INT64, matrix.rows, matrix.columns,
                  real ? static_cast<const void*>(array.reals.data()) : array.integers.data()};
}

void ArrayStore::add_texts(const std::string& name, const char* const* texts, std::uint64_t count,
                           const std::string& what) {
    Array& array = arrays_[name];
    for (std::uint64_t k = 0; k < count; ++k) {
        if (texts[k] == nullptr) {
            throw Error(ErrorKind::kUsage, fmt::format("{}[{}] is a null pointer; a text was wanted", what, k));
        }
        array.texts.emplace_back(texts[k]);
    }
    for (const std::string& text : array.texts) array.pointers.push_back(text.c_str());
    array.view = {sizeof(qapfw_array), QAPFW_ARRAY_TEXT, count, 1, array.pointers.data()};
}

const qapfw_array* ArrayStore::find(const std::string& name) const {
    const auto found = arrays_.find(name);
    return found == arrays_.end() ? nullptr : &found->second.view;
}

std::string ArrayStore::text(const std::string& name, std::uint64_t index) const {
    const auto found = arrays_.find(name);
    return found == arrays_.end() ? std::string{} : found->second.texts.at(index);
}

}  // namespace qapfw::framework

// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/memory_instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "problems/qap/setup.hpp"

namespace qapfw::qap {
namespace {

constexpr std::string_view kPrefix = "memory:";

class Arrays {
  public:
    Arrays(const sdk::Host& host, const std::string& name)
        : context_(host.get()->context),
          service_(static_cast<const qapfw_host_arrays*>(
              host.get()->get_capability(host.get()->context, QAPFW_HOST_ARRAYS))),
          name_(name) {
        if (service_ != nullptr) return;
        throw Error(ErrorKind::kInput, fmt::format("instance memory:{}: its matrices were in the memory of another "
                                                   "program; give a file instead",
                                                   name));
    }

    const qapfw_array* find(const char* array) const { return service_->find(context_, array); }

    /// Returns the numbers of an array. Throws if the array is missing, is not `rows` x `columns` or holds no numbers.
    NumberMatrix numbers(const char* array, std::uint64_t rows, std::uint64_t columns) const {
        const qapfw_array* found = find(array);
        if (found == nullptr) fail(fmt::format("there is no array \"{}\"", array));
        check_shape(*found, array, rows, columns);
        NumberMatrix matrix(static_cast<uint32_t>(rows), static_cast<uint32_t>(columns));
        if (found->type == QAPFW_ARRAY_INT64) {
            const auto* first = static_cast<const int64_t*>(found->data);
            return {matrix.rows(), matrix.columns(), std::vector<int64_t>(first, first + rows * columns)};
        }
        if (found->type != QAPFW_ARRAY_FLOAT64) fail(fmt::format("array \"{}\" holds no numbers", array));
        const auto* next = static_cast<const double*>(found->data);
        for (uint32_t i = 0; i < matrix.rows(); ++i) {
            set_up_row();
            matrix.set_row(i, next);
            next += columns;
        }
        return matrix;
    }

    /// The texts of an array; empty if the array does not exist.
    std::vector<std::string> texts(const char* array, std::uint64_t count) const {
        const qapfw_array* found = find(array);
        if (found == nullptr) return {};
        check_shape(*found, array, count, 1);
        if (found->type != QAPFW_ARRAY_TEXT) fail(fmt::format("array \"{}\" holds no texts", array));
        const auto* first = static_cast<const char* const*>(found->data);
        return {first, first + count};
    }

    std::uint64_t size(const char* array) const {
        const qapfw_array* found = find(array);
        if (found == nullptr) fail(fmt::format("there is no array \"{}\"", array));
        if (found->rows == 0 || found->rows > kMaxSize) {
            fail(fmt::format("array \"{}\" has {} rows, but only 1 to {} are possible", array, found->rows, kMaxSize));
        }
        return found->rows;
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ErrorKind::kInput, fmt::format("instance memory:{}: {}", name_, what));
    }

  private:
    void check_shape(const qapfw_array& found, const char* array, std::uint64_t rows, std::uint64_t columns) const {
        if (found.rows == rows && found.columns == columns) return;
        fail(fmt::format("array \"{}\" is {} x {}, {} x {} was wanted", array, found.rows, found.columns, rows,
                         columns));
    }

    void* const context_;
    const qapfw_host_arrays* const service_;
    const std::string name_;
};

std::vector<uint8_t> flags(const NumberMatrix& matrix) {
    std::vector<uint8_t> out;
    for (const double value : matrix.values()) out.push_back(value != 0 ? 1 : 0);
    return out;
}

}  // namespace

std::optional<std::string> memory_name(const std::string& reference) {
    if (!reference.starts_with(kPrefix)) return std::nullopt;
    return reference.substr(kPrefix.size());
}

QapInstance load_memory_instance(const std::string& name, const InstanceSearch& search, const sdk::Host& host) {
    const Arrays arrays(host, name);
    const std::uint64_t n = arrays.size("flow"), m = arrays.size("distance");
    if (n > m)
        arrays.fail(fmt::format(
            "there are {} facilities, but only {} locations; every facility needs a location of its own", n, m));
    OwnerModel owner{.a = arrays.numbers("flow", n, n), .b = arrays.numbers("distance", m, m)};
    if (arrays.find("linear") != nullptr) owner.linear = arrays.numbers("linear", n, m);
    if (arrays.find("forbidden") != nullptr) owner.forbidden = flags(arrays.numbers("forbidden", n, m));
    owner.maximize = search.maximize;
    owner.constant = search.constant;
    QapInstance out;
    out.name = name;
    out.source = "memory:" + name;
    out.facilities = static_cast<uint32_t>(n);
    out.facility_names = arrays.texts("facility_names", n);
    out.location_names = arrays.texts("location_names", m);
    if (const qapfw_array* fixed = arrays.find("fixed"); fixed != nullptr) {
        const NumberMatrix locations = arrays.numbers("fixed", n, 1);
        for (const double location : locations.values()) out.fixed.push_back(static_cast<int64_t>(location));
    }
    set_model(out, owner);
    return out;
}

}  // namespace qapfw::qap

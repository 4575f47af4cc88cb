// SPDX-License-Identifier: Apache-2.0
// JSON from files, which may be forged, so integers are checked. Include this only in .cpp files: the JSON library is
// slow to compile.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace qapfw::framework {

/// Converts JSON values as nlohmann's library does, but checks integers. If an integer is wanted, that library converts
/// any number, even 1e91, with an undefined result. Here only an integer that fits the type is accepted.
template <class T, class Enable = void>
struct CheckedNumbers : nlohmann::adl_serializer<T, Enable> {};

template <std::integral T>
requires(!std::same_as<T, bool>) struct CheckedNumbers<T, void> {
    template <class Value>
    static void from_json(const Value& json, T& number) {
        const auto take = [&](auto found) {
            if (!std::in_range<T>(found)) refuse(json);
            number = static_cast<T>(found);
        };
        if (json.is_number_unsigned()) {
            take(*json.template get_ptr<const std::uint64_t*>());
        } else if (json.is_number_integer()) {
            take(*json.template get_ptr<const std::int64_t*>());
        } else {
            refuse(json);
        }
    }
    template <class Value>
    static void to_json(Value& json, T number) {
        nlohmann::to_json(json, number);
    }

  private:
    template <class Value>
    static std::string text(const Value& json) {
        return json.dump(-1, ' ', true, Value::error_handler_t::replace).substr(0, 80);
    }
    template <class Value>
    [[noreturn]] static void refuse(const Value& json) {
        throw nlohmann::json::type_error::create(302, "wanted a whole number in range, found " + text(json), &json);
    }
};

/// The JSON type of nlohmann's library, with CheckedNumbers for integers. `Object`: the map that stores the members of
/// a JSON object.
template <template <class, class, class...> class Object>
using CheckedJson = nlohmann::basic_json<Object, std::vector, std::string, bool, std::int64_t, std::uint64_t, double,
                                         std::allocator, CheckedNumbers>;

/// JSON to be written. Its keys stay in the order in which they were added.
using Json = CheckedJson<nlohmann::ordered_map>;
/// JSON that was read. The order of its keys does not matter. A file may hold a million keys, so lookup takes
/// logarithmic time.
using ParsedJson = CheckedJson<std::map>;

}  // namespace qapfw::framework

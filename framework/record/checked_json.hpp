// SPDX-License-Identifier: Apache-2.0
// JSON of files, which may be forged. Included by .cpp files alone: the JSON library is slow to compile.
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

/// The way from a value to a C++ object. The library takes any number for an integer, 1e91 too, and what that becomes
/// is undefined. Here it must be an integer, and fit.
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

/// The library's JSON, whose integers are read with CheckedNumbers. `Object`: the map that holds an object.
template <template <class, class, class...> class Object>
using CheckedJson = nlohmann::basic_json<Object, std::vector, std::string, bool, std::int64_t, std::uint64_t, double,
                                         std::allocator, CheckedNumbers>;

/// JSON to be written: keys in the order in which a reader wants them.
using Json = CheckedJson<nlohmann::ordered_map>;
/// JSON that was read. The order of its keys says nothing, and finding one takes a logarithm of their number: a file
/// may hold a million.
using ParsedJson = CheckedJson<std::map>;

}  // namespace qapfw::framework

// SPDX-License-Identifier: Apache-2.0
// Writes JSON text piece by piece. A tree of the JSON library would allocate in its destructor, which ends the process
// if memory runs out. Here a failing allocation is an exception. Include this only in .cpp files: the JSON library is
// slow to compile.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/record/checked_json.hpp"

namespace qapfw::framework {

/// Writes one object: members in the order of the calls, arrays of numbers on one line.
class JsonWriter {
  public:
    enum class Layout { kOneLine, kIndented };
    explicit JsonWriter(Layout layout) : layout_(layout) {}

    /// Adds a member. `value`: a text (any bytes), a number, true, false or null.
    void put(std::string_view key, const Json& value);
    /// Adds an element to the open array. `value`: as for `put`.
    void add(const Json& value);

    template <std::integral Number>
    void put_numbers(std::string_view key, const std::vector<Number>& numbers) {
        begin(key);
        write_numbers(numbers);
    }
    template <std::integral Number>
    void add_numbers(const std::vector<Number>& numbers) {
        begin();
        write_numbers(numbers);
    }

    /// Adds an object. `write()` must put the object's members.
    template <class Write>
    void put_object(std::string_view key, const Write& write) {
        begin(key);
        nest('{', '}', write);
    }
    template <class Write>
    void add_object(const Write& write) {
        begin();
        nest('{', '}', write);
    }
    /// Adds an array. `write(element)` must add one element to the array.
    template <class Elements, class Write>
    void put_array(std::string_view key, const Elements& elements, const Write& write) {
        begin(key);
        nest('[', ']', [&] {
            for (const auto& element : elements) write(element);
        });
    }
    void put_texts(std::string_view key, const std::vector<std::string>& texts) {
        put_array(key, texts, [&](const std::string& text) { add(text); });
    }

    /// Returns the whole object. Indented text ends with a line end.
    std::string finish() &&;

  private:
    void begin();
    void begin(std::string_view key);
    void write(const Json& scalar);
    void new_line(std::size_t depth);

    template <class Number>
    void write_numbers(const std::vector<Number>& numbers) {
        const char* const separator = layout_ == Layout::kIndented ? ", " : ",";
        text_ += '[';
        for (std::size_t k = 0; k < numbers.size(); ++k)
            fmt::format_to(std::back_inserter(text_), "{}{}", k == 0 ? "" : separator, numbers[k]);
        text_ += ']';
    }
    template <class Write>
    void nest(char open, char close, const Write& write) {
        text_ += open;
        ++depth_;
        const bool outer_is_empty = std::exchange(is_empty_, true);
        write();
        --depth_;
        if (!is_empty_) new_line(depth_);
        text_ += close;
        is_empty_ = outer_is_empty;
    }

    Layout layout_;
    std::string text_ = "{";
    std::size_t depth_ = 1;
    bool is_empty_ = true;  ///< the open object or array is empty
};

}  // namespace qapfw::framework

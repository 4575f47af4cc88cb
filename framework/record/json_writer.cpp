// SPDX-License-Identifier: Apache-2.0
#include "framework/record/json_writer.hpp"

namespace qapfw::framework {

void JsonWriter::put(std::string_view key, const Json& value) {
    begin(key);
    write(value);
}

void JsonWriter::add(const Json& value) {
    begin();
    write(value);
}

std::string JsonWriter::finish() && {
    if (!is_empty_) new_line(0);
    text_ += '}';
    if (layout_ == Layout::kIndented) text_ += '\n';
    return std::move(text_);
}

void JsonWriter::begin() {
    if (!is_empty_) text_ += ',';
    is_empty_ = false;
    new_line(depth_);
}

void JsonWriter::begin(std::string_view key) {
    begin();
    write(key);
    text_ += layout_ == Layout::kIndented ? ": " : ":";
}

/// Writes numbers and texts as the JSON library does; bytes that are no UTF-8 are replaced.
void JsonWriter::write(const Json& scalar) {
    text_ += scalar.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void JsonWriter::new_line(std::size_t depth) {
    if (layout_ == Layout::kOneLine) return;
    text_ += '\n';
    text_.append(2 * depth, ' ');
}

}  // namespace qapfw::framework

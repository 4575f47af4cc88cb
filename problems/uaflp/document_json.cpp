// SPDX-License-Identifier: Apache-2.0
// Reads JSON into a tree with positions. The events of nlohmann's SAX parser have no positions, so the parser reads
// from an iterator that counts characters. An event comes just after its token was read, so the count is the end of
// the token.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "problems/uaflp/document_syntax.hpp"

namespace qapfw::uaflp {
namespace {

/// An iterator over characters. It reports its position to a counter that outlives all its copies.
class CountingIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, size_t* consumed) : at_(at), consumed_(consumed) {}
    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        ++at_;
        ++*consumed_;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
    bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

  private:
    const char* at_;
    size_t* consumed_;
};

/// The offsets at which lines start, to turn an offset into line and column.
class LineIndex {
  public:
    explicit LineIndex(std::string_view text) {
        starts_.push_back(0);
        for (size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '\n') starts_.push_back(i + 1);
        }
    }
    Position position(size_t offset) const {
        const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
        const auto line = static_cast<size_t>(after - starts_.begin());
        return {static_cast<unsigned>(line), static_cast<unsigned>(offset - starts_[line - 1] + 1)};
    }

  private:
    std::vector<size_t> starts_;
};

class TreeBuilder {
  public:
    using Json = nlohmann::json;

    TreeBuilder(std::string_view text, const std::string& file, const size_t* consumed)
        : text_(text), file_(file), consumed_(consumed), lines_(text) {}

    Node take() { return std::move(root_); }

    bool null() { return add(Node::Kind::kNull, start_of_word()) != nullptr; }
    bool boolean(bool value) {
        add(Node::Kind::kBoolean, start_of_word())->boolean = value;
        return true;
    }
    bool number_integer(Json::number_integer_t value) { return number(static_cast<double>(value), true); }
    bool number_unsigned(Json::number_unsigned_t value) { return number(static_cast<double>(value), true); }
    bool number_float(Json::number_float_t value, const std::string&) { return number(value, false); }
    bool string(std::string& value) {
        add(Node::Kind::kText, start_of_text())->text = value;
        return true;
    }
    bool binary(Json::binary_t&) { return false; }  // JSON text has no binary values
    bool start_object(size_t) { return open(Node::Kind::kTable); }
    bool start_array(size_t) { return open(Node::Kind::kList); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& name) {
        Node& table = *open_.back();
        const Position at = lines_.position(start_of_text());
        if (table.keys.size() == kMostKeysOfTable) {
            fail_at(file_, at, fmt::format("a table must have at most {} keys", kMostKeysOfTable));
        }
        for (size_t i = 0; i < table.keys.size(); ++i) {
            if (table.keys[i] != name) continue;
            fail_at(file_, at,
                    fmt::format("key \"{}\" is listed twice, first in line {}", name, table.key_positions[i].line));
        }
        table.keys.push_back(name);
        table.key_positions.push_back(at);
        return true;
    }

    bool parse_error(size_t, const std::string&, const Json::exception& error) {
        const size_t offset = *consumed_ == 0 ? 0 : std::min(*consumed_ - 1, text_.size());
        std::string reason = error.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
        if (const size_t end = reason.find("] "); end != std::string::npos) reason.erase(0, end + 2);
        if (reason.starts_with("parse error at line")) {
            if (const size_t end = reason.find(": "); end != std::string::npos) reason.erase(0, end + 2);
        }
        fail_at(file_, lines_.position(offset), "not JSON: " + reason);
    }

  private:
    /// The offset of the number, true, false or null that was just read. The parser knows the end of a number
    /// only from the character after it.
    size_t start_of_word() const {
        const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("+-.", c); };
        size_t at = std::min(*consumed_, text_.size());
        while (at > 0 && !part(text_[at - 1])) --at;
        while (at > 0 && text_[at - 1] != '\0' && part(text_[at - 1])) --at;
        return at;
    }

    /// The offset of the opening quote of the text whose closing quote was just read.
    size_t start_of_text() const {
        size_t at = std::min(*consumed_, text_.size());
        at = at == 0 ? 0 : at - 1;
        while (at > 0) {
            --at;
            if (text_[at] != '"') continue;
            size_t slashes = 0;
            while (slashes < at && text_[at - 1 - slashes] == '\\') ++slashes;
            if (slashes % 2 == 0) break;
        }
        return at;
    }

    bool number(double value, bool is_integer) {
        Node* node = add(Node::Kind::kNumber, start_of_word());
        node->number = value;
        node->is_integer = is_integer;
        return true;
    }

    Node* add(Node::Kind kind, size_t offset) {
        Node* node = &root_;
        if (!open_.empty()) node = &open_.back()->items.emplace_back();
        node->kind = kind;
        node->position = lines_.position(offset);
        return node;
    }

    bool open(Node::Kind kind) {
        Node* node = add(kind, *consumed_ == 0 ? 0 : *consumed_ - 1);
        if (open_.size() == kMaxDepth) fail_at(file_, node->position, "values nest too deeply");
        open_.push_back(node);  // stays valid: the parent gets no other item before this node is closed
        return true;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    std::string_view text_;
    const std::string& file_;
    const size_t* consumed_;
    LineIndex lines_;
    Node root_;
    std::vector<Node*> open_;
};

}  // namespace

Node parse_json(std::string_view text, const std::string& file) {
    if (text.size() > kMostBytes) {
        fail_at(file, {1, 1},
                fmt::format("the file must have at most {} bytes, but it has {}", kMostBytes, text.size()));
    }
    // The parser takes a zero byte for the end of the text, and would ignore what follows.
    if (const size_t zero = text.find('\0'); zero != std::string_view::npos) {
        fail_at(file, LineIndex(text).position(zero), "not JSON: found a zero byte, which JSON does not allow");
    }
    size_t consumed = 0;
    TreeBuilder builder(text, file, &consumed);
    const CountingIterator begin(text.data(), &consumed);
    const CountingIterator end(text.data() + text.size(), &consumed);
    nlohmann::json::sax_parse(begin, end, &builder);
    return builder.take();
}

}  // namespace qapfw::uaflp

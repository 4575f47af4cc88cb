// SPDX-License-Identifier: Apache-2.0
#include "instance.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "qapfw/error.hpp"

namespace linear_ordering {
namespace {

constexpr std::uint32_t kMaxSize = 5000;  // the matrix then has 100 MB

[[noreturn]] void fail(const std::string& message) {
    throw qapfw::Error(qapfw::ErrorKind::kInput, message);
}

/// Reads integers separated by white space, and counts lines for messages.
class Scanner {
  public:
    Scanner(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    std::int32_t next(const char* wanted) {
        skip_space();
        const char* begin = text_.data() + at_;
        const char* end = text_.data() + text_.size();
        std::int32_t value = 0;
        const auto [stop, error] = std::from_chars(begin, end, value);
        if (error == std::errc::result_out_of_range) refuse(wanted, "a number beyond 32 bits");
        if (error != std::errc{} || (stop != end && !is_space(*stop))) refuse(wanted, found());
        at_ = static_cast<std::size_t>(stop - text_.data());
        return value;
    }
    void expect_end() {
        skip_space();
        if (at_ < text_.size()) refuse("the end of the file", found());
    }
    [[noreturn]] void refuse(const char* wanted, const std::string& found) const {
        fail(name_ + ":" + std::to_string(line_) + ": wanted " + wanted + ", found " + found);
    }

  private:
    static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
    void skip_space() {
        for (; at_ < text_.size() && is_space(text_[at_]); ++at_) line_ += text_[at_] == '\n' ? 1u : 0u;
    }
    std::string found() const {
        if (at_ >= text_.size()) return "the end of the file";
        std::size_t end = at_;
        while (end < text_.size() && end < at_ + 20 && !is_space(text_[end])) ++end;
        return std::string("'").append(text_.substr(at_, end - at_)).append("'");
    }

    std::string_view text_;
    std::string name_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

}  // namespace

Instance parse_instance(std::string_view text, const std::string& name) {
    Scanner scanner(text, name);
    const std::int32_t n = scanner.next("the number of items");
    if (n < 1 || static_cast<std::uint32_t>(n) > kMaxSize) {
        scanner.refuse("a number of items from 1 to 5000", std::to_string(n));
    }
    Instance instance{name, static_cast<std::uint32_t>(n), {}};
    const std::size_t entries = std::size_t{instance.n} * instance.n;
    instance.matrix.reserve(entries);
    for (std::size_t k = 0; k < entries; ++k) instance.matrix.push_back(scanner.next("a matrix entry"));
    scanner.expect_end();
    return instance;
}

Instance read_instance(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path)) fail("cannot read the instance file '" + path + "'");
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    Instance instance = parse_instance(text, path);
    instance.name = std::filesystem::path(path).stem().string();
    return instance;
}

std::int64_t value_of(const Instance& instance, const std::uint16_t* order) {
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < instance.n; ++i) {
        const std::int32_t* row = instance.matrix.data() + std::size_t{order[i]} * instance.n;
        for (std::uint32_t j = i + 1; j < instance.n; ++j) sum += row[order[j]];
    }
    return sum;
}

void check_order(const std::uint16_t* order, std::uint32_t n) {
    std::vector<bool> seen(n, false);
    for (std::uint32_t k = 0; k < n; ++k) {
        if (order[k] >= n || seen[order[k]]) {
            fail("position " + std::to_string(k + 1) + " of the order holds item " + std::to_string(order[k] + 1) +
                 (order[k] >= n ? ", which does not exist" : " a second time"));
        }
        seen[order[k]] = true;
    }
}

}  // namespace linear_ordering

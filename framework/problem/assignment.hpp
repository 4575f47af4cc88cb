// SPDX-License-Identifier: Apache-2.0
// An assignment in a form that people can read: which facility goes to which location, by name or by number.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace qapfw::framework {

/// A name that is usually missing. There may be millions of AssignedPair objects, so a missing name takes no more
/// memory than a pointer.
class OptionalName {
  public:
    OptionalName() = default;
    OptionalName(std::string text) {
        if (!text.empty()) text_ = std::make_unique<std::string>(std::move(text));
    }
    OptionalName(const OptionalName& other) : OptionalName(other.text()) {}
    OptionalName(OptionalName&&) noexcept = default;
    OptionalName& operator=(OptionalName other) noexcept {
        text_ = std::move(other.text_);
        return *this;
    }
    ~OptionalName() = default;

    bool empty() const { return text_ == nullptr; }
    const std::string& text() const;  ///< the name; empty if it is missing

  private:
    std::unique_ptr<std::string> text_;
};

/// A facility and its location. Numbers count from 0. The name of a nameless facility or location is empty.
struct AssignedPair {
    std::uint32_t facility = 0, location = 0;
    OptionalName facility_name, location_name;

    std::string facility_text() const;  ///< the facility's name; without a name, its number counted from 1
    std::string location_text() const;  ///< the location's name; without a name, its number counted from 1
};

/// The text of a file for spreadsheets: a header, then a line for each pair. Its two columns hold names, or numbers
/// counted from 1.
std::string assignment_csv(const std::vector<AssignedPair>& pairs);

/// The lines of assignment_csv, without the header.
std::string assignment_lines(const std::vector<AssignedPair>& pairs);

}  // namespace qapfw::framework

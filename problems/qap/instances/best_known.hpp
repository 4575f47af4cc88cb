// SPDX-License-Identifier: Apache-2.0
// Best-known values of named instances, each with its status, source and date. A user's CSV file adds values and
// overrides built-in ones. Used for target = "best-known" and for gaps.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace qapfw::qap {

/// A best-known value as an integer cost of an instance, scaled as the instance's costs are.
struct BestKnown {
    int64_t value = 0;
    bool optimal = false;  ///< true if the value is proven optimal
    std::string source;    ///< who found or published the value
    std::string date;      ///< date on which the value was looked up, or empty
};

/// A row of the table. `value` is the text of a number, whole or decimal, in the units of the unscaled instance.
struct BestKnownRecord {
    uint32_t n = 0;
    std::string value;
    bool optimal = false;
    std::string source;
    std::string date;
    uint64_t fingerprint = 0;  ///< fingerprint of the instance's data; 0: unknown
    bool built_in = false;     ///< not from a file that the user names
};

/// The built-in values and the values of users' files, by name of the instance.
class BestKnownTable {
  public:
    /// The values that come with the program.
    static BestKnownTable built_in();

    /// Adds or overrides rows "instance,n,best_known,status[,source[,date]]". The status is "optimal", perhaps with
    /// further words, or "best_known". A first row that begins with "instance" is a header; blank lines and lines
    /// beginning with # are skipped. The default source is the file's name. Every error is reported with line and
    /// column.
    void add_text(std::string_view text, const std::string& source);
    void add_file(const std::filesystem::path& path);
    /// Adds the values of the instances `names` from best_known.csv in their `folder`, if that file begins with the
    /// header "instance,n,best_known,status". A value that the table already has is not replaced. Rows of other
    /// instances are not checked.
    void add_beside(const std::filesystem::path& folder, const std::set<std::string>& names);
    void add(const std::string& name, BestKnownRecord record) { records_[name] = std::move(record); }
    void remove(const std::string& name) { records_.erase(name); }

    /// The record of the instance with this name and size; null if there is none.
    const BestKnownRecord* find(const std::string& name, uint32_t n) const;

    /// The best-known value as an integer cost: the listed value times `cost_scale`. Nothing if there is no record.
    /// Throws Error(kInput) if the scaled value is no 64-bit integer.
    std::optional<BestKnown> lookup(const std::string& name, uint32_t n, int64_t cost_scale) const;

    const std::map<std::string, BestKnownRecord>& records() const { return records_; }

  private:
    std::map<std::string, BestKnownRecord> records_;
};

}  // namespace qapfw::qap

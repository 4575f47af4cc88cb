// SPDX-License-Identifier: Apache-2.0
// The little of SQLite's C interface that the index needs, with its resources owned and its failures thrown. Databases
// are in memory: SQLite opens no file, so none can hang it, be locked by others or lead elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace qapfw::framework::laboratory {

class Database {
  public:
    /// An empty one. Throws Error(kIo).
    Database();
    /// A copy of what a file holds, which anybody may have written: it can neither run code nor change the schema by
    /// itself. Throws Error(kIo).
    explicit Database(std::string_view file);
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    ~Database();
    void run(const char* sql);
    /// Every table, index, view and trigger with its text.
    std::string schema() const;
    /// Defect of its pages, or empty.
    std::string defect() const;
    /// True if rows were added, changed or removed since it was made.
    bool has_changed() const;
    /// The bytes of a file with this content.
    std::string file() const;
    sqlite3* handle() const { return handle_; }
    [[noreturn]] void fail() const;

  private:
    sqlite3* handle_ = nullptr;
};

/// A prepared statement. Places and columns count from 1 and 0, as in SQLite.
class Statement {
  public:
    Statement(const Database& database, const char* sql);
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    ~Statement();

    Statement& bind(int place, std::int64_t value);
    Statement& bind(int place, double value);
    Statement& bind(int place, std::string_view value);
    Statement& bind(int place, const std::optional<double>& value);

    /// True if there is a row.
    bool step();
    /// Runs a statement without rows and makes it ready for the next values.
    void execute();
    void reset();

    std::int64_t integer(int column) const;
    double real(int column) const;
    std::optional<double> optional_real(int column) const;
    std::string text(int column) const;

  private:
    const Database& database_;
    sqlite3_stmt* statement_ = nullptr;
};

}  // namespace qapfw::framework::laboratory

// SPDX-License-Identifier: Apache-2.0
// The part of SQLite's C interface that the index needs, with owners for its resources and exceptions for its errors.
// Databases are in memory. SQLite opens no file, so it cannot hang on a file, lock it, or follow a link.
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
    /// Makes an empty database. Throws Error(kIo).
    Database();
    /// Copies the content of a database file, which anybody may have written. Triggers and views are off, so SQL in the
    /// file cannot run. Throws Error(kIo, kMemory).
    explicit Database(std::string_view file);
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    ~Database();
    void run(const char* sql);
    /// The SQL of every table, index, view and trigger.
    std::string schema() const;
    /// Damage found in the database's pages; empty: none.
    std::string defect() const;
    /// True if rows were added, changed or removed since the database was opened.
    bool has_changed() const;
    /// The database as the bytes of a file.
    std::string file() const;
    sqlite3* handle() const { return handle_; }
    /// Throws Error(kIo) with SQLite's last message.
    [[noreturn]] void fail() const;

  private:
    sqlite3* handle_ = nullptr;
};

/// A prepared statement. Parameters count from 1 and columns from 0, as in SQLite.
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

    /// Goes to the next row. Returns false if there is none.
    bool step();
    /// Runs a statement that returns no rows, and resets it. Then new values can be bound.
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

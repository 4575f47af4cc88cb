// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/sqlite.hpp"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <memory>

#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

// Largest size of a database in bytes. SQLite's default for databases in memory is 1 GiB.
constexpr sqlite3_int64 kMostMemory = sqlite3_int64{1} << 40;

struct FreeMemory {
    void operator()(void* memory) const { sqlite3_free(memory); }
};

}  // namespace

Database::Database() {
    if (sqlite3_open_v2(":memory:", &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) != SQLITE_OK) {
        const std::string reason = handle_ != nullptr ? sqlite3_errmsg(handle_) : "out of memory";
        sqlite3_close(handle_);
        throw Error(ErrorKind::kIo, reason);
    }
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
}

Database::Database(std::string_view file) : Database() {
    if (file.empty()) return;
    auto* const copy = static_cast<unsigned char*>(sqlite3_malloc64(file.size()));
    if (copy == nullptr) throw Error(ErrorKind::kMemory, "no memory for the study's index");
    std::copy(file.begin(), file.end(), copy);
    const auto size = static_cast<sqlite3_int64>(file.size());
    constexpr unsigned kOwned = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE;
    if (sqlite3_deserialize(handle_, "main", copy, size, size, kOwned) != SQLITE_OK) fail();
    sqlite3_int64 limit = kMostMemory;
    sqlite3_file_control(handle_, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit);
}

Database::~Database() {
    sqlite3_close(handle_);
}

void Database::fail() const {
    throw Error(ErrorKind::kIo, sqlite3_errmsg(handle_));
}

std::string Database::schema() const {
    std::string text;
    Statement rows(*this, "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name");
    while (rows.step()) {
        for (int column = 0; column < 4; ++column) text += rows.text(column) + "\n";
    }
    return text;
}

std::string Database::defect() const {
    Statement check(*this, "PRAGMA quick_check(1)");
    const std::string found = check.step() ? check.text(0) : "no answer";
    return found == "ok" ? std::string() : found;
}

bool Database::has_changed() const {
    return sqlite3_total_changes(handle_) > 0;
}

std::string Database::file() const {
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, FreeMemory> bytes(sqlite3_serialize(handle_, "main", &size, 0));
    if (bytes == nullptr) throw Error(ErrorKind::kMemory, "no memory for the study's index");
    return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

void Database::run(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

Statement::Statement(const Database& database, const char* sql) : database_(database) {
    if (sqlite3_prepare_v2(database.handle(), sql, -1, &statement_, nullptr) != SQLITE_OK) database.fail();
}

Statement::~Statement() {
    sqlite3_finalize(statement_);
}

Statement& Statement::bind(int place, std::int64_t value) {
    if (sqlite3_bind_int64(statement_, place, value) != SQLITE_OK) database_.fail();
    return *this;
}

Statement& Statement::bind(int place, double value) {
    if (sqlite3_bind_double(statement_, place, value) != SQLITE_OK) database_.fail();
    return *this;
}

Statement& Statement::bind(int place, std::string_view value) {
    const auto size = static_cast<int>(value.size());
    if (sqlite3_bind_text(statement_, place, value.data(), size, SQLITE_TRANSIENT) != SQLITE_OK) database_.fail();
    return *this;
}

Statement& Statement::bind(int place, const std::optional<double>& value) {
    if (value) return bind(place, *value);
    if (sqlite3_bind_null(statement_, place) != SQLITE_OK) database_.fail();
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail();
    return code == SQLITE_ROW;
}

void Statement::execute() {
    step();
    reset();
}

void Statement::reset() {
    sqlite3_reset(statement_);
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_, column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(statement_, column);
}

std::optional<double> Statement::optional_real(int column) const {
    if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
    return real(column);
}

std::string Statement::text(int column) const {
    const auto* found = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return found == nullptr ? std::string() : std::string(found);
}

}  // namespace qapfw::framework::laboratory

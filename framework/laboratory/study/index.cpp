// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/index.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "framework/host/log.hpp"
#include "framework/laboratory/study/sqlite.hpp"
#include "framework/record/folder.hpp"
#include "framework/record/json_parts.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kIndexVersion = 2;
constexpr std::size_t kMostBytes = std::size_t{1} << 32;  // bytes; a larger index is made again
constexpr const char* kSchema = R"(
CREATE TABLE IF NOT EXISTS run (
    run TEXT PRIMARY KEY, cell TEXT, instance TEXT, class TEXT, algorithm TEXT, variant TEXT, seed INTEGER,
    cost REAL, gap REAL, best_known REAL, target REAL, sense INTEGER, hit INTEGER, seconds REAL, wall_seconds REAL,
    seconds_to_best REAL, iterations REAL, iterations_to_best REAL, evaluations REAL, stop_reason TEXT, backend TEXT,
    devices TEXT, threads INTEGER, n INTEGER, resumes INTEGER, version TEXT, folder TEXT, statistics TEXT,
    trace TEXT, stamp TEXT, fingerprint TEXT, build TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS factor (cell TEXT, key TEXT, label TEXT, value TEXT, PRIMARY KEY (cell, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS improvement (run TEXT, seconds REAL, evaluations REAL, cost REAL);
CREATE INDEX IF NOT EXISTS improvement_run ON improvement (run);
)";

/// Text that changes whenever the file is replaced; empty: there is no file.
std::string stamp_of(const fs::path& file) {
    struct stat info {};
    if (stat(file.c_str(), &info) != 0) return {};
    return fmt::format("{} {} {}.{}", info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

void make_tables(Database& database) {
    database.run(kSchema);
    database.run(fmt::format("PRAGMA user_version = {}", kIndexVersion).c_str());
}

/// Throws Error(kIo) if a file's content is not an index of this program. The file may be damaged, of another version,
/// or forged so that its reader hangs.
void check_tables(const Database& database) {
    std::int64_t version = 0;
    {
        Statement statement(database, "PRAGMA user_version");
        if (statement.step()) version = statement.integer(0);
    }
    if (version != kIndexVersion)
        throw Error(ErrorKind::kIo, fmt::format("an index of version {} is wanted, found {}", kIndexVersion, version));
    Database own;
    make_tables(own);
    if (database.schema() != own.schema())
        throw Error(ErrorKind::kIo, "the file's tables differ from the tables of a study's index");
    if (const std::string defect = database.defect(); !defect.empty()) throw Error(ErrorKind::kIo, defect);
}

class Indexer {
  public:
    Indexer(Database& database, const StudyFolder& folder)
        : folder_(folder),
          stamps_(database, "SELECT run, stamp FROM run"),
          put_run_(
              database,
              "INSERT OR REPLACE INTO run VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
          put_factor_(database,
                      "INSERT INTO factor VALUES (?,?,?,?) ON CONFLICT DO UPDATE SET label = excluded.label, "
                      "value = excluded.value WHERE label <> excluded.label OR value <> excluded.value"),
          put_point_(database, "INSERT INTO improvement VALUES (?,?,?,?)"),
          drop_points_(database, "DELETE FROM improvement WHERE run = ?"),
          drop_run_(database, "DELETE FROM run WHERE run = ?"),
          get_run_(database,
                   "SELECT cost, gap, best_known, target, sense, hit, seconds, wall_seconds, seconds_to_best, "
                   "iterations, iterations_to_best, "
                   "evaluations, stop_reason, backend, devices, threads, n, resumes, version, folder, statistics, "
                   "trace, fingerprint, build FROM run WHERE run = ?") {
        while (stamps_.step()) known_[stamps_.text(0)] = stamps_.text(1);
    }

    IndexedStudy index(const Plan& plan) {
        IndexedStudy study;
        for (const Cell& cell : plan.cells) put_factors(cell);
        for (const Cell& cell : plan.cells) {
            for (std::uint32_t k = 0; k < plan.study.seeds; ++k) add({&cell, cell.first_seed + k}, study);
        }
        return study;
    }

  private:
    void put_factors(const Cell& cell) {
        for (const Factor& factor : cell.factors) {
            put_factor_.bind(1, cell.id).bind(2, factor.key).bind(3, factor.label).bind(4, factor.value);
            put_factor_.execute();
        }
    }

    void add(const RunKey& run, IndexedStudy& study) {
        const std::string name = run.name();
        const std::string stamp = stamp_of(folder_.record(run) / "result.json");
        const auto known = known_.find(name);
        if (!stamp.empty() && known != known_.end() && known->second == stamp) {
            study.rows.push_back(read(run, name));
            return;
        }
        const RunStatus status = status_of(folder_, run);
        if (status.state != StudyState::kDone) {
            study.open.push_back({run, status.state, status.reason});
            if (known != known_.end()) forget(name);
            return;
        }
        ++study.read;
        study.rows.push_back(put(run, name, stamp, *status.result));
    }

    void forget(const std::string& name) {
        drop_points_.bind(1, name).execute();
        drop_run_.bind(1, name).execute();
    }

    RunRow put(const RunKey& run, const std::string& name, const std::string& stamp, const RunResult& result);
    RunRow read(const RunKey& run, const std::string& name);

    static void name_row(const RunKey& run, RunRow& row) {
        row.run = run.name();
        row.variant = run.cell->variant();
        row.algorithm = run.cell->algorithm;
        row.instance = run.cell->instance;
        row.group = run.cell->group;
        row.seed = run.seed;
    }

    std::string folder_name(const RunKey& run) const {
        return folder_.record(run).lexically_relative(folder_.path()).string();
    }

    const StudyFolder& folder_;
    Statement stamps_, put_run_, put_factor_, put_point_, drop_points_, drop_run_, get_run_;
    std::unordered_map<std::string, std::string> known_;
};

/// Returns the trace as a JSON list, as the index stores it in the row of a run: [seconds, evaluations, cost] for each
/// point.
std::string trace_text(const std::vector<TracePoint>& trace) {
    Json list = Json::array();
    for (const TracePoint& point : trace) list.push_back({point.seconds, point.evaluations, point.cost});
    return list.dump();
}

std::vector<TracePoint> read_trace_text(const std::string& text) {
    std::vector<TracePoint> trace;
    for (const ParsedJson& point : ParsedJson::parse(text)) trace.push_back({point.at(0), point.at(1), point.at(2)});
    return trace;
}

RunRow Indexer::put(const RunKey& run, const std::string& name, const std::string& stamp, const RunResult& result) {
    const fs::path record = folder_.record(run);
    const std::string version = version_in(read_file(record / "result.json"));
    RunRow row = row_of(result, version);
    name_row(run, row);
    std::error_code error;
    if (fs::is_regular_file(record / "trace.jsonl", error)) row.trace = parse_trace(read_file(record / "trace.jsonl"));
    row.folder = folder_name(run);
    put_run_.bind(1, name)
        .bind(2, run.cell->id)
        .bind(3, row.instance)
        .bind(4, row.group)
        .bind(5, row.algorithm)
        .bind(6, row.variant);
    put_run_.bind(7, static_cast<std::int64_t>(row.seed))
        .bind(8, row.cost)
        .bind(9, row.gap)
        .bind(10, row.best_known)
        .bind(11, row.target);
    put_run_.bind(12, std::int64_t{row.sense})
        .bind(13, std::int64_t{row.hit})
        .bind(14, row.seconds)
        .bind(15, row.wall_seconds);
    put_run_.bind(16, row.seconds_to_best)
        .bind(17, row.iterations)
        .bind(18, row.iterations_to_best)
        .bind(19, row.evaluations);
    put_run_.bind(20, row.stop_reason).bind(21, row.backend).bind(22, row.devices).bind(23, std::int64_t{row.threads});
    put_run_.bind(24, std::int64_t{row.n})
        .bind(25, std::int64_t{row.resumes})
        .bind(26, row.version)
        .bind(27, row.folder);
    put_run_.bind(28, Json(row.statistics).dump()).bind(29, trace_text(row.trace)).bind(30, stamp);
    put_run_.bind(31, hex_text(row.fingerprint)).bind(32, row.build);
    put_run_.execute();
    if (known_.count(name) > 0) drop_points_.bind(1, name).execute();
    for (const TracePoint& point : row.trace) {
        put_point_.bind(1, name).bind(2, point.seconds).bind(3, point.evaluations).bind(4, point.cost);
        put_point_.execute();
    }
    return row;
}

RunRow Indexer::read(const RunKey& run, const std::string& name) {
    RunRow row;
    name_row(run, row);
    get_run_.bind(1, name);
    if (!get_run_.step()) throw Error(ErrorKind::kIo, name + ": not in the index");
    row.cost = get_run_.optional_real(0);
    row.gap = get_run_.optional_real(1);
    row.best_known = get_run_.optional_real(2);
    row.target = get_run_.optional_real(3);
    row.sense = static_cast<int>(get_run_.integer(4));
    row.hit = get_run_.integer(5) != 0;
    row.seconds = get_run_.optional_real(6);
    row.wall_seconds = get_run_.real(7);
    row.seconds_to_best = get_run_.real(8);
    row.iterations = get_run_.real(9);
    row.iterations_to_best = get_run_.real(10);
    row.evaluations = get_run_.real(11);
    row.stop_reason = get_run_.text(12);
    row.backend = get_run_.text(13);
    row.devices = get_run_.text(14);
    row.threads = static_cast<std::uint32_t>(get_run_.integer(15));
    row.n = static_cast<std::uint32_t>(get_run_.integer(16));
    row.resumes = static_cast<std::uint32_t>(get_run_.integer(17));
    row.version = get_run_.text(18);
    row.folder = folder_name(run);
    row.statistics = ParsedJson::parse(get_run_.text(20)).get<std::map<std::string, double>>();
    row.trace = read_trace_text(get_run_.text(21));
    row.fingerprint = parse_hex(get_run_.text(22));
    row.build = get_run_.text(23);
    get_run_.reset();
    return row;
}

IndexedStudy update(Database& database, const Plan& plan, const StudyFolder& folder) {
    database.run("BEGIN IMMEDIATE");
    IndexedStudy study = Indexer(database, folder).index(plan);
    database.run("COMMIT");
    return study;
}

/// Stores the index as a file. If the study's folder cannot be written, the index stays in memory only.
void keep(const Database& database, const StudyFolder& folder) {
    try {
        write_atomically(folder.index(), database.file(), Durability::kProcess);
    } catch (const Error& error) {
        log_info("{}; the study's index is kept in memory only", error.what());
    }
}

/// Reads the index's file and updates it. Throws Error or another exception if the file cannot be used.
IndexedStudy update_file(const Plan& plan, const StudyFolder& folder) {
    Database database(Folder(folder.path()).read_own(folder.index().filename().string(), kMostBytes));
    check_tables(database);
    IndexedStudy study = update(database, plan, folder);
    if (database.has_changed()) keep(database, folder);
    return study;
}

}  // namespace

IndexedStudy index_study(const Plan& plan, const StudyFolder& folder) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(folder.index(), error))) {
        try {
            return update_file(plan, folder);
        } catch (const std::exception& defect) {
            const std::string name = folder.index().string(), text = defect.what();
            log_warning("{}; the index is made again", text.starts_with(name) ? text : name + ": " + text);
        }
    }
    Database database;
    make_tables(database);
    IndexedStudy study = update(database, plan, folder);
    keep(database, folder);
    return study;
}

}  // namespace qapfw::framework::laboratory

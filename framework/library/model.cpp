// SPDX-License-Identifier: Apache-2.0
#include "framework/library/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "framework/config/toml_reader.hpp"
#include "framework/library/run_of_model.hpp"
#include "framework/problem/problem.hpp"
#include "framework/problem/problem_recognition.hpp"
#include "framework/record/recorded_data_paths.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Largest number of rows. A larger matrix is refused before it is copied, since the plugin would refuse it.
constexpr std::uint64_t kMostRows = 16384;

bool is_given(const qapfw_matrix& matrix) {
    return matrix.data != nullptr;
}

void require_shape(const qapfw_matrix& matrix, std::uint64_t rows, std::uint64_t columns, const char* what) {
    if (matrix.rows == rows && matrix.columns == columns) return;
    throw Error(ErrorKind::kInput,
                fmt::format("{} is {} x {}; {} x {} was wanted", what, matrix.rows, matrix.columns, rows, columns));
}

void require_square(const qapfw_matrix& matrix, const char* what) {
    if (!is_given(matrix)) throw Error(ErrorKind::kUsage, fmt::format("{} has no data", what));
    if (matrix.rows != matrix.columns) {
        throw Error(ErrorKind::kInput,
                    fmt::format("{} is {} x {}; a square matrix was wanted", what, matrix.rows, matrix.columns));
    }
    if (matrix.rows == 0) throw Error(ErrorKind::kInput, fmt::format("{} is empty", what));
    if (matrix.rows > kMostRows) {
        throw Error(ErrorKind::kInput, fmt::format("{} is {} x {}; at most {} x {} is possible", what, matrix.rows,
                                                   matrix.columns, kMostRows, kMostRows));
    }
}

/// True if any facility is fixed. Throws for a location that does not exist or that two facilities have.
bool check_fixed(const std::int64_t* fixed, std::uint64_t n, std::uint64_t m) {
    std::vector<bool> taken(m, false);
    bool any = false;
    for (std::uint64_t i = 0; i < n; ++i) {
        if (fixed[i] == -1) continue;
        if (fixed[i] < 0 || static_cast<std::uint64_t>(fixed[i]) >= m) {
            throw Error(ErrorKind::kInput,
                        fmt::format("fixed[{}] is {}; a location from 0 to {} was wanted, or -1 for a free facility", i,
                                    fixed[i], m - 1));
        }
        const auto location = static_cast<std::size_t>(fixed[i]);
        if (taken[location]) {
            throw Error(ErrorKind::kInput,
                        fmt::format("fixed[{}] is {}, the location of an earlier facility; each facility needs its own",
                                    i, fixed[i]));
        }
        taken[location] = any = true;
    }
    return any;
}

}  // namespace

Options read_options(const char* const* texts, std::uint32_t count) {
    Options options;
    if (count > 0 && texts == nullptr) throw Error(ErrorKind::kUsage, "options is a null pointer");
    for (std::uint32_t k = 0; k < count; ++k) {
        const char *key = texts[2 * k], *value = texts[2 * k + 1];
        if (key == nullptr || value == nullptr) {
            throw Error(ErrorKind::kUsage,
                        fmt::format("option {} has a null pointer; a key and a value were wanted", k));
        }
        options.emplace_back(key, value);
    }
    return options;
}

LibraryModel::LibraryModel(std::shared_ptr<LibrarySession> session, const qapfw_qap& qap)
    : session_(std::move(session)), data_paths_(session_->data_paths()) {
    const LibrarySession::Visit visit(*session_);
    require_square(qap.flow, "flow");
    require_square(qap.distance, "distance");
    const std::uint64_t n = qap.flow.rows, m = qap.distance.rows;
    if (n > m) {
        throw Error(ErrorKind::kInput,
                    fmt::format("flow is {} x {} and distance {} x {}; at least as many locations as "
                                "facilities are wanted",
                                n, n, m, m));
    }
    arrays_.add("flow", qap.flow, "flow");
    arrays_.add("distance", qap.distance, "distance");
    for (const auto& [name, matrix] : {std::pair("linear", &qap.linear), std::pair("forbidden", &qap.forbidden)}) {
        if (!is_given(*matrix)) continue;
        require_shape(*matrix, n, m, name);
        arrays_.add(name, *matrix, name);
    }
    if (qap.facility_names != nullptr) arrays_.add_texts("facility_names", qap.facility_names, n, "facility_names");
    if (qap.location_names != nullptr) arrays_.add_texts("location_names", qap.location_names, m, "location_names");
    options_ = {{"problem.plugin", "qap"},
                {"problem.instance", toml_quoted(fmt::format("memory:{}", qap.name == nullptr ? "memory" : qap.name))}};
    if (qap.maximize != 0) options_.emplace_back("problem.maximize", "true");
    if (qap.fixed != nullptr && check_fixed(qap.fixed, n, m)) {
        arrays_.add("fixed", {qap.fixed, QAPFW_TYPE_INT64, 0, n, 1, sizeof *qap.fixed, 0}, "fixed");
    }
    facilities_ = n;
    locations_ = m;
}

LibraryModel::LibraryModel(std::shared_ptr<LibrarySession> session, const qapfw_graph& graph)
    : session_(std::move(session)), data_paths_(session_->data_paths()) {
    const LibrarySession::Visit visit(*session_);
    const std::uint64_t n = graph.vertices;
    if (n == 0) throw Error(ErrorKind::kInput, "the graph has no vertices");
    if (graph.offsets == nullptr) throw Error(ErrorKind::kUsage, "offsets is a null pointer");
    if (graph.distance == nullptr) throw Error(ErrorKind::kUsage, "distance is a null pointer");
    const std::int64_t entries = graph.offsets[n];
    if (entries < 0)
        throw Error(ErrorKind::kInput, fmt::format("offsets[{}] is {}; a number of at least 0 was wanted", n, entries));
    const auto add = [this](const char* name, const std::int64_t* first, std::uint64_t count) {
        arrays_.add(name, {first, QAPFW_TYPE_INT64, 0, count, 1, sizeof *first, 0}, name);
    };
    add("offsets", graph.offsets, n + 1);
    if (entries > 0 && graph.columns == nullptr) throw Error(ErrorKind::kUsage, "columns is a null pointer");
    if (entries > 0) add("columns", graph.columns, static_cast<std::uint64_t>(entries));
    if (entries > 0 && graph.weights != nullptr) add("weights", graph.weights, static_cast<std::uint64_t>(entries));
    if (graph.vertex_names != nullptr) arrays_.add_texts("vertex_names", graph.vertex_names, n, "vertex_names");
    const std::string name = graph.name == nullptr ? "memory" : graph.name;
    options_ = {{"problem.plugin", "sparse_qap"},
                {"problem.instance", toml_quoted("memory:" + name)},
                {"problem.distance", toml_quoted(graph.distance)}};
    read_sizes();
    facilities_ = n;
}

LibraryModel::LibraryModel(std::shared_ptr<LibrarySession> session, const std::string& instance, Options options)
    : session_(std::move(session)), data_paths_(session_->data_paths()), options_(std::move(options)) {
    const LibrarySession::Visit visit(*session_);
    if (instance.empty()) throw Error(ErrorKind::kUsage, "instance is empty; a file or a name was wanted");
    options_.insert(options_.begin(), {"problem.instance", toml_quoted(instance)});
    const bool named =
        std::ranges::any_of(options_, [](const auto& option) { return option.first == "problem.plugin"; });
    if (!named) {
        std::vector<std::string> keys;
        for (const auto& [key, value] : options_) {
            const std::string begin = "problem.";
            const std::string own = key.starts_with(begin) ? key.substr(begin.size()) : std::string();
            if (!own.empty() && own != "instance" && own != "initial") keys.push_back(own);
        }
        const RecognisedInstance found =
            recognise_instance(instance, *session_->registry(), session_->data_paths(), keys);
        options_.insert(options_.begin(), {"problem.plugin", found.problem});
        for (const auto& [key, value] : found.parameters) {
            const std::string full = "problem." + key;
            const bool given = std::ranges::any_of(options_, [&](const auto& option) { return option.first == full; });
            if (!given) options_.emplace_back(full, toml_quoted(value));
        }
    }
    read_sizes();
}

LibraryModel::LibraryModel(std::shared_ptr<LibrarySession> session, ConfigText text, Options options,
                           std::filesystem::path record)
    : session_(std::move(session)),
      data_paths_(session_->data_paths()),
      text_(std::move(text)),
      record_(std::move(record)),
      is_configuration_(true),
      options_(std::move(options)) {
    const LibrarySession::Visit visit(*session_);
    if (!record_.empty()) {
        for (const std::string& path : recorded_data_paths(record_)) {
            if (std::find(data_paths_.begin(), data_paths_.end(), path) == data_paths_.end()) {
                data_paths_.emplace_back(path);
            }
        }
    }
    read_sizes();
}

/// Creates the problem once to read its sizes. The creation also finds errors in the instance.
void LibraryModel::read_sizes() {
    Config config = configuration_of(*this, {});
    Host host(1, data_paths_);
    host.set_arrays(&arrays_);
    const Problem problem(host, config.problem);
    facilities_ = locations_ = problem.info().n;
}

}  // namespace qapfw::framework

// SPDX-License-Identifier: Apache-2.0
// Finds, reads and completes instances, see instance.hpp.
#include "problems/qap/instances/instance.hpp"
#include "common/nearest_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "problems/qap/instances/csv_reader.hpp"
#include "problems/qap/instances/fingerprint.hpp"
#include "problems/qap/instances/generators.hpp"
#include "problems/qap/instances/pair_list.hpp"
#include "problems/qap/instances/qaplib_reader.hpp"
#include "problems/qap/instances/sparse_text.hpp"
#include "problems/qap/instances/table_text.hpp"
#include "problems/qap/instances/text_scanner.hpp"
#include "problems/qap/reductions/board.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/find_file.hpp"

namespace qapfw::qap {

namespace fs = std::filesystem;

namespace {

constexpr const char* kGenerated = "generated";

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// Finds an instance's file in a folder. The file's name is `name`, followed by one of `places.extensions`. Returns
/// nothing if there is no such file. `has_all_kinds`: the folder may hold files of any kind. Then a file counts only if
/// its extension is in `places.extensions` and is not empty.
std::optional<fs::path> file_in(const fs::path& folder, const std::string& name, const FilePlaces& places,
                                bool has_all_kinds) {
    for (const std::string& extension : places.extensions) {
        const fs::path candidate = folder / (name + extension);
        const auto end = std::find(places.extensions.begin(), places.extensions.end(), candidate.extension());
        if (has_all_kinds && (end == places.extensions.end() || end->empty())) continue;
        if (is_file(candidate)) return candidate;
    }
    return std::nullopt;
}

bool is_table(const fs::path& path, const std::string& text) {
    const std::string extension = text_extension(path);
    if (extension == ".csv" || extension == ".tsv" || extension == ".tab") return true;
    return extension != ".dat" && is_table_text(text);
}

/// Reads QAPLIB text. If the text is a graph or a sparse matrix, it has no distances, and the error says that. An error
/// about the number of entries would mislead.
ReadMatrices read_plain_text(const std::string& text, const std::string& source) {
    try {
        return read_qaplib_text(text, source);
    } catch (const Error& error) {
        const std::string what = sparse_text_description(text);
        if (what.empty()) throw;
        throw Error(error.kind(),
                    fmt::format("{0}: this is {1}, which holds only flows; the distances are missing. Give a second "
                                "file: qapfw solve {0} DISTANCES; or a formula: --distance torus:8x8",
                                source, what));
    }
}

ReadMatrices read_file(const fs::path& path, const InstanceSearch& search) {
    const std::string text = read_text_file(path);
    const NamedText named{text, path.string()};
    if (!search.matrix_b.empty()) {
        std::error_code ignored;
        if (fs::equivalent(path, search.matrix_b, ignored)) {
            throw Error(ErrorKind::kInput, fmt::format("{}: both matrices come from the same file; give flows and "
                                                       "distances as two files, or leave out the file of matrix B if "
                                                       "this file holds both",
                                                       path.string()));
        }
        if (text_extension(path) == ".dat") {
            throw Error(ErrorKind::kUsage, fmt::format("{} is QAPLIB text and holds both matrices; leave out the file "
                                                       "of matrix B, or give matrix A as a CSV file",
                                                       path.string()));
        }
        const std::string b = read_text_file(search.matrix_b);
        return read_csv_pair(named, {b, search.matrix_b.string()}, search.metric);
    }
    if (search.metric != Metric::kAuto) {
        throw Error(ErrorKind::kUsage, "problem.metric needs problem.matrix_b, a list of points: name,x,y");
    }
    return is_table(path, text) ? read_csv_stacked(named) : read_plain_text(text, path.string());
}

/// A generated instance in the form that a reader would have returned for its file.
std::optional<ReadMatrices> generate(const std::string& name, const InstanceSearch& search) {
    const std::optional<QapMatrices> made = generate_instance(name);
    if (!made) return std::nullopt;
    if (!search.matrix_b.empty()) {
        throw Error(
            ErrorKind::kUsage,
            fmt::format(
                "{} names a generated instance, which has both matrices; leave out the file of matrix B, or give a CSV "
                "file of matrix A instead of this name",
                name));
    }
    return ReadMatrices{{made->n, made->n, made->a}, {made->n, made->n, made->b}};
}

/// True if the model has linear costs, forbidden pairs or a constant, or if its cost is maximised.
bool is_general(const InstanceSearch& search) {
    return !search.linear.empty() || !search.forbidden.empty() || search.maximize || search.constant != 0;
}

NumberMatrix read_linear(const fs::path& path, const ReadMatrices& read) {
    const std::string text = read_text_file(path);
    return read_csv_rectangle({text, path.string()}, read.facility_names, read.location_names, read.a.rows(),
                              read.b.rows(), MatrixId::kLinear);
}

/// True if a text of numbers is a table of 0 and 1, not a list of pairs. With two locations, a table and a list both
/// have two columns. Only a 0 then shows that the text is a table, since numbers in pairs start at 1.
bool is_zeros_and_ones(const TableText& table, uint32_t facilities, uint32_t locations) {
    bool has_zero = false;
    for (std::size_t k = 0; k < table.row_count(); ++k) {
        const auto& row = table.cells(k);
        const auto fits = [](const Cell& cell) { return cell.text == "0" || cell.text == "1"; };
        if (row.size() != locations || !std::ranges::all_of(row, fits)) return false;
        has_zero = has_zero || std::ranges::any_of(row, [](const Cell& cell) { return cell.text == "0"; });
    }
    return table.row_count() == facilities && (locations != 2 || has_zero);
}

/// True if the text lists pairs: it has words or arrows, or its rows have two numbers and are not a table of 0 and 1.
bool lists_pairs(const NamedText& named, uint32_t facilities, uint32_t locations) {
    if (holds_pairs(named.text)) return true;
    const TableText table(named);
    return table.cells(0).size() == 2 && !is_zeros_and_ones(table, facilities, locations) &&
           std::ranges::all_of(table.cells(0), [&](const Cell& cell) { return table.is_number(cell); });
}

/// Reads forbidden pairs, by name or number, or as a table of 0 and 1. Returns facilities x locations flags.
std::vector<uint8_t> read_forbidden(const fs::path& path, const ReadMatrices& read) {
    const uint32_t facilities = read.a.rows(), locations = read.b.rows();
    const std::string text = read_text_file(path);
    const NamedText named{text, path.string()};
    std::vector<uint8_t> out(std::size_t{facilities} * locations, 0);
    if (!lists_pairs(named, facilities, locations)) {
        const NumberMatrix table = read_csv_rectangle(named, read.facility_names, read.location_names, facilities,
                                                      locations, MatrixId::kForbidden);
        std::transform(table.values().begin(), table.values().end(), out.begin(),
                       [](double value) { return static_cast<uint8_t>(value != 0 ? 1 : 0); });
        return out;
    }
    for (const NamedPair& pair :
         read_pairs(text, named.source, {facilities, locations, &read.facility_names, &read.location_names})) {
        out[std::size_t{pair.facility} * locations + pair.location] = 1;
    }
    return out;
}

/// True if the last row is the sum of the other rows, as a row of totals is. Needs three other rows that are not zero.
bool has_totals(const NumberMatrix& matrix) {
    const uint32_t last = matrix.rows() - 1;
    if (matrix.rows() < 4 || matrix.columns() != matrix.rows()) return false;
    std::vector<double> sums(last, 0);
    uint32_t rows = 0;
    for (uint32_t i = 0; i < last; ++i) {
        bool any = false;
        for (uint32_t j = 0; j < last; ++j) {
            sums[j] += matrix.at(i, j);
            any = any || matrix.at(i, j) != 0;
        }
        rows += any ? 1 : 0;
    }
    for (uint32_t j = 0; j < last; ++j) {
        if (std::abs(sums[j] - matrix.at(last, j)) > 1e-9 * std::abs(sums[j])) return false;
    }
    return rows >= 3;
}

/// Returns a warning if a table seems to have a row of totals; else an empty text.
std::string warning_of_totals(const ReadMatrices& read) {
    const bool flows = has_totals(read.a);
    if (!flows && !has_totals(read.b)) return {};
    return fmt::format(
        "the last row of the {} is the sum of the other rows; if it is a total, remove it and its column, "
        "because it is taken for a {}",
        flows ? "flows" : "distances", flows ? "facility" : "location");
}

OwnerModel complete(ReadMatrices& read, const InstanceSearch& search) {
    OwnerModel out;
    if (!search.linear.empty()) out.linear = read_linear(search.linear, read);
    if (!search.forbidden.empty()) out.forbidden = read_forbidden(search.forbidden, read);
    out.a = std::move(read.a);
    out.b = std::move(read.b);
    out.maximize = search.maximize;
    out.constant = search.constant;
    return out;
}

[[noreturn]] void fail_unknown(const std::string& reference, const InstanceSearch& search) {
    std::vector<std::string> names;
    for (const InstanceListing& listing : list_instances(search)) names.push_back(listing.name);
    const std::vector<std::string> nearest = common::nearest_names(reference, names);
    std::error_code ignored;
    const char* what = fs::is_directory(reference, ignored) ? "is a directory, not an instance file"
                       : search.data_directories.empty()
                           ? "is neither a file nor the name of a generated instance, and no data folders are given "
                             "(QAPFW_DATA, --data)"
                           : "is neither a file, nor in the data folders, nor the name of a generated instance";
    throw Error(ErrorKind::kInput,
                fmt::format("instance {} {}{}", quote_token(reference), what,
                            nearest.empty() ? std::string{}
                                            : fmt::format("; the nearest names are {}", fmt::join(nearest, ", "))));
}

BestKnownTable best_known_table(const InstanceSearch& search) {
    BestKnownTable table = BestKnownTable::built_in();
    for (const std::string& name : board_names()) {
        table.add(name, {parse_board(name)->squares(), "0", true, "theory", "", 0, true});
    }
    if (!search.best_known.empty()) table.add_file(search.best_known);
    return table;
}

/// The table's value as an integer cost of the instance. The value is rounded up if costs are rounded.
std::optional<BestKnown> value_in_units(const BestKnownTable& table, const QapInstance& instance) {
    const Resolution& resolution = instance.resolution;
    if (resolution.exact) return table.lookup(instance.name, instance.matrices.n, resolution.divisor);
    const BestKnownRecord& record = *table.find(instance.name, instance.matrices.n);
    const double cost = std::ceil(std::strtod(record.value.c_str(), nullptr) / resolution.unit);
    const auto most = static_cast<double>(kCostLimit);
    return BestKnown{static_cast<int64_t>(std::clamp(cost, -most, most)), record.optimal, record.source, record.date};
}

/// Returns the table's value, or else the value that the instance file states. A value outside the bounds of the costs
/// is surely of another instance with the same name. The function ignores such a value, but throws Error(kInput) if the
/// value is from a file that the user names.
std::optional<BestKnown> best_known_of(QapInstance& instance, const std::optional<std::string>& stated,
                                       const InstanceSearch& search, const std::optional<fs::path>& file) {
    const uint32_t n = instance.matrices.n;
    BestKnownTable table = best_known_table(search);
    const BestKnownRecord* record = table.find(instance.name, n);
    if (record != nullptr && record->fingerprint != 0 && !has_fingerprint(instance.matrices, record->fingerprint)) {
        instance.remark = fmt::format(
            "{}: the numbers differ from those of the published {}, so the published best known value is "
            "not used",
            instance.source, instance.name);
        table.remove(instance.name);
    }
    if (file) table.add_beside(file->parent_path(), {instance.name});
    record = table.find(instance.name, n);
    if (record == nullptr && stated) {
        table.add(instance.name, {n, *stated, false, instance.source, "", 0, true});
        record = table.find(instance.name, n);
    }
    if (record == nullptr) return std::nullopt;
    const std::optional<BestKnown> known = value_in_units(table, instance);
    if (known->value >= instance.bounds.lower && known->value <= instance.bounds.upper) return known;
    if (record->built_in) return std::nullopt;
    const double unit = instance.resolution.owner_unit();
    throw Error(ErrorKind::kInput,
                fmt::format("{}: the best-known value {} of {} is impossible, since every cost is from {} to {}",
                            search.best_known.string(), record->value, instance.name,
                            unit * static_cast<double>(instance.bounds.lower),
                            unit * static_cast<double>(instance.bounds.upper)));
}

/// The size in the first token of a file; nothing if that token is no size. Reads only a few bytes.
std::optional<uint32_t> peek_size(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string head(256, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(in.gcount()));
    const std::string source = path.string();
    TextScanner scanner(head, source);
    const auto first = scanner.next();
    if (!first) return std::nullopt;
    try {
        return parse_size(*first, source, "the size n");
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// The key for sorting: the name up to its first digit, the size n, the whole name. So tai9a comes before tai10a.
std::tuple<std::string, uint32_t, std::string> sort_key(const InstanceListing& listing) {
    const std::size_t digits = std::min(listing.name.find_first_of("0123456789"), listing.name.size());
    return {listing.name.substr(0, digits), listing.n, listing.name};
}

}  // namespace

std::optional<fs::path> find_file(const std::string& reference, const InstanceSearch& search,
                                  const FilePlaces& places) {
    if (reference.find('/') != std::string::npos || is_file(reference)) return reference;
    for (const fs::path& folder : search.data_directories) {
        if (auto file = file_in(folder, reference, places, false)) return file;
        for (const fs::path& below : sdk::folders_below(folder, places.subfolder)) {
            if (auto file = file_in(below, reference, places, below.filename() != places.subfolder)) return file;
        }
    }
    return std::nullopt;
}

void set_model(QapInstance& instance, const OwnerModel& owner) {
    IntegerModel model = to_integers(owner, instance.source == kGenerated ? instance.name : instance.source);
    instance.has_linear = !owner.linear.empty();
    instance.sense = owner.maximize ? -1 : 1;
    instance.matrices = std::move(model.matrices);
    instance.resolution = model.resolution;
    instance.bounds = model.bounds;
    instance.owner = std::move(model.owner);
}

QapInstance load_instance(const std::string& reference, const InstanceSearch& search) {
    const std::optional<fs::path> file = find_file(reference, search);
    std::optional<ReadMatrices> read = file ? read_file(*file, search) : generate(reference, search);
    if (!read) fail_unknown(reference, search);
    QapInstance out;
    out.name = file ? text_stem(*file) : reference;
    out.source = file ? file->string() : kGenerated;
    if (file && !search.matrix_b.empty()) out.source += " and " + search.matrix_b.string();
    out.facilities = read->a.rows();
    out.facility_names = read->facility_names;
    out.location_names = read->location_names;
    out.points = read->points;
    if (file) out.remark = warning_of_totals(*read);
    const OwnerModel owner = complete(*read, search);
    set_model(out, owner);
    if (is_general(search)) {  // best known costs hold only for instances that are not general
        if (!search.best_known.empty())
            out.remark = search.best_known.string() +
                         " is not used: its values hold only for instances without linear costs, "
                         "forbidden pairs, maximisation or a constant";
        return out;
    }
    out.best_known = best_known_of(out, read->stated_best, search, file);
    return out;
}

std::vector<InstanceListing> list_instances(const InstanceSearch& search) {
    BestKnownTable table = best_known_table(search);
    std::vector<InstanceListing> out;
    std::set<std::string> seen;
    const auto add = [&](const std::string& name, uint32_t n, const std::string& source) {
        if (!seen.insert(name).second) return;
        const BestKnownRecord* record = table.find(name, n);
        out.push_back({name, n, record ? std::optional(*record) : std::nullopt, source});
    };
    const auto add_files = [&](const fs::path& folder) {
        std::error_code ignored;
        std::map<std::string, std::pair<fs::path, uint32_t>> files;
        std::set<std::string> names;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
            if (entry.path().extension() != ".dat" || !is_file(entry.path())) continue;
            const std::string name = entry.path().stem().string();
            if (const auto n = peek_size(entry.path()); n && names.insert(name).second)
                files[name] = {entry.path(), *n};
        }
        if (files.empty()) return;
        table.add_beside(folder, names);
        for (const auto& [name, file] : files) add(name, file.second, file.first.string());
    };
    for (const fs::path& folder : search.data_directories) {
        add_files(folder);
        for (const fs::path& below : sdk::folders_below(folder, FilePlaces{}.subfolder)) add_files(below);
    }
    for (const std::string& name : generated_names()) add(name, generated_size(name).value_or(0), kGenerated);
    for (const std::string& name : board_names()) add(name, parse_board(name)->squares(), kGenerated);
    std::sort(out.begin(), out.end(), [](const auto& x, const auto& y) { return sort_key(x) < sort_key(y); });
    return out;
}

MatrixFacts matrix_facts(const std::vector<int64_t>& matrix, uint32_t n) {
    MatrixFacts out;
    out.least = out.greatest = matrix.front();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const int64_t entry = matrix[i * n + j];
            out.least = std::min(out.least, entry);
            out.greatest = std::max(out.greatest, entry);
            out.nonzeros += entry != 0 ? 1 : 0;
            if (entry != matrix[j * n + i]) out.symmetric = false;
            if (i == j && entry != 0) out.zero_diagonal = false;
        }
    }
    return out;
}

std::string sparse_advice(const QapInstance& instance) {
    constexpr std::uint32_t kLeast = 500;
    constexpr double kMostPercent = 10;
    const QapMatrices& matrices = instance.matrices;
    const bool plain = !instance.reduction && !instance.owner && !matrices.has_linear() && instance.fixed.empty() &&
                       instance.sense == 1;
    if (matrices.n < kLeast || !plain) return {};
    const auto flows = matrices.a.size() - static_cast<std::size_t>(std::ranges::count(matrices.a, std::int64_t{0}));
    const double percent = 100.0 * static_cast<double>(flows) / static_cast<double>(matrices.a.size());
    if (percent > kMostPercent) return {};
    const MatrixFacts distances = matrix_facts(matrices.b, matrices.n);
    if (!distances.symmetric || !distances.zero_diagonal || distances.least < 0) return {};
    return fmt::format(
        "only {:.2g} % of the flows are not 0; with this many locations problem sparse_qap usually finds lower costs. "
        "To use it, give the flows as a graph: qapfw solve FLOWS.graph --distance dense:DISTANCES",
        percent);
}

}  // namespace qapfw::qap

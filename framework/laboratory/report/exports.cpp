// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "framework/laboratory/report/encoders.hpp"
#include "framework/laboratory/report/file_names.hpp"
#include "framework/laboratory/study/csv.hpp"
#include "framework/record/folder.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

namespace fs = std::filesystem;

/// Returns the shortest decimal text that reads back as the same number; an empty text for NaN.
std::string exact(double value) {
    if (std::isnan(value)) return {};
    if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
    return fmt::format("{}", value);
}

std::string exact_text(const TableValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* number = std::get_if<double>(&value)) return exact(*number);
    return {};
}

std::string optional_text(const std::optional<double>& value) {
    return value ? exact(*value) : std::string();
}

void write(const Folder& folder, const std::string& name, const std::string& text) {
    folder.replace(name, text, Durability::kProcess);
}

}  // namespace

std::string table_csv(const Table& table) {
    std::vector<std::string> head;
    for (const Column& column : table.columns) head.push_back(column.name);
    std::string text = csv_line(head);
    for (const auto& row : table.rows) {
        std::vector<std::string> fields;
        for (const TableValue& value : row) fields.push_back(exact_text(value));
        text += csv_line(fields);
    }
    return text;
}

namespace {

/// True if a column holds texts of several lines, such as configurations.
bool has_lines(const Table& table, std::size_t column) {
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
        const auto* text = std::get_if<std::string>(&row[column]);
        return text != nullptr && text->find('\n') != std::string::npos;
    });
}

/// Returns a LaTeX listing with a paragraph per row. A listing can break across pages, but a table cannot. A table
/// with texts of several lines would be longer than a page.
std::string latex_listing(const Table& table) {
    std::string text = fmt::format("% {}\n", latex_comment(table.title));
    for (const auto& row : table.rows) {
        std::vector<std::string> names, bodies;
        for (std::size_t k = 0; k < row.size(); ++k) {
            const std::string cell = cell_text(row[k], table.columns[k]);
            if (has_lines(table, k)) {
                bodies.push_back(latex_lines(cell));
            } else if (!cell.empty()) {
                names.push_back(latex_text(cell));
            }
        }
        text += fmt::format("\\paragraph{{{}}}\\mbox{{}}\n\n{{\\small\\raggedright\\noindent\n{}\\par}}\n\n",
                            fmt::join(names, ", "), fmt::join(bodies, "\\par\n"));
    }
    return text;
}

}  // namespace

std::string table_latex(const Table& table) {
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        if (has_lines(table, k)) return latex_listing(table);
    }
    std::string text = fmt::format("% {}\n\\begin{{tabular}}{{", latex_comment(table.title));
    for (std::size_t k = 0; k < table.columns.size(); ++k) text += table.columns[k].text ? "l" : "r";
    text += "}\n\\hline\n";
    const auto line = [&](const std::vector<std::string>& cells) {
        text += fmt::format("{} \\\\\n", fmt::join(cells, " & "));
    };
    std::vector<std::string> cells;
    for (const Column& column : table.columns) cells.push_back(latex_text(column.name));
    line(cells);
    text += "\\hline\n";
    for (const auto& row : table.rows) {
        cells.clear();
        for (std::size_t k = 0; k < row.size(); ++k) cells.push_back(latex_text(cell_text(row[k], table.columns[k])));
        line(cells);
    }
    return text + "\\hline\n\\end{tabular}\n";
}

std::string table_markdown(const Table& table) {
    std::string text = fmt::format("### {}\n\n|", markdown_text(table.title)), rule = "|";
    for (const Column& column : table.columns) {
        text += fmt::format(" {} |", markdown_text(column.name));
        rule += column.text ? " --- |" : " ---: |";
    }
    text += "\n" + rule + "\n";
    for (const auto& row : table.rows) {
        text += "|";
        for (std::size_t k = 0; k < row.size(); ++k)
            text += fmt::format(" {} |", markdown_text(cell_text(row[k], table.columns[k])));
        text += "\n";
    }
    return table.note.empty() ? text : text + "\n" + markdown_paragraph(table.note) + "\n";
}

std::string plot_csv(const Plot& plot) {
    std::string text = csv_line({"series", "x", "y", "low", "high"});
    for (const Series& series : plot.series) {
        const std::size_t count = std::max(series.x.size(), series.y.size());
        for (std::size_t k = 0; k < count; ++k) {
            const auto at = [&](const std::vector<double>& values) {
                return k < values.size() ? exact(values[k]) : std::string();
            };
            std::string x = plot.kind == "heat" && k < plot.labels.size() ? plot.labels[k] : at(series.x);
            if (plot.kind == "bars") x = plot.labels[static_cast<std::size_t>(series.x[k])];
            text += csv_line({series.name, x, at(series.y), at(series.low), at(series.high)});
        }
    }
    return text;
}

std::string runs_csv(const std::vector<RunRow>& rows) {
    std::string text = csv_line({"run",          "instance",
                                 "class",        "algorithm",
                                 "variant",      "seed",
                                 "cost",         "gap",
                                 "best_known",   "target",
                                 "hit",          "seconds",
                                 "wall_seconds", "seconds_to_best",
                                 "iterations",   "iterations_to_best",
                                 "evaluations",  "stop_reason",
                                 "backend",      "devices",
                                 "threads",      "n",
                                 "resumes",      "version",
                                 "folder"});
    for (const RunRow& row : rows) {
        text += csv_line({row.run,
                          row.instance,
                          row.group,
                          row.algorithm,
                          row.variant,
                          std::to_string(row.seed),
                          optional_text(row.cost),
                          optional_text(row.gap),
                          optional_text(row.best_known),
                          optional_text(row.target),
                          row.hit ? "1" : "0",
                          optional_text(row.seconds),
                          exact(row.wall_seconds),
                          exact(row.seconds_to_best),
                          exact(row.iterations),
                          exact(row.iterations_to_best),
                          exact(row.evaluations),
                          row.stop_reason,
                          row.backend,
                          row.devices,
                          std::to_string(row.threads),
                          std::to_string(row.n),
                          std::to_string(row.resumes),
                          row.version,
                          row.folder});
    }
    return text;
}

namespace {

/// The name of an algorithm's folder, and the file names used in it.
struct AlgorithmFolder {
    std::string name = {};
    FileNames files = {};
};

}  // namespace

/// Writes files for IOHprofiler, which calls an instance a function. Each algorithm has a folder. For each instance,
/// this folder has an .info file and a subfolder with a .dat file. In the .dat file, each run has a line with the
/// column names, followed by lines with the number of evaluations and the best cost.
void write_ioh(const std::vector<RunRow>& rows, const Folder& folder) {
    std::map<std::pair<std::string, std::string>, std::vector<const RunRow*>> cells;
    for (const RunRow& row : rows) {
        if (!row.trace.empty()) cells[{row.variant, row.instance}].push_back(&row);
    }
    FileNames folders;
    std::map<std::string, AlgorithmFolder> of_variant;
    for (const auto& [key, runs] : cells) {
        const auto& [variant, instance] = key;
        AlgorithmFolder& own = of_variant[variant];
        if (own.name.empty()) own.name = folders.name_for(variant);
        const std::string name = own.files.name_for(instance);
        const Folder algorithm = folder.inside(own.name), place = algorithm.inside("data_" + name);
        const std::uint32_t n = runs.front()->n;
        std::string data, ends;
        for (const RunRow* run : runs) {
            data += "\"function evaluation\" \"best-so-far f(x)\"\n";
            for (const TracePoint& point : run->trace)
                data += fmt::format("{} {}\n", exact(point.evaluations), exact(point.cost));
            if (run->evaluations > run->trace.back().evaluations)
                data += fmt::format("{} {}\n", exact(run->evaluations), exact(run->trace.back().cost));
            ends += fmt::format(", {}:{}|{}", run->seed, exact(run->evaluations), exact(run->trace.back().cost));
        }
        write(place, fmt::format("IOHprofiler_f_{}_DIM{}.dat", name, n), data);
        write(algorithm, fmt::format("IOHprofiler_f_{}.info", name),
              fmt::format("suite = \"qapfw\", funcId = \"{}\", funcName = \"{}\", DIM = {}, maximization = \"{}\", "
                          "algId = \"{}\"\n%\ndata_{}/IOHprofiler_f_{}_DIM{}.dat{}\n",
                          name, ioh_text(instance), n, runs.front()->sense < 0 ? "T" : "F", ioh_text(variant), name,
                          name, n, ends));
    }
}

void write_exports(const ReportData& report, const std::vector<RunRow>& rows, const fs::path& path) {
    const Folder folder(path), tables = folder.inside("tables"), plots = folder.inside("plots");
    FileNames table_names, plot_names;
    for (const Section& section : report.sections) {
        for (const Table& table : section.tables) {
            const std::string name = table_names.name_for(table.id);
            write(tables, name + ".csv", table_csv(table));
            write(tables, name + ".tex", table_latex(table));
            write(tables, name + ".md", table_markdown(table));
        }
        for (const Plot& plot : section.plots) write(plots, plot_names.name_for(plot.id) + ".csv", plot_csv(plot));
    }
    write(folder, "runs.csv", runs_csv(rows));
    write_ioh(rows, folder.inside("ioh"));
}

}  // namespace qapfw::framework::laboratory

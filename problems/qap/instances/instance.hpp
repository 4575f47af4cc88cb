// SPDX-License-Identifier: Apache-2.0
// A QAP instance by reference: a file, a name in the data folders, or a name that the generators know.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/instances/best_known.hpp"
#include "problems/qap/instances/csv_reader.hpp"
#include "problems/qap/instances/matrix_entry.hpp"
#include "problems/qap/instances/resolution.hpp"
#include "problems/qap/reductions/reduction.hpp"

namespace qapfw::qap {

/// Folders in which to look for an instance, and the user's settings by which it is read and completed.
struct InstanceSearch {
    /// Folders to search, in this order. The search looks first in a folder itself, then in its subfolder qaplib, then
    /// in its other subfolders in the order of their names.
    std::vector<std::filesystem::path> data_directories = {};
    /// CSV file of matrix B; the instance's reference then names the CSV file of matrix A. Empty: no such file.
    std::filesystem::path matrix_b = {};
    /// How the points in the file `matrix_b` become distances.
    Metric metric = Metric::kAuto;
    /// Files of linear costs (a table, see csv_reader.hpp) and of forbidden pairs (a table, or a list of pairs); empty:
    /// none.
    std::filesystem::path linear = {}, forbidden = {};
    /// True if costs are maximised.
    bool maximize = false;
    /// A constant that is added to every cost.
    double constant = 0;
    /// The file with a user's best-known values, in addition to the built-in values and to best_known.csv beside an
    /// instance.
    std::filesystem::path best_known = {};
};

/// An instance ready for a run. Its bounds are checked, so computing an integer cost cannot overflow.
struct QapInstance {
    /// The file's name without folder and extension. Without a file: the name with which the instance was asked for.
    std::string name;
    QapMatrices matrices;     ///< the integers that searches work with, dummies included
    uint32_t facilities = 0;  ///< number of facilities without dummies; at most matrices.n
    Resolution resolution;    ///< conversion of integer costs to the owner's numbers
    CostBounds bounds;        ///< bounds of every permutation's cost, without the penalties of forbidden pairs
    /// The owner's numbers. Null if the integers are exact, no constant is left out and no pair is forbidden.
    std::shared_ptr<const OwnerNumbers> owner = nullptr;
    bool has_linear = false;  ///< true if there are linear costs other than penalties of forbidden pairs
    int sense = 1;            ///< -1: the owner's costs are maximised
    std::optional<BestKnown> best_known;
    std::vector<std::string> facility_names = {}, location_names = {};  ///< empty: none
    /// Coordinates x and y of each location on a map; y grows upwards. Empty unless locations are given by two
    /// coordinates.
    std::vector<std::array<double, 2>> points = {};
    std::vector<int64_t> fixed;  ///< location of each facility, -1 if it is free; empty: all are free
    std::string source;          ///< the path(s), "memory:NAME" or "generated"
    std::string remark = {};     ///< what the user should know about how the instance was read; empty: nothing
    /// The problem that was reduced to the matrices, if there was one.
    std::shared_ptr<const Reduction> reduction = nullptr;
};

/// A named instance in a list, made without reading its matrices.
struct InstanceListing {
    std::string name;
    uint32_t n = 0;
    std::optional<BestKnownRecord> best_known;
    std::string source;  ///< a path, or "generated"
};

/// The names and folders that find_file tries for files of one format. `subfolder`: the format's own folder in each
/// data folder. `extensions`: find_file appends each of them to an instance's name. In subfolders other than
/// `subfolder`, a file counts only if its name ends in one of the nonempty extensions.
struct FilePlaces {
    std::string subfolder = "qaplib";
    std::vector<std::string> extensions = {"", ".dat", ".csv"};
};

/// Returns the file that a reference means. A reference that has a slash or is an existing file is a path. Any other
/// reference is searched for in the data folders. Returns nothing if they have no such file: the reference can then
/// only be the name of a generated instance.
std::optional<std::filesystem::path> find_file(const std::string& reference, const InstanceSearch& search,
                                               const FilePlaces& places = {});

/// Loads an instance: the file that find_file() finds for the reference, otherwise a generated instance. For an unknown
/// name, the message lists the nearest known names. With search.matrix_b, the file holds matrix A alone, in a form that
/// read_csv_pair() reads. Without search.matrix_b, the file is a table with matrix A above B, or QAPLIB text. It is a
/// table if its name ends in .csv, .tsv or .tab, or if it looks like a table and is no .dat file.
QapInstance load_instance(const std::string& reference, const InstanceSearch& search = {});

/// Sets everything that follows from the owner's numbers: integers, bounds, resolution, sense.
void set_model(QapInstance& instance, const OwnerModel& owner);

/// The instances that have names, sorted by family and size: the .dat files in the data folders and their subfolders,
/// and those generated QAPLIB instances and chess boards that have no such file. A file is left out if its first token
/// is no size n.
std::vector<InstanceListing> list_instances(const InstanceSearch& search);

/// Facts about the entries of a matrix.
struct MatrixFacts {
    bool symmetric = true;
    bool zero_diagonal = true;
    int64_t least = 0;
    int64_t greatest = 0;
    std::size_t nonzeros = 0;
};

/// Facts about a row-major n x n matrix, n >= 1. O(n^2).
MatrixFacts matrix_facts(const std::vector<int64_t>& matrix, uint32_t n);

/// Advice to use problem sparse_qap, if sparse_qap supports the instance and usually finds lower costs; else empty.
/// Always empty for fewer than 500 positions; for more positions, the function takes O(n^2).
std::string sparse_advice(const QapInstance& instance);

}  // namespace qapfw::qap

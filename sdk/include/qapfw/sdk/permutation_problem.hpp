// SPDX-License-Identifier: Apache-2.0
// A problem whose solution is one order of elements. The class must only compute the cost:
//
//     class Mine : public sdk::PermutationProblem<Mine> {
//       public:
//         static constexpr sdk::ParameterTable kParameters{...};
//         Mine(const sdk::Host&, const sdk::Parameters&) : PermutationProblem({.n = 12, .instance = "mine"}) {}
//         std::int64_t cost(const std::uint16_t* order) const;  // or double; any number of threads at once
//     };
//
// Optional: `delta_insertion(order, from, to)` returns the change of the cost by an insertion
// (sdk/insertion_neighbourhood.hpp). Optional: `void explain(const std::uint16_t* order, const sdk::EmitPart&) const`
// gives named numbers that explain a solution's cost, see sdk/explanation.hpp. The base reads, writes and checks
// solutions, and evaluates batches.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qapfw/sdk/array_problem.hpp"

namespace qapfw::sdk {

/// Facts about a PermutationProblem. The fields have the same meanings as in qapfw_problem_info.
struct PermutationProblemOptions {
    std::uint64_t n = 0;            ///< number of elements, 1 to 65535
    std::string instance;           ///< the short name of the instance
    std::string summary = {};       ///< one line about the instance; empty: becomes "N elements"
    std::uint64_t fingerprint = 0;  ///< hash of all that decides costs; 0: the framework hashes parameters and files
    std::int32_t sense = 1;         ///< -1: a maximisation, so costs are shown negated
    InstanceFacts facts = {};       ///< what else is known, such as the best known cost and fixed positions
};

/// The base of a problem class whose solutions are orders. The class passes itself as `Derived`.
template <class Derived>
class PermutationProblem : public ArrayProblem<Derived, std::uint16_t> {
    using Base = ArrayProblem<Derived, std::uint16_t>;

  public:
    /// Throws Error(kInput) if n is out of range.
    explicit PermutationProblem(const PermutationProblemOptions& options)
        : Base({options.instance, options.summary, options.fingerprint, options.sense, options.facts},
               Encoding::permutation(Base::checked(options.n, 65535))) {}
};

/// Device code of a problem: a CUDA C++ text with constants, the problem's own text, and the bytes of the View. The
/// problem's member function `const qapfw_device_problem& device() const` returns get() of this object. Not copyable:
/// the object contains pointers into itself.
template <class View>
class DeviceText {
    static_assert(std::is_trivially_copyable_v<View>, "View must be trivially copyable: kernels get it as bytes");

  public:
    /// `constants` is CUDA C++ that `text` uses ("constexpr int kSize = 12;"); errors call it "<name>/constants".
    /// Each of `arrays` is copied to the device, and its device address is stored in the view at `view_offset`. The
    /// bytes to which `arrays` points must outlive this object.
    DeviceText(const std::string& name, std::string constants, const qapfw_text& text, const View& view,
               std::vector<qapfw_view_buffer> arrays = {})
        : name_(name + "/constants"),
          constants_(std::move(constants)),
          view_(view),
          arrays_(std::move(arrays)),
          texts_{{name_.c_str(), constants_.data(), constants_.size()}, text},
          problem_{sizeof problem_, 2, texts_, &view_, sizeof view_, arrays_.size(), arrays_.data(), nullptr} {}
    DeviceText(const DeviceText&) = delete;
    DeviceText& operator=(const DeviceText&) = delete;

    /// Returns the C struct of the device problem. It is valid as long as this object lives.
    const qapfw_device_problem& get() const { return problem_; }

  private:
    std::string name_, constants_;
    View view_;
    std::vector<qapfw_view_buffer> arrays_;
    qapfw_text texts_[2];
    qapfw_device_problem problem_;
};

}  // namespace qapfw::sdk

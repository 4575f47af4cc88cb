// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/device_problem.hpp"

#include <fmt/format.h>

#include <cstring>

#include "embedded/uaflp_texts.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::uaflp {

template <class Real>
DeviceProblem::DeviceProblem(const BasicEvaluator<Real>& evaluator, std::size_t bits_offset)
    : macros_(fmt::format(
          "#define UAFLP_N {}\n#define UAFLP_BITS_OFFSET {}\n#define UAFLP_REAL {}\n#define UAFLP_EUCLIDEAN {}\n",
          evaluator.size(), bits_offset, sizeof(Real) == sizeof(double) ? "double" : "float",
          evaluator.view().euclidean)),
      view_(sizeof evaluator.view()) {
    set(evaluator, "uaflp_problem.cuh");
}

DeviceProblem::DeviceProblem(const SlicingEvaluator& evaluator)
    : macros_(fmt::format("#define UAFLP_N {}\n#define UAFLP_STRIDE {}\n#define UAFLP_RULES {}\n", evaluator.size(),
                          evaluator.view().stride, evaluator.view().practice.rules)),
      view_(sizeof evaluator.view()) {
    set(evaluator, "slicing_problem.cuh");
}

/// Fills in the device problem: data of `evaluator` and the device text named `text`.
template <class Evaluator>
void DeviceProblem::set(const Evaluator& evaluator, const char* text) {
    std::memcpy(view_.data(), &evaluator.view(), view_.size());
    if (evaluator.size() > kMostDepartments) {
        throw Error(ErrorKind::kInput, fmt::format("layouts on a GPU have at most {} departments, but this one has {}",
                                                   kMostDepartments, evaluator.size()));
    }
    texts_.push_back({"uaflp/instance.cuh", macros_.c_str(), macros_.size()});
    for (const qapfw_text& one : sdk::with_included(device::kTexts, text)) texts_.push_back(one);
    for (const ViewArray& array : evaluator.view_arrays()) {
        buffers_.push_back({array.bytes, array.size, array.view_offset});
    }
    problem_ = {sizeof problem_, static_cast<std::uint32_t>(texts_.size()),
                texts_.data(),   view_.data(),
                view_.size(),    buffers_.size(),
                buffers_.data(), "-fmad=false"};
}

template DeviceProblem::DeviceProblem(const BasicEvaluator<double>&, std::size_t);
template DeviceProblem::DeviceProblem(const BasicEvaluator<float>&, std::size_t);

}  // namespace qapfw::uaflp

// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/device_problem.hpp"

#include <fmt/format.h>

#include "embedded/uaflp_texts.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::uaflp {

DeviceProblem::DeviceProblem(const Evaluator& evaluator, std::size_t bits_offset)
    : macros_(fmt::format("#define UAFLP_N {}\n#define UAFLP_BITS_OFFSET {}\n", evaluator.size(), bits_offset)),
      view_(evaluator.view()) {
    if (evaluator.size() > kMostDepartments) {
        throw Error(ErrorKind::kInput, fmt::format("layouts on a GPU have at most {} departments, this one has {}",
                                                   kMostDepartments, evaluator.size()));
    }
    texts_.push_back({"uaflp/instance.cuh", macros_.c_str(), macros_.size()});
    for (const qapfw_text& text : sdk::in_include_order(device::kTexts)) texts_.push_back(text);
    for (const ViewArray& array : evaluator.view_arrays()) {
        buffers_.push_back({array.bytes, array.size, array.view_offset});
    }
    problem_ = {sizeof problem_, static_cast<std::uint32_t>(texts_.size()),
                texts_.data(),   &view_,
                sizeof view_,    buffers_.size(),
                buffers_.data(), "-fmad=false"};
}

}  // namespace qapfw::uaflp

// SPDX-License-Identifier: Apache-2.0
// A plugin without a fault: a problem that only computes its cost, on CPU and GPU. No built-in problem has segments
// like these. Element e, counted from 0 over all segments, costs ((e + 1) * (7 v + 3 u)) mod 97; v is its value, and u
// the value of the element before it (0 for the first).
#include "qapfw/sdk/permutation_problem.hpp"
#include "qapfw/sdk/plugin.hpp"

namespace sdk = qapfw::sdk;
namespace {

constexpr std::string_view kDeviceText = R"(
#include "qapfw/kernels/platform.hpp"
namespace qapfw::device {
struct Problem {
    struct View {
        int count, lengths[4];
    };
    using Cost = int64_t;
    static constexpr int kPositions = kFirstLength;
    template <class Group, class Solution>
    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution solution) {
        int64_t sum = 0;
        for (int s = 0, first = 0; s < view.count; first += view.lengths[s++]) {
            for (int k = group.rank(); k < view.lengths[s]; k += group.size()) {
                int64_t before = 0;
                if (k > 0) before = solution.element(s, k - 1);
                else if (s > 0) before = solution.element(s - 1, view.lengths[s - 1] - 1);
                sum += (first + k + 1) * (7 * int64_t{solution.element(s, k)} + 3 * before) % 97;
            }
        }
        return group.sum(sum);
    }
};
}
)";
constexpr qapfw_text kText{"segments_alone/problem.cuh", kDeviceText.data(), kDeviceText.size()};

struct SegmentsAlone {
    static constexpr sdk::ParameterTable kParameters{
        sdk::choice("form", "all", "all|bits|counted_bits|permutation32")
            .summary(
                "all: an order of 32-bit numbers, bits, counted bits and values. Else the one segment of that name."),
        sdk::flag("fixed", false).summary("Whether the first element of every segment keeps its value.")};
    struct View {
        std::int32_t count, lengths[4];
    };

    SegmentsAlone(const sdk::Host&, const sdk::Parameters& parameters)
        : encoding_(of_form(parameters.text("form"))),
          view_(view_of(encoding_)),
          device_("segments_alone", "constexpr int kFirstLength = " + std::to_string(view_.lengths[0]) + ";", kText,
                  view_) {
        const qapfw_encoding plain = encoding_.c_encoding();
        base_.resize(plain.solution_bytes);
        sdk::base_solution(plain, base_.data());
        for (std::uint32_t s = 0; s < plain.segment_count; ++s) {
            for (std::uint32_t k = 0; k < plain.segments[s].length; ++k) mask_.push_back(k == 0 ? 1 : 0);
        }
        const bool fixed = parameters.boolean("fixed");
        info_.struct_size = sizeof info_;
        info_.n = plain.segments[0].length;
        info_.encoding = encoding_.c_encoding(fixed ? mask_.data() : nullptr, fixed ? base_.data() : nullptr);
        info_.cost_kind = QAPFW_COST_INT64;
        info_.sense = 1;
        info_.display_divisor = 1;
        info_.instance = "segments";
        info_.summary = "products modulo 97";
        info_.fingerprint = mask_.size();
    }
    const qapfw_problem_info& info() const { return info_; }
    void evaluate(const qapfw_batch& batch) const {
        for (std::uint64_t b = 0; b < batch.count; ++b) {
            const void* const solution = sdk::solution_at(batch.solutions, info_.encoding.solution_bytes, b);
            std::int64_t sum = 0, number = 0, before = 0;
            for (std::uint32_t s = 0; s < info_.encoding.segment_count; ++s) {
                for (std::uint32_t k = 0; k < info_.encoding.segments[s].length; ++k) {
                    const std::int64_t held = sdk::element_at(info_.encoding.segments[s], solution, k);
                    sum += ++number * (7 * held + 3 * before) % 97;
                    before = held;
                }
            }
            batch.costs[b].i = sum;
        }
    }
    void write_artefacts(const void*, qapfw_cost, const sdk::Emit&) const {}
    const qapfw_device_problem& device() const { return device_.get(); }

  private:
    static sdk::Encoding of_form(const std::string& form) {
        sdk::Encoding encoding;
        if (form == "all" || form == "permutation32") encoding.add_permutation32(form == "all" ? 7 : 20);
        if (form == "all" || form == "bits") encoding.add_bits(form == "all" ? 6 : 40);
        if (form == "all" || form == "counted_bits") encoding.add_bits(form == "all" ? 9 : 30, 4);
        if (form == "all") encoding.add_values({3, 1, 5, 300});
        return encoding;
    }
    static View view_of(const sdk::Encoding& encoding) {
        const qapfw_encoding plain = encoding.c_encoding();
        View view{static_cast<std::int32_t>(plain.segment_count), {}};
        for (std::uint32_t s = 0; s < plain.segment_count; ++s) {
            view.lengths[s] = static_cast<std::int32_t>(plain.segments[s].length);
        }
        return view;
    }

    sdk::Encoding encoding_;
    View view_;
    sdk::DeviceText<View> device_;
    std::vector<std::uint8_t> mask_;
    std::vector<unsigned char> base_;
    qapfw_problem_info info_{};
};

constexpr qapfw_component kSegmentsAlone =
    sdk::problem_component<SegmentsAlone>({.id = "segments_alone",
                                           .version = "1.0.0",
                                           .summary = "Products modulo 97 over any segments.",
                                           .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

}  // namespace
QAPFW_PLUGIN("org.example.segments_alone", "1.0.0", "Apache-2.0", &kSegmentsAlone)

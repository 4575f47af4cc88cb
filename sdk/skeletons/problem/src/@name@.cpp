// The problem @name@: orders 0, 1, ..., size - 1. Put your own data, cost and output in place of those here.
#include <string>
#include <vector>

#include "embedded/@name@_texts.hpp"  //@device
#include "qapfw/sdk/plugin.hpp"

namespace sdk = qapfw::sdk;
namespace {

class @Name@ {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("size", 20).range(2, 65535).summary("Elements of a solution.")};

    @Name@(const sdk::Host&, const sdk::Parameters& parameters)
        : n_(static_cast<std::uint32_t>(parameters.integer("size"))), encoding_(sdk::Encoding::permutation(n_)) {}
    @Name@(const @Name@&) = delete;  // what info() gives points into this object

    const qapfw_problem_info& info() const { return info_; }

    void evaluate(const qapfw_batch& batch) const {
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            const void* solution = sdk::solution_at(batch.solutions, info_.encoding.solution_bytes, k);
            batch.costs[k].i = cost(sdk::permutation_of(solution));
        }
    }
    void write_artefacts(const void* solution, qapfw_cost, const sdk::Emit& emit) const {
        std::string text;
        for (std::uint32_t i = 0; i < n_; ++i) text += std::to_string(sdk::permutation_of(solution)[i]) + "\n";
        emit("solution.txt", "text/plain", text);
    }
    const qapfw_device_problem& device() const { return device_; }  //@device

  private:
    std::int64_t cost(const std::uint16_t* order) const {
        std::vector<bool> seen(n_);
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < n_; ++i) {
            if (order[i] >= n_ || seen[order[i]]) throw qapfw::Error(qapfw::ErrorKind::kInput, "this is no order");
            seen[order[i]] = true;
            sum += std::int64_t{i} * order[i];
        }
        return sum;
    }

    std::uint32_t n_;
    sdk::Encoding encoding_;
    qapfw_problem_info info_{.struct_size = sizeof info_, .n = n_, .encoding = encoding_.c_encoding(),
                             .cost_kind = QAPFW_COST_INT64, .sense = 1, .display_divisor = 1, .instance = "@name@",
                             .summary = "orders", .fingerprint = n_, .has_best_known = 0, .has_lower_bound = 0,
                             .best_known = {}, .best_known_source = nullptr, .lower_bound = {}};
    // What the device code is told: a text that defines constants, its own text, and the bytes of its View.  //@device
    std::string constants_ = "constexpr int kSize = " + std::to_string(n_) + ";\n";                      //@device
    qapfw_text texts_[2] = {{"@name@/constants", constants_.data(), constants_.size()}, device_texts::kTexts[0]};  //@device
    std::int64_t view_ = 1;                                                                               //@device
    qapfw_device_problem device_{sizeof device_, 2, texts_, &view_, sizeof view_, 0, nullptr, nullptr};   //@device
};

constexpr qapfw_component kComponent = sdk::problem_component<@Name@>(
    {.id = "@name@", .version = "0.1.0", .summary = "Orders of elements.",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA  //@device
    });

}  // namespace

QAPFW_PLUGIN("@name@", "0.1.0", "proprietary", &kComponent)

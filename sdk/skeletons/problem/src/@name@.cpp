// The problem @name@: orders of 0, 1, ..., size - 1. Put your own data and cost here.
#include "embedded/@name@_texts.hpp"  //@device
#include "qapfw/sdk/permutation_problem.hpp"
#include "qapfw/sdk/plugin.hpp"

namespace sdk = qapfw::sdk;
namespace {

class @Name@ : public sdk::PermutationProblem<@Name@> {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("size", 20).range(2, 65535).summary("Number of elements of a solution.")};

    @Name@(const sdk::Host&, const sdk::Parameters& parameters)
        : PermutationProblem({.n = static_cast<std::uint64_t>(parameters.integer("size")), .instance = "@name@"}) {}

    /// The cost of an order; lower is better. Must be thread-safe. May also return double.
    std::int64_t cost(const std::uint16_t* order) const {
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < n(); ++i) sum += std::int64_t{i} * order[i];
        return sum;
    }
    const qapfw_device_problem& device() const { return device_.get(); }  //@device
  //@device
  private:  //@device
    // The GPU gets a text of constants, the text of device/@name@.cuh, and a View whose factor is 1.  //@device
    sdk::DeviceText<std::int64_t> device_{  //@device
        "@name@", "constexpr int kSize = " + std::to_string(n()) + ";\n", device_texts::kTexts[0], 1};  //@device
};

constexpr qapfw_component kComponent = sdk::problem_component<@Name@>(
    {.id = "@name@", .version = "0.1.0", .summary = "Orders of elements.",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA  //@device
    });

}  // namespace

QAPFW_PLUGIN("@name@", "0.1.0", "proprietary", &kComponent)

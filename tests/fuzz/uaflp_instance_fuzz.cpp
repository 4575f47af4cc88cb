// SPDX-License-Identifier: Apache-2.0
// Fuzzes layout instances with any bytes; the first byte chooses the syntax ('c': CSV, else TOML or JSON). An
// instance is refused with an Error, or is read, evaluated, drawn and written; then the text is read back.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "../support/layout_instance_json.hpp"
#include "problems/uaflp/slicing_layout.hpp"
#include "qapfw/error.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::uaflp;

void require(bool condition) {
    if (!condition) std::abort();
}

void check_round_trip(const UaflpInstance& instance) {
    const UaflpInstance toml = parse_instance(instance_to_toml(instance), "again.toml");
    const UaflpInstance json = parse_instance(qapfw::uaflp::test::instance_to_json(instance), "again.json");
    for (size_t i = 0; i < instance.flow.size(); ++i) {  // the TOML text leaves out a department's flow to itself
        const bool diagonal = i % (instance.size() + 1) == 0;
        require(toml.flow[i] == instance.flow[i] || diagonal);
        require(json.flow[i] == instance.flow[i]);
    }
}

/// Evaluates, draws and writes an instance with rules. Layouts of this instance are slicing trees, and only TOML can
/// hold the whole instance.
void use_rules(const UaflpInstance& instance) {
    require(parse_instance(instance_to_toml(instance), "again.toml").size() == instance.size());
    std::vector<std::uint16_t> perm(instance.size()), genes(instance.size() - 1, 1);
    std::iota(perm.begin(), perm.end(), std::uint16_t{0});
    const Layout layout = make_slicing_layout(instance, perm, genes);
    require(!std::isnan(layout.evaluation.objective));
    require(!write_layout_svg(instance, layout, {.flows = true}).empty());
    require(!write_layout_dxf(instance, layout).empty());
    require(!draw_layout_terminal(instance, layout, {.columns = 60}).empty());
    require(!write_layout_json(instance, layout).empty());
}

void use(const UaflpInstance& instance) {
    require(instance.size() >= 1 && instance.flow.size() == instance.size() * instance.size());
    if (instance.is_practical()) return use_rules(instance);
    check_round_trip(instance);
    std::vector<std::uint16_t> perm(instance.size());
    std::iota(perm.begin(), perm.end(), std::uint16_t{0});
    std::vector<std::uint8_t> bits(instance.size() - 1);
    for (size_t k = 0; k < bits.size(); ++k) bits[k] = k % 3 == 2;
    const Layout layout = make_layout(instance, perm, bits);
    require(layout.departments.size() == instance.size() && std::isfinite(layout.evaluation.objective));
    require(!write_layout_svg(instance, layout, {.flows = true}).empty());
    require(!draw_layout_terminal(instance, layout, {.columns = 60}).empty());
    const LayoutSolution back = read_layout_json(instance, write_layout_json(instance, layout), "layout.json");
    require(back.perm == perm && back.bits == bits);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    UaflpInstance instance;
    try {
        instance = parse_instance(text, data[0] == 'c' ? "fuzz.csv" : data[0] % 2 == 0 ? "fuzz.toml" : "fuzz.json");
    } catch (const Error& error) {
        require(error.what()[0] != '\0' && error.kind() == ErrorKind::kInput);
        return 0;
    }
    use(instance);  // an Error from here on is a defect
    return 0;
}

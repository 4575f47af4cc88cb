// SPDX-License-Identifier: Apache-2.0
// Reads the checked values of parameters by name. To declare parameters, see sdk/parameter_table.hpp.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "qapfw/abi/parameters.h"
#include "qapfw/error.hpp"
#include "qapfw/sdk/parameter_table.hpp"

namespace qapfw::sdk {

/// The values of a plugin's parameters, already checked against the declaration. The functions throw Error(kInternal)
/// if the parameter is not declared or has another type. integer, real, boolean and choice also throw if the value is
/// absent or "auto".
class Parameters {
  public:
    /// `declared`: the `count` declarations; `values` has the same order. Both arrays must outlive this object.
    Parameters(const qapfw_parameter* declared, std::uint32_t count, const qapfw_parameters* values)
        : declared_(declared), count_(count), values_(values) {}

    /// True if the parameter has a value. False only for an optional parameter that the configuration does not set.
    bool present(std::string_view name) const { return value(index(name)).present != 0; }
    /// True if the value is "auto". The plugin then chooses the value and reports it by Host::resolve.
    bool is_auto(std::string_view name) const { return value(index(name)).is_auto != 0; }
    /// The value of an integer or a size.
    std::int64_t integer(std::string_view name) const {
        return find(name, Needs::kValue, QAPFW_PARAMETER_INTEGER, QAPFW_PARAMETER_SIZE).integer;
    }
    /// The value of a real parameter; finite.
    double real(std::string_view name) const { return find(name, Needs::kValue, QAPFW_PARAMETER_REAL).real; }
    /// The value of a flag.
    bool boolean(std::string_view name) const {
        return find(name, Needs::kValue, QAPFW_PARAMETER_BOOLEAN).integer != 0;
    }
    /// The value of a text or a choice; empty if absent.
    std::string text(std::string_view name) const {
        const qapfw_value& value = find(name, Needs::kNothing, QAPFW_PARAMETER_TEXT, QAPFW_PARAMETER_CHOICE);
        return value.present != 0 && value.text != nullptr ? value.text : std::string{};
    }
    /// The value of a choice as its index into the declared choices, from 0.
    std::int64_t choice(std::string_view name) const {
        return find(name, Needs::kValue, QAPFW_PARAMETER_CHOICE).integer;
    }
    /// The texts of a list; empty if absent.
    std::vector<std::string> list(std::string_view name) const {
        const qapfw_value& value = find(name, Needs::kNothing, QAPFW_PARAMETER_LIST);
        std::vector<std::string> texts;
        for (std::uint32_t k = 0; k < value.list_count; ++k) texts.emplace_back(value.list[k]);
        return texts;
    }

  private:
    enum class Needs { kNothing, kValue };

    const qapfw_value& value(std::uint32_t k) const { return values_->values[k]; }

    std::uint32_t index(std::string_view name) const {
        for (std::uint32_t k = 0; k < count_ && k < values_->count; ++k) {
            if (name == declared_[k].name) return k;
        }
        refuse(name, "was never declared");
    }

    template <class... Types>
    const qapfw_value& find(std::string_view name, Needs needs, std::uint32_t asked, Types... also) const {
        const std::uint32_t k = index(name);
        const std::uint32_t type = declared_[k].type;
        if (type != asked && !((type == static_cast<std::uint32_t>(also)) || ...)) {
            refuse(name, "is declared as " + type_name(type) + " and was read as " + type_name(asked));
        }
        if (needs == Needs::kValue && value(k).present == 0) refuse(name, "is absent: ask present() before reading it");
        if (needs == Needs::kValue && value(k).is_auto != 0) refuse(name, "is auto: ask is_auto() before reading it");
        return value(k);
    }

    static std::string type_name(std::uint32_t type) {
        constexpr const char* kNames[] = {"nothing", "an integer", "a real number", "a flag",
                                          "a text",  "a choice",   "a size",        "a list"};
        return type < std::size(kNames) ? kNames[type] : "type " + std::to_string(type);
    }
    [[noreturn]] static void refuse(std::string_view name, const std::string& wrong) {
        throw Error(ErrorKind::kInternal, "parameter '" + std::string(name) + "' " + wrong);
    }

    const qapfw_parameter* declared_;
    std::uint32_t count_;
    const qapfw_parameters* values_;
};

}  // namespace qapfw::sdk

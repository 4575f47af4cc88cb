// SPDX-License-Identifier: Apache-2.0
// Declaring parameters (once) and reading their checked values by name.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "qapfw/abi/parameters.h"
#include "qapfw/error.hpp"

namespace qapfw::sdk {

/// The values of a plugin's parameters, already checked against the declaration.
class Parameters {
  public:
    Parameters(const qapfw_parameter* declared, std::uint32_t count, const qapfw_parameters* values)
        : declared_(declared), count_(count), values_(values) {}

    bool present(std::string_view name) const { return find(name).present != 0; }
    bool is_auto(std::string_view name) const { return find(name).is_auto != 0; }
    std::int64_t integer(std::string_view name) const { return find(name).integer; }
    double real(std::string_view name) const { return find(name).real; }
    bool boolean(std::string_view name) const { return find(name).integer != 0; }
    /// Empty where absent.
    std::string text(std::string_view name) const {
        const qapfw_value& value = find(name);
        return value.present != 0 && value.text != nullptr ? value.text : std::string{};
    }
    /// Index into the declared choices.
    std::int64_t choice(std::string_view name) const { return find(name).integer; }
    std::vector<std::string> list(std::string_view name) const {
        const qapfw_value& value = find(name);
        std::vector<std::string> texts;
        for (std::uint32_t k = 0; k < value.list_count; ++k) texts.emplace_back(value.list[k]);
        return texts;
    }

  private:
    const qapfw_value& find(std::string_view name) const {
        for (std::uint32_t k = 0; k < count_ && k < values_->count; ++k) {
            if (name == declared_[k].name) return values_->values[k];
        }
        throw Error(ErrorKind::kInternal, "parameter '" + std::string(name) + "' was never declared");
    }

    const qapfw_parameter* declared_;
    std::uint32_t count_;
    const qapfw_parameters* values_;
};

}  // namespace qapfw::sdk

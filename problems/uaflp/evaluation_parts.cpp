// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/evaluation_parts.hpp"

#include <fmt/format.h>

namespace qapfw::uaflp {

void check_options(const EvaluationOptions& options) {
    if (!(options.exponent >= 0 && options.exponent <= 16)) {
        throw Error(ErrorKind::kInput,
                    fmt::format("the penalty's exponent must be from 0 to 16, found {}", options.exponent));
    }
    if (!(options.tolerance >= 0 && options.tolerance <= 0.1)) {
        throw Error(ErrorKind::kInput,
                    fmt::format("the tolerance of shapes must be from 0 to 0.1, found {}", options.tolerance));
    }
}

double power(double base, double exponent) {
    if (exponent != std::floor(exponent)) return std::pow(base, exponent);
    double result = 1;
    for (double k = 0; k < exponent; ++k) result *= base;
    return result;
}

double exact_unit(double total, int digits) {
    int exponent = 0;
    std::frexp(total, &exponent);  // total < 2^exponent
    return std::ldexp(1.0, exponent + 1 - (digits - 1));
}

}  // namespace qapfw::uaflp

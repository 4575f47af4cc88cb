// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/instance_files.hpp"

#include <fmt/format.h>

#include "problems/qap/instances/qaplib_reader.hpp"

namespace qapfw::qap {
namespace {

/// v / 10^decimals as an exact decimal number.
std::string decimal(int64_t v, uint32_t decimals) {
    if (decimals == 0) return fmt::format("{}", v);
    const bool negative = v < 0;
    std::string digits =
        fmt::format("{}", negative ? uint64_t{0} - static_cast<uint64_t>(v) : static_cast<uint64_t>(v));
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    digits.insert(digits.size() - decimals, 1, '.');
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return (negative && digits != "0" ? "-" : "") + digits;
}

/// Gives the entries of an instance as texts, in its owner's numbers.
class OwnersText {
  public:
    explicit OwnersText(const QapInstance& instance) : in_(instance), n_(instance.matrices.n) {}

    std::string a(std::size_t i, std::size_t k) const {
        if (in_.owner) return fmt::format("{}", in_.owner->a[i * in_.facilities + k]);
        return decimal(in_.sense * in_.matrices.a[i * n_ + k], in_.resolution.decimals_a);
    }
    std::string b(std::size_t j, std::size_t l) const {
        if (in_.owner) return fmt::format("{}", in_.owner->b[j * n_ + l]);
        return decimal(in_.matrices.b[j * n_ + l], in_.resolution.decimals_b);
    }
    std::string linear(std::size_t i, std::size_t j) const {
        if (in_.owner) return fmt::format("{}", in_.owner->linear[i * n_ + j]);
        return decimal(in_.sense * in_.matrices.linear[i * n_ + j],
                       in_.resolution.decimals_a + in_.resolution.decimals_b);
    }
    std::string forbidden(std::size_t i, std::size_t j) const {
        return in_.matrices.forbidden[i * n_ + j] != 0 ? "1" : "0";
    }

  private:
    const QapInstance& in_;
    std::size_t n_;
};

template <class Entry>
std::string table(std::size_t rows, std::size_t columns, const char* separator, const Entry& entry) {
    std::string out;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) out += (j == 0 ? "" : separator) + entry(i, j);
        out += '\n';
    }
    return out;
}

}  // namespace

std::vector<InstanceFile> to_files(const QapInstance& instance) {
    const std::string name = instance.name + ".dat";
    if (instance.reduction) return {{name, "text/plain", to_qaplib_text(instance.matrices)}};
    const std::size_t m = instance.facilities, n = instance.matrices.n;
    const OwnersText text(instance);
    std::string both = m == n ? fmt::format("{}\n\n", n) : fmt::format("{} {}\n\n", m, n);
    both += table(m, m, " ", [&](std::size_t i, std::size_t k) { return text.a(i, k); }) + "\n";
    both += table(n, n, " ", [&](std::size_t j, std::size_t l) { return text.b(j, l); });
    std::vector<InstanceFile> out{{name, "text/plain", std::move(both)}};
    if (instance.owner ? !instance.owner->linear.empty() : !instance.matrices.linear.empty()) {
        out.push_back({instance.name + "-linear.csv", "text/csv",
                       table(m, n, ",", [&](std::size_t i, std::size_t j) { return text.linear(i, j); })});
    }
    if (!instance.matrices.forbidden.empty()) {
        out.push_back({instance.name + "-forbidden.csv", "text/csv",
                       table(m, n, ",", [&](std::size_t i, std::size_t j) { return text.forbidden(i, j); })});
    }
    return out;
}

}  // namespace qapfw::qap

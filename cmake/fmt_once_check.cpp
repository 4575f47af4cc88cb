// SPDX-License-Identifier: Apache-2.0
// Links only if fmt_once.cpp fits the version of fmt that was found.
#include <fmt/format.h>

int main(int argc, char** argv) {
    return fmt::format(FMT_STRING("{} {:.3f} {:>8}"), argc, 0.5f + argc, argv[0]).empty() ? 1 : 0;
}

// SPDX-License-Identifier: Apache-2.0
// What the last call of MPI that failed says.
#pragma once

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <string>

namespace qapfw::mpi {

inline std::string error_text;

/// Whether a call of MPI succeeded; else error_text says what failed.
inline bool succeeded(int result, const char* what) {
    if (result == MPI_SUCCESS) return true;
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(result, text, &length);
    error_text = std::string(what) + ": " + text;
    return false;
}

}  // namespace qapfw::mpi

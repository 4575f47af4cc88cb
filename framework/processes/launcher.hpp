// SPDX-License-Identifier: Apache-2.0
// The words of a launcher (mpirun, mpiexec, srun) to the processes that it starts, its environment variables: those of
// Open MPI, of PMI (MPICH, Intel MPI, Slurm) and of PMIx (Slurm, PRRTE).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace qapfw::framework {

struct Launch {
    std::string sign;             ///< the variable by which it is recognised: "OMPI_COMM_WORLD_SIZE"
    std::uint32_t processes = 0;  ///< number of processes; 0: the launcher does not say it
};

/// Nothing where no launcher started this process.
std::optional<Launch> find_launch();

}  // namespace qapfw::framework

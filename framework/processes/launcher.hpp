// SPDX-License-Identifier: Apache-2.0
// Reads the environment variables that a launcher (mpirun, mpiexec, srun) sets for its processes. The variables of
// Open MPI, of PMI (MPICH, Intel MPI, Slurm) and of PMIx (Slurm, PRRTE) are known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace qapfw::framework {

struct Launch {
    std::string sign;             ///< name of the variable that shows the launch, such as "OMPI_COMM_WORLD_SIZE"
    std::uint32_t processes = 0;  ///< number of processes; 0: unknown
};

/// The launch of this process; nothing if no launcher started it.
std::optional<Launch> find_launch();

}  // namespace qapfw::framework

# SPDX-License-Identifier: Apache-2.0
# process_of <pid of mpirun> <rank>: prints the id of the process with this rank. The mpirun of Open MPI or MPICH has
# started the process. Scripts source this file.
process_of() {
    local pid
    for pid in $(pgrep -P "$1"); do
        if tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qE "^(OMPI_COMM_WORLD_RANK|PMI_RANK)=$2\$"; then
            echo "$pid"
        else
            process_of "$pid" "$2"
        fi
    done
}

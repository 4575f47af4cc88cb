#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long NVRTC takes to compile device texts, in seconds of this process's user CPU time. Needs libnvrtc, no GPU.

    bench/compile_times.py [--root FOLDER] [--architecture 90] [--repeat 3] [-DNAME=VALUE ...] [-OPTION ...] TEXT ...

Each TEXT is a path below the repository and is compiled by itself. To compile several texts together, join their paths by
commas. Texts that are included need not be named. An example: the kernels of imga and its improver for layouts of 60
departments:

    bench/compile_times.py -DUAFLP_N=60 -DUAFLP_BITS_OFFSET=128 -DUAFLP_REAL=double -DUAFLP_EUCLIDEAN=0 -fmad=false \\
        -DIMGA_IN_SHARED=1 -DIMGA_HAS_BITS=1 --first problems/uaflp/device/uaflp_problem.cuh \\
        plugins/imga/device/breeding_kernels.cuh plugins/fbs_local_search/device/fbs_local_search_kernel.cuh
"""
import argparse
import ctypes
import os
import pathlib
import resource
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
OPTIONS = ["-std=c++20", "-default-device", "--no-source-include", "-lineinfo"]  # as in kernel_program.cpp


def load_nvrtc():
    folders = [os.environ["CUDA_HOME"] + "/lib64/"] if "CUDA_HOME" in os.environ else []
    for folder in [*folders, "/usr/local/cuda/lib64/", ""]:
        for major in (13, 12):
            try:
                return ctypes.CDLL(f"{folder}libnvrtc.so.{major}")
            except OSError:
                continue
    sys.exit("no libnvrtc.so.13 or libnvrtc.so.12 in $CUDA_HOME/lib64, /usr/local/cuda/lib64 or the loader's path")


def log_of(nvrtc, program):
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    return log.value.decode()


def compile_once(nvrtc, source, options):
    """Compiles the source once. Returns the seconds of CPU time."""
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"texts", 0, None, None)
    c_options = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    failed = nvrtc.nvrtcCompileProgram(program, len(options), c_options)
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    if failed:
        sys.exit(log_of(nvrtc, program))
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=REPOSITORY, help="folder of the checkout whose texts are compiled (default: this one)")
    parser.add_argument("--architecture", type=int, default=90)
    parser.add_argument("--repeat", type=int, default=3, help="number of compilations of each text; the least time counts")
    parser.add_argument("--first", default="", help="a text that is put before each of the others, such as the problem's")
    given, rest = parser.parse_known_args()
    texts = [word for word in rest if not word.startswith("-")]
    options = OPTIONS + [word for word in rest if word.startswith("-")]
    options += [f"--gpu-architecture=sm_{given.architecture}"]
    options += [f"-I{given.root}", f"-I{given.root}/kernels/include"]
    nvrtc = load_nvrtc()
    for text in texts:
        files = [file for file in [given.first, *text.split(",")] if file]
        source = "".join(f'#include "{file}"\n' for file in files)
        seconds = min(compile_once(nvrtc, source, options) for _ in range(given.repeat))
        print(f"{seconds:7.2f} s  {text}", flush=True)


if __name__ == "__main__":
    main()

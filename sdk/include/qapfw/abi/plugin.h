/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin library exports one symbol: the constant `qapfw_plugin_entry`. The framework first reads it in a
 * short-lived child process. Until the constant is checked, only the library's static constructors run. */
#ifndef QAPFW_ABI_PLUGIN_H
#define QAPFW_ABI_PLUGIN_H

#include "qapfw/abi/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes that qapfw_plugin begins with, padded with zeros. */
#define QAPFW_PLUGIN_MAGIC "qapfw-plugin"
/* Operating system and processor of this contract. A plugin built for another platform is refused. */
#define QAPFW_PLUGIN_PLATFORM "linux-x86_64"
/* Ending of the file names of plugin libraries. In plugin folders, other files are ignored. */
#define QAPFW_PLUGIN_SUFFIX ".qapfw.so"

/* Kinds of components. */
enum {
    QAPFW_KIND_PROBLEM = 1, /* its table is a qapfw_problem_table */
    QAPFW_KIND_SOLVER = 2,  /* its table is a qapfw_solver_table */
    QAPFW_KIND_IMPROVER = 3 /* its table is a qapfw_improver_table */
};
/* Backends on which a component can work. */
enum {
    QAPFW_BACKEND_CPU = 1, /* on CPU threads */
    QAPFW_BACKEND_CUDA = 2 /* on CUDA GPUs: it has device code */
};

/* One problem, solver or improver of a plugin. Its identity is (kind, id), which must be unique in the plugin. */
typedef struct qapfw_component {
    uint32_t struct_size;
    uint32_t kind;           /* QAPFW_KIND_... */
    const char* id;          /* snake_case, as in a configuration's `plugin = "tabu"` */
    const char* version;     /* version of this component, "1.2.3" */
    const char* summary;     /* one sentence */
    const char* reference;   /* publication (paper, section), or null */
    uint32_t parameter_count; /* number of parameters; may be 0 */
    uint32_t parameter_size; /* sizeof(qapfw_parameter) when the plugin was built */
    const qapfw_parameter* parameters; /* `parameter_count` declarations; null if there are none */
    const void* table;       /* qapfw_problem_table, qapfw_solver_table or qapfw_improver_table */
    /* Solver, improver: the encodings it can work on, separated by spaces; null: every encoding. An encoding is written
     * as the names of its segments, joined by '+': "permutation permutation+bays" lists two encodings. Names:
     * permutation (elements of 2 bytes), permutation32 (elements of 4 bytes), values, bits, bays; counted_values and
     * counted_bits for segments with counts. Problem: null. */
    const char* encodings;
    uint32_t backends;       /* QAPFW_BACKEND_... or-ed */
    uint32_t uses_improver;  /* solver: 0 never, 1 may, 2 must have one */
    /* [thread-safe] The table of the capability with this id; null if the component lacks it. */
    const void* (*get_capability)(const char* id);
} qapfw_component;

/* A plugin library's description of itself. It is constant: everything it points to lives as long as the library. */
typedef struct qapfw_plugin {
    char magic[16];       /* QAPFW_PLUGIN_MAGIC */
    uint32_t struct_size;
    uint32_t abi_major, abi_minor; /* QAPFW_ABI_MAJOR and QAPFW_ABI_MINOR of the SDK with which the plugin was built */
    uint32_t component_count; /* number of components, 1 to 64 */
    const char* platform; /* QAPFW_PLUGIN_PLATFORM */
    const char* id;       /* reverse domain or project name, such as "qapfw.tabu" */
    const char* version;  /* version of the library, "1.2.3" */
    const char* compiler; /* the compiler's name, only for messages */
    const char* licence;  /* SPDX expression, or null */
    const qapfw_component* const* components; /* the `component_count` components, none null */
} qapfw_plugin;

/* Marks the symbol that a plugin library exports; all others are hidden. */
#if defined(__GNUC__)
#define QAPFW_EXPORT __attribute__((visibility("default")))
#else
#define QAPFW_EXPORT
#endif

/* The one exported symbol. Each plugin library defines it; in C++ the macro QAPFW_PLUGIN does. */
extern QAPFW_EXPORT const qapfw_plugin qapfw_plugin_entry;

#ifdef __cplusplus
}
#endif
#endif

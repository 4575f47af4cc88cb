/* SPDX-License-Identifier: Apache-2.0 */
/* The one exported symbol of a plugin library is the constant `qapfw_plugin_entry`. The framework reads it in a
 * short-lived child process first; nothing but the library's static constructors runs before it is checked. */
#ifndef QAPFW_ABI_PLUGIN_H
#define QAPFW_ABI_PLUGIN_H

#include "qapfw/abi/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

#define QAPFW_PLUGIN_MAGIC "qapfw-plugin"
#define QAPFW_PLUGIN_PLATFORM "linux-x86_64"
#define QAPFW_PLUGIN_SUFFIX ".qapfw.so"

enum { QAPFW_KIND_PROBLEM = 1, QAPFW_KIND_SOLVER = 2, QAPFW_KIND_IMPROVER = 3 };
enum { QAPFW_BACKEND_CPU = 1, QAPFW_BACKEND_CUDA = 2 };

/* Identity is (kind, id). */
typedef struct qapfw_component {
    uint32_t struct_size;
    uint32_t kind;           /* QAPFW_KIND_... */
    const char* id;          /* snake_case, as in a configuration's `plugin = "tabu"` */
    const char* version;     /* of this component, "1.2.3" */
    const char* summary;     /* one sentence */
    const char* reference;   /* publication (paper, section), or null */
    uint32_t parameter_count;
    uint32_t parameter_size; /* sizeof(qapfw_parameter) the plugin was built with */
    const qapfw_parameter* parameters;
    const void* table;       /* qapfw_problem_table, qapfw_solver_table or qapfw_improver_table */
    /* Solver, improver: encodings it can work on, separated by spaces, each the kinds of the segments joined by '+':
     * "permutation permutation+bits"; null: every encoding. Problem: null. */
    const char* encodings;
    uint32_t backends;       /* QAPFW_BACKEND_... or-ed */
    uint32_t uses_improver;  /* solver: 0 never, 1 may, 2 must have one */
    /* [thread-safe] Null, or the capability's table for an id this component knows; null for every other id. */
    const void* (*get_capability)(const char* id);
} qapfw_component;

typedef struct qapfw_plugin {
    char magic[16];       /* QAPFW_PLUGIN_MAGIC */
    uint32_t struct_size;
    uint32_t abi_major, abi_minor;
    uint32_t component_count;
    const char* platform; /* QAPFW_PLUGIN_PLATFORM */
    const char* id;       /* reverse domain or project name, such as "qapfw.tabu" */
    const char* version;
    const char* compiler; /* for messages only */
    const char* licence;  /* SPDX expression, or null */
    const qapfw_component* const* components;
} qapfw_plugin;

#if defined(__GNUC__)
#define QAPFW_EXPORT __attribute__((visibility("default")))
#else
#define QAPFW_EXPORT
#endif

extern QAPFW_EXPORT const qapfw_plugin qapfw_plugin_entry;

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A problem: an instance, its encoding and its exact cost. Only the functions of qapfw_problem_table are required.
 * Capabilities make a problem faster (swap neighbourhood) or let it run on a GPU (device code). */
#ifndef QAPFW_ABI_PROBLEM_H
#define QAPFW_ABI_PROBLEM_H

#include "qapfw/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A created problem: one instance. After it is made it does not change. */
typedef struct qapfw_problem qapfw_problem;

/* A problem's facts about its instance. The problem owns everything pointed to, which is valid as long as the problem
 * exists. */
typedef struct qapfw_problem_info {
    uint32_t struct_size;
    uint32_t n;              /* size of the instance: "16n" in a configuration means 16 times n */
    qapfw_encoding encoding; /* encoding of the solutions */
    uint32_t cost_kind;      /* QAPFW_COST_... */
    int32_t sense;           /* people see sense * cost / display_divisor; -1 for a maximisation */
    int64_t display_divisor; /* at least 1 */
    const char* instance;    /* short name, such as "tai60a" */
    const char* summary;     /* one line about the instance: size, symmetry, widths, source */
    uint64_t fingerprint;    /* hash of the instance's data; a resumed run must find the same hash. 0: the framework
                              * hashes the parameters, and the files that they name */
    uint32_t has_best_known; /* 1: best_known is set; 0: none is known */
    uint32_t has_lower_bound; /* 1: lower_bound is set; else 0 */
    qapfw_cost best_known;   /* least known cost, before `sense` and `display_divisor` are applied */
    const char* best_known_source; /* publication or file of best_known, with date; null if unknown */
    qapfw_cost lower_bound;  /* no solution costs less */
    uint32_t best_known_is_optimal; /* 1: no solution costs less than best_known; else 0 */
} qapfw_problem_info;

/* The functions of a problem. */
typedef struct qapfw_problem_table {
    uint32_t struct_size;
    /* [main] Reads the instance that the parameters name. `host` outlives the problem. */
    qapfw_status (*create)(const qapfw_host* host, const qapfw_parameters* parameters, qapfw_problem** out);
    /* [main] Call it after everything that uses the problem is destroyed. */
    void (*destroy)(qapfw_problem*);
    /* [thread-safe] The facts: the same address every time, never null. */
    const qapfw_problem_info* (*info)(qapfw_problem*);
    /* [thread-safe] Computes the costs of a batch from scratch. An invalid solution is an error, and so is a cost
     * of NaN. */
    qapfw_status (*evaluate)(qapfw_problem*, const qapfw_batch*);
    /* [main] Reads a solution in the problem's own text form, for a warm start. Null: the problem takes no warm
     * starts. */
    qapfw_status (*read_solution)(qapfw_problem*, const char* text, uint64_t size, void* solution);
    /* [main] Emits the files of a solution, such as "solution.sln" and "layout.svg": at least one text form of it. */
    qapfw_status (*write_artefacts)(qapfw_problem*, const void* solution, qapfw_cost cost, qapfw_emit emit, void* user);
    /* [main] Emits a drawing in plain text. A terminal shows all of it, other outputs only its first line. May be
     * null. */
    qapfw_status (*draw)(qapfw_problem*, const void* solution, qapfw_emit emit, void* user);
} qapfw_problem_table;

/* A created problem together with its functions, as solvers and improvers see it. */
typedef struct qapfw_problem_ref {
    uint32_t struct_size;
    qapfw_problem* problem;           /* first argument of the table's functions */
    const qapfw_problem_table* table; /* its functions */
    /* [thread-safe] Returns the table of the capability with this id; null if the component lacks it. If the function
     * pointer get_capability is null, the component has no capabilities. */
    const void* (*get_capability)(const char* id);
    const char* id; /* the component's id, for messages */
} qapfw_problem_ref;

/* Capability: lists the instances that have a name and need no file, and writes an instance to a file. */
#define QAPFW_PROBLEM_INSTANCES "qapfw.problem.instances/1"
/* The capability's table. */
typedef struct qapfw_problem_instances {
    uint32_t struct_size;
    /* [main] Emits one piece for each named instance. The piece has the instance's name, media type "text/plain" and
     * bytes "n<TAB>best<TAB>source". `best`: the best known cost, or "-" if none is known. */
    qapfw_status (*list)(const qapfw_host* host, qapfw_emit emit, void* user);
    /* [main] Emits the instance as one or more files in the problem's file format. */
    qapfw_status (*write_instance)(qapfw_problem*, qapfw_emit emit, void* user);
} qapfw_problem_instances;

/* Capability for commands that name no problem: recognises an instance by its name or file. Does not read the whole
 * file. */
#define QAPFW_PROBLEM_RECOGNITION "qapfw.problem.recognition/1"
/* The capability's table. */
typedef struct qapfw_problem_recognition {
    uint32_t struct_size;
    /* [main] `reference`: a possible value of the parameter `instance`. Emits one piece for each way in which the
     * problem would read the reference; none if the reference is not for this problem. The name of a piece says what
     * the reference is ("a QAPLIB file"). Its media type is "text/plain"; its bytes are a line "key=value" for each
     * further parameter to set. A file with mistakes is recognised too; reading it reports them. */
    qapfw_status (*recognise)(const qapfw_host* host, const char* reference, qapfw_emit emit, void* user);
} qapfw_problem_recognition;

/* Capability: device code as CUDA C++ text and plain data. The texts, joined in the order of `texts`, must define the
 * type `qapfw::device::Problem` as described in qapfw/kernels/swap_neighbourhood.hpp, with a trivially copyable
 * `Problem::View`. The instance's size and widths are passed as macros or template arguments. */
#define QAPFW_PROBLEM_DEVICE "qapfw.problem.device/1"
/* A text of device code. A problem's text must live as long as the problem. Any other text must live as long as the
 * plugin's library. */
typedef struct qapfw_text {
    const char* name; /* for compile errors: "<plugin id>/<file>" */
    const char* text; /* CUDA C++ in UTF-8 */
    uint64_t size;    /* bytes of `text` */
} qapfw_text;
/* An array of the instance for the device. Its address is a part of the View. */
typedef struct qapfw_view_buffer {
    const void* bytes; /* the array's bytes; they are copied to the device once */
    uint64_t size;     /* bytes of the array; 0: the View gets a null address */
    uint64_t view_offset; /* position of the 8-byte device address in the View */
} qapfw_view_buffer;
/* A problem's device code, and the data that it reads. */
typedef struct qapfw_device_problem {
    uint32_t struct_size;
    uint32_t text_count; /* number of texts, at least 1 */
    const qapfw_text* texts; /* the texts, joined in this order */
    const void* view; /* the View's bytes; addresses are filled in by the framework */
    uint64_t view_size; /* sizeof(Problem::View) on the device, at least 1 */
    uint64_t buffer_count; /* number of buffers; may be 0 */
    const qapfw_view_buffer* buffers; /* the `buffer_count` buffers */
    const char* options; /* further NVRTC options separated by spaces ("-fmad=false"), or null */
} qapfw_device_problem;
struct qapfw_device;
/* The table of the capability QAPFW_PROBLEM_DEVICE. */
typedef struct qapfw_problem_device {
    uint32_t struct_size;
    /* [main] The device code. Owned by the problem. Null if this instance has none; set_error may say why. */
    const qapfw_device_problem* (*describe)(qapfw_problem*);
    /* [thread-safe] Call it after `describe`. The number of searches over the swap neighbourhood that one
     * multiprocessor runs at the same time. The number follows from the hints of the texts
     * (qapfw/kernels/swap_neighbourhood.hpp), so it is known before a kernel is compiled. It is right if the solver
     * lets the problem distribute the pairs to threads. 0: unknown. May be null. */
    uint32_t (*searches)(qapfw_problem*, const struct qapfw_device*);
} qapfw_problem_device;

/* Capability: the problem's device code may compute costs less exactly than `evaluate`. The framework then
 * computes the cost of every reported solution by `evaluate`, and uses that instead of the solver's cost. The search on
 * a GPU may differ from the one on the CPU. */
#define QAPFW_PROBLEM_APPROXIMATE_DEVICE "qapfw.problem.approximate_device/1"
/* The capability's table. */
typedef struct qapfw_approximate_device {
    uint32_t struct_size;
    /* [thread-safe] Nonzero: this problem's device code computes costs less exactly than `evaluate`. The answer is the
     * same every time. */
    int32_t (*is_approximate)(qapfw_problem*);
} qapfw_approximate_device;

#ifdef __cplusplus
}
#endif
#endif

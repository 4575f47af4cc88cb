/* SPDX-License-Identifier: Apache-2.0 */
/* Types that every other header of the contract uses. Only fixed-width integers, doubles, pointers with lengths and
 * UTF-8 text cross the boundary between the framework and a plugin: no C++ type, no exception.
 *
 * If a struct has the member struct_size, this member is the first. It holds the struct's size in bytes. New versions
 * of such a struct add members only at its end. A reader uses the smaller of two sizes: struct_size, and the size that
 * the reader knows. Members beyond the smaller size are absent.
 *
 * Functions carry tags that say who may call them:
 *   [main]                   the thread that runs the command
 *   [worker]                 one worker at a time for one handle
 *   [one thread per device]  one thread at a time for the objects of one device
 *   [thread-safe]            any number of threads at once */
#ifndef QAPFW_ABI_BASE_H
#define QAPFW_ABI_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The major version of the contract. A plugin is loaded only if its major version is the framework's. */
#define QAPFW_ABI_MAJOR 2
/* The minor version grows with every addition at the end of a table. A plugin's minor version may be older or newer
 * than the framework's. */
#define QAPFW_ABI_MINOR 0

/* Result of a call. Before a function returns a failure, it passes one sentence to the host's set_error. */
typedef int32_t qapfw_status;
/* Values of qapfw_status. */
enum {
    QAPFW_OK = 0,                /* done */
    QAPFW_ERROR = 1,             /* failed; see the message */
    QAPFW_ERROR_INPUT = 2,       /* an instance, a solution or a parameter is wrong */
    QAPFW_ERROR_UNSUPPORTED = 3, /* a combination (of problem, solver, instance, device) that is not supported */
    QAPFW_ERROR_MEMORY = 4,      /* host or device memory exhausted */
    QAPFW_ERROR_DEVICE = 5,      /* the device failed and is not to be used any more */
    QAPFW_STOPPED = 6            /* no error: the call gave up because of should_stop; no message */
};

/* A cost: an 8-byte integer or a binary64 number, as the problem declares. The framework always minimises. */
typedef union qapfw_cost {
    int64_t i; /* the cost of a problem with QAPFW_COST_INT64 */
    double f;  /* the cost of a problem with QAPFW_COST_FLOAT64; never NaN */
} qapfw_cost;
/* The member of qapfw_cost that a problem uses. */
enum {
    QAPFW_COST_INT64 = 1,  /* exact integers */
    QAPFW_COST_FLOAT64 = 2 /* binary64 */
};

/* Kinds of segments. */
enum {
    QAPFW_SEGMENT_PERMUTATION = 1, /* each of 0..length-1 once; elements of 2 or 4 bytes, 4 if length > 65536 */
    QAPFW_SEGMENT_BITS = 2,        /* elements of 1 byte, each 0 or 1 */
    QAPFW_SEGMENT_VALUES = 3,      /* elements of 1, 2 or 4 bytes, each below its bound */
    QAPFW_SEGMENT_BAYS = 4 /* elements of 1 byte, each 0 or 1. Element k is 1 if position k is the last of its bay.
                              Only as segment 1 of two; segment 0 is then a permutation of length + 1 */
};
/* One array of a solution: elements of one type, little-endian, at a fixed offset. Members that the segment's kind
 * does not use are 0 or null. */
typedef struct qapfw_segment {
    uint32_t kind;          /* QAPFW_SEGMENT_... */
    uint32_t length;        /* number of elements */
    uint32_t element_bytes; /* size of an element, see the kinds */
    uint32_t offset;        /* bytes from the solution's start: the first multiple of 16 after the previous segment */
    uint32_t bound;         /* for values: each value is below this bound; 0 if `bounds` is given */
    uint32_t reserved;      /* 0 */
    const uint32_t* bounds; /* for values: a bound for each element, at least 1; null if `bound` is given */
    const uint32_t* counts; /* for values with `bound`, and bits: counts[v] elements hold v; null: any number */
    /* For values with `bound`: a solution should keep capacities. The weights of all elements with value v should sum
     * up to at most capacities[v]. Operators may use weights and capacities. A solution that exceeds a capacity is
     * valid; the problem's cost decides how good the solution is. Both null: there are no capacities. */
    const int64_t* weights;    /* a weight for each element; at least 0 */
    const int64_t* capacities; /* a capacity for each value below `bound`; at least 0 */
} qapfw_segment;

/* Layout of a problem's solutions in memory: a list of segments. Valid as long as the problem exists. */
typedef struct qapfw_encoding {
    uint32_t struct_size;
    uint32_t segment_count;        /* number of segments, at least 1 */
    const qapfw_segment* segments; /* the segments; the swap neighbourhood and insertions change only the first */
    uint64_t solution_bytes;    /* the end of the last segment, padded (with zeros) to a multiple of 16: the stride of a
                                   batch */
    const uint8_t* fixed;       /* a byte for each element of all segments, in order: 1 = the element keeps the value of
                                   fixed_solution; null: all are free */
    const void* fixed_solution; /* a valid solution that holds the fixed values; null if `fixed` is null */
} qapfw_encoding;

/* `count` solutions one after the other with the encoding's stride, and their costs. Owned by the caller. */
typedef struct qapfw_batch {
    void* solutions;   /* the solutions: count * solution_bytes bytes */
    qapfw_cost* costs; /* a cost for each solution */
    uint64_t count;    /* number of solutions; 0: there is nothing to do */
} qapfw_batch;

/* Receives one piece of output: a file or a text with a name. The bytes are copied before the function returns. */
typedef void (*qapfw_emit)(void* user, const char* name, const char* media_type, const void* bytes, uint64_t size);

#ifdef __cplusplus
}
#endif
#endif

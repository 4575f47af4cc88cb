/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters. A plugin declares them in a table. The framework checks the configuration against the table before it
 * creates anything; messages give file:line:column. `qapfw plugin describe`, the reference documentation and the JSON
 * Schema come from the same table. */
#ifndef QAPFW_ABI_PARAMETERS_H
#define QAPFW_ABI_PARAMETERS_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of parameters. */
enum {
    QAPFW_PARAMETER_INTEGER = 1, /* int64_t */
    QAPFW_PARAMETER_REAL = 2,    /* binary64, finite */
    QAPFW_PARAMETER_BOOLEAN = 3, /* true or false */
    QAPFW_PARAMETER_TEXT = 4,    /* UTF-8 */
    QAPFW_PARAMETER_CHOICE = 5, /* one of `choices` */
    QAPFW_PARAMETER_SIZE = 6,   /* integer, or text "[int] n [/ int]" relative to the problem's size n, such as "16n",
                                   "n/4": rounded down, at least 1. Not for problems: their size is not known yet. */
    QAPFW_PARAMETER_LIST = 7    /* array of texts */
};
/* Flags of parameters, or-ed. */
enum {
    QAPFW_PARAMETER_REQUIRED = 1, /* no default: must be given */
    QAPFW_PARAMETER_AUTO = 2,     /* accepts "auto"; the plugin resolves it (qapfw_host.resolve) */
    QAPFW_PARAMETER_PATH = 4,     /* TEXT: a file; relative paths are taken from the configuration's folder */
    QAPFW_PARAMETER_OPTIONAL = 8  /* no default and may be absent (qapfw_value.present = 0) */
};

/* The declaration of a parameter. All texts are UTF-8, end with a zero byte and live as long as the library. */
typedef struct qapfw_parameter {
    const char* name;         /* snake_case key in the configuration */
    uint32_t type;            /* one of the types above */
    uint32_t flags;           /* QAPFW_PARAMETER_REQUIRED ... _OPTIONAL, or-ed; 0: none of them */
    const char* default_text; /* the default as in TOML, but strings without quotes: "8n", "0.5", "true",
                               * "auto"; null if the parameter is REQUIRED or OPTIONAL */
    double minimum, maximum;  /* inclusive; for INTEGER, SIZE, REAL; both 0: unbounded */
    const char* choices;      /* for CHOICE: "first|second|third" */
    const char* unit;         /* "iterations", "seconds", ... or null */
    const char* symbol;       /* the paper's symbol, or null */
    const char* summary;      /* what the parameter means, in a few sentences */
} qapfw_parameter;

/* The checked value of a parameter; the default if the configuration does not set it. */
typedef struct qapfw_value {
    uint32_t type;    /* type of the parameter, as declared */
    uint32_t present; /* 0: absent (OPTIONAL only) */
    uint32_t is_auto; /* 1: the value is "auto"; the members below hold nothing */
    uint32_t list_count; /* for LIST: number of texts in `list` */
    int64_t integer; /* INTEGER, SIZE (resolved), BOOLEAN (0 or 1), CHOICE (index) */
    double real;     /* REAL */
    const char* text; /* TEXT, CHOICE; ends with a zero byte */
    const char* const* list; /* LIST: texts that end with a zero byte */
} qapfw_value;

/* The values in the order of the declaration. Valid until create returns. */
typedef struct qapfw_parameters {
    uint32_t struct_size;
    uint32_t count; /* number of values: the component's parameter_count */
    const qapfw_value* values; /* the `count` values */
} qapfw_parameters;

#ifdef __cplusplus
}
#endif
#endif

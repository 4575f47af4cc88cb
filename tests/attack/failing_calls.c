/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is preloaded into the program under test. It counts the program's calls that create, write, flush,
 * truncate, rename, link, remove or close files, and lets chosen calls fail like disks and networks do. Environment:
 *   QAPFW_FAIL_CALLS  numbers of the calls that fail, counted from 1: "12", "12,15", or "12+" for all from call 12 on
 *   QAPFW_FAIL_WAY    how they fail: "enospc" (the default) or "eio", with this error; "short": writes write half of
 *                     their bytes, and all other calls fail with enospc
 *   QAPFW_FAIL_COUNT  file into which the library writes the number of calls when the program ends */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(name)*)dlsym(RTLD_NEXT, #name))

static atomic_long calls;
static pid_t owner; /* the process whose calls are counted; calls of its forked children are not */

__attribute__((constructor)) static void remember_owner(void) {
    owner = getpid();
}

static int is_chosen(long call) {
    const char* list = getenv("QAPFW_FAIL_CALLS");
    while (list != NULL && *list != '\0') {
        char* end = NULL;
        const long number = strtol(list, &end, 10);
        if (end == list) return 0;
        if (number == call || (*end == '+' && call >= number)) return 1;
        list = *end == '+' || *end == ',' ? end + 1 : end;
        if (*list == ',') ++list;
    }
    return 0;
}

/* Counts the present call. True if it must fail; then errno is set. */
static int fails(void) {
    if (getpid() != owner) return 0;
    const long call = atomic_fetch_add(&calls, 1) + 1;
    if (!is_chosen(call)) return 0;
    const char* way = getenv("QAPFW_FAIL_WAY");
    errno = way != NULL && strcmp(way, "eio") == 0 ? EIO : ENOSPC;
    return 1;
}

static int is_file(int descriptor) {
    struct stat info;
    return descriptor > 2 && fstat(descriptor, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
    if (!is_file(descriptor)) return REAL(write)(descriptor, bytes, size);
    const char* way = getenv("QAPFW_FAIL_WAY");
    if (fails()) {
        if (way != NULL && strcmp(way, "short") == 0 && size > 1) return REAL(write)(descriptor, bytes, size / 2);
        return -1;
    }
    return REAL(write)(descriptor, bytes, size);
}

int fsync(int descriptor) {
    return fails() ? -1 : REAL(fsync)(descriptor);
}

int ftruncate(int descriptor, off_t size) {
    return fails() ? -1 : REAL(ftruncate)(descriptor, size);
}

int close(int descriptor) {
    const int flags = is_file(descriptor) ? fcntl(descriptor, F_GETFL) : O_RDONLY;
    const int writes = (flags & O_ACCMODE) != O_RDONLY;
    const int failed = writes && fails();
    const int reason = errno;
    const int result = REAL(close)(descriptor);
    if (!failed) return result;
    errno = reason;
    return -1;
}

int rename(const char* from, const char* to) {
    return fails() ? -1 : REAL(rename)(from, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
    return fails() ? -1 : REAL(renameat)(from_folder, from, to_folder, to);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
    return fails() ? -1 : REAL(linkat)(from_folder, from, to_folder, to, flags);
}

int unlinkat(int folder, const char* name, int flags) {
    return fails() ? -1 : REAL(unlinkat)(folder, name, flags);
}

int mkdir(const char* path, mode_t mode) {
    return fails() ? -1 : REAL(mkdir)(path, mode);
}

int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return (flags & O_CREAT) != 0 && fails() ? -1 : REAL(open)(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return (flags & O_CREAT) != 0 && fails() ? -1 : REAL(openat)(folder, path, flags, mode);
}

__attribute__((destructor)) static void tell_count(void) {
    const char* path = getenv("QAPFW_FAIL_COUNT");
    if (path == NULL || getpid() != owner) return;
    const int file = REAL(open)(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    char text[32];
    const int size = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
    if (file < 0) return;
    if (REAL(write)(file, text, (size_t)size) != size) perror(path);
    REAL(close)(file);
}

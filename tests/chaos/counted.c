/* Kills the process group at the n-th call that changes a file (LD_PRELOAD). The file named by
   CHAOS_COUNT holds three numbers: calls so far, n (0: none), a process group that is spared. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void count(void) {
  static long *shared;
  if (!shared) {
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    const char *name = getenv("CHAOS_COUNT");
    int file = name ? real(name, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    shared = mmap(0, 3 * sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED) { shared = 0; return; }
  }
  if (!shared[1] || getpgrp() == shared[2]) return;
  if (__atomic_add_fetch(shared, 1, __ATOMIC_SEQ_CST) == shared[1]) {
    kill(0, SIGKILL);
    pause();
  }
}

#define CHANGING(type, name, parameters, arguments)      \
  type name parameters {                                 \
    type (*real) parameters = dlsym(RTLD_NEXT, #name);   \
    count();                                             \
    return real arguments;                               \
  }
CHANGING(int, rename, (const char *from, const char *to), (from, to))
CHANGING(int, link, (const char *from, const char *to), (from, to))
CHANGING(int, symlink, (const char *from, const char *to), (from, to))
CHANGING(int, unlink, (const char *path), (path))
CHANGING(int, unlinkat, (int at, const char *path, int flags), (at, path, flags))
CHANGING(int, rmdir, (const char *path), (path))
CHANGING(int, mkdir, (const char *path, mode_t mode), (path, mode))
CHANGING(int, chmod, (const char *path, mode_t mode), (path, mode))
CHANGING(int, fsync, (int file), (file))
CHANGING(int, ftruncate, (int file, off_t size), (file, size))
CHANGING(int, ftruncate64, (int file, off64_t size), (file, size))
CHANGING(ssize_t, write, (int file, const void *from, size_t size), (file, from, size))

#define OPENING(name)                                                \
  int name(const char *path, int flags, ...) {                       \
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);   \
    va_list rest;                                                    \
    va_start(rest, flags);                                           \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;        \
    va_end(rest);                                                    \
    if (flags & (O_CREAT | O_TRUNC)) count();                        \
    return real(path, flags, mode);                                  \
  }
OPENING(open)
OPENING(open64)

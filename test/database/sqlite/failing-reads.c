/*
 * Loaded into the service before all else (LD_PRELOAD). Of so many reads in a hundred as the file FAILING_PERCENT says,
 * those of files whose path begins with FAILING_FILE fail as those of a broken disk do (EIO).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int percent(void) {
  char text[8] = "";
  const char *path = getenv("FAILING_PERCENT");
  int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0) return 0;
  if (syscall(SYS_read, fd, text, sizeof text - 1) < 0) abort();
  close(fd);
  return atoi(text);
}

static int fails(int fd) {
  static __thread unsigned seed = 1;
  char link[64], path[4096];
  const char *failing = getenv("FAILING_FILE");
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0 || !failing) return 0;
  path[length] = 0;
  if (strncmp(path, failing, strlen(failing)) != 0 || (int)(rand_r(&seed) % 100) >= percent()) return 0;
  errno = EIO;
  return 1;
}

typedef ssize_t (*reading)(int, void *, size_t, off_t);

ssize_t pread(int fd, void *into, size_t bytes, off_t at) {
  static reading real;
  if (!real) real = (reading)dlsym(RTLD_NEXT, "pread");
  return fails(fd) ? -1 : real(fd, into, bytes, at);
}

ssize_t pread64(int fd, void *into, size_t bytes, off_t at) {
  static reading real;
  if (!real) real = (reading)dlsym(RTLD_NEXT, "pread64");
  return fails(fd) ? -1 : real(fd, into, bytes, at);
}

ssize_t read(int fd, void *into, size_t bytes) {
  static ssize_t (*real)(int, void *, size_t);
  if (!real) real = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
  return fails(fd) ? -1 : real(fd, into, bytes);
}

/*
 * Loaded into the service before all else (LD_PRELOAD). Keeps a second folder with what a power cut would leave: each
 * file below SYNCED_FROM as it was when its last completed sync began, below SYNCED_TO. Syncs take SYNC_DELAY_MS more.
 * Each is noted in the file SYNC_NOTES, with the thread that waited for it: `main` or `other`.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_FILES 256

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { ino_t inode; unsigned long published; } files[MAX_FILES];
static unsigned long captures;

static void note(const char *path) {
  char line[4200];
  int length = snprintf(line, sizeof line, "%s %s\n", syscall(SYS_gettid) == getpid() ? "main" : "other", path);
  int to = open(getenv("SYNC_NOTES"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (to < 0 || write(to, line, length) != length) abort();
  close(to);
}

static void capture(int from, const char *to) {
  static char chunk[1 << 16];
  int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (out < 0) abort();
  off_t at = 0;
  for (ssize_t got; (got = pread(from, chunk, sizeof chunk, at)) > 0; at += got)
    if (write(out, chunk, got) != got) abort();
  close(out);
}

static void publish(ino_t inode, unsigned long number, const char *from, const char *to) {
  int at = 0;
  while (at < MAX_FILES - 1 && files[at].inode != 0 && files[at].inode != inode) at++;
  files[at].inode = inode;
  if (files[at].published > number) { unlink(from); return; }
  files[at].published = number;
  if (rename(from, to) != 0) abort();
}

static int keep(int fd, const char *name) {
  int (*real)(int) = dlsym(RTLD_NEXT, name);
  const char *root = getenv("SYNCED_FROM"), *shadow = getenv("SYNCED_TO"), *delay = getenv("SYNC_DELAY_MS");
  char link[64], path[2048], to[4096], waiting[4200];
  struct stat about;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0 || fstat(fd, &about) != 0) return real(fd);
  path[length] = 0;
  int kept = root && shadow && S_ISREG(about.st_mode) && strncmp(path, root, strlen(root)) == 0;
  unsigned long number = 0;
  if (kept) {
    pthread_mutex_lock(&lock);
    number = ++captures;
    snprintf(to, sizeof to, "%s%s", shadow, path + strlen(root));
    snprintf(waiting, sizeof waiting, "%s.%lu", to, number);
    capture(fd, waiting);
    note(path);
    pthread_mutex_unlock(&lock);
  }
  if (delay) {
    long ms = atol(delay);
    struct timespec time = {ms / 1000, (ms % 1000) * 1000000L};
    nanosleep(&time, NULL);
  }
  int result = real(fd);
  if (kept && result == 0) {
    pthread_mutex_lock(&lock);
    publish(about.st_ino, number, waiting, to);
    pthread_mutex_unlock(&lock);
  }
  return result;
}

int fsync(int fd) { return keep(fd, "fsync"); }
int fdatasync(int fd) { return keep(fd, "fdatasync"); }

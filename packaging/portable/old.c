// What glibc 2.28 lacks and clrewrite-device and the OpenCL layer, or the archives of the
// C++ library and of the compiler that they are linked with, ask for. stubs.py says how
// the linker comes to use these.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>

// glibc 2.33 has these as functions; before, headers made them calls of __xstat.
#ifdef __x86_64__
enum { statVersion = 1 };
#else
enum { statVersion = 0 };
#endif
int __xstat(int version, const char *path, struct stat *out);
int __fxstat(int version, int file, struct stat *out);
int __lxstat(int version, const char *path, struct stat *out);

// The ICD loader of the folder finds it in the program (packaging/folder.py).
__attribute__((visibility("default")))
int stat(const char *path, struct stat *out) { return __xstat(statVersion, path, out); }
int fstat(int file, struct stat *out) { return __fxstat(statVersion, file, out); }
int lstat(const char *path, struct stat *out) { return __lxstat(statVersion, path, out); }

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "files are of 64 bits");
int fstat64(int file, struct stat64 *out) { return fstat(file, (struct stat *)out); }

// glibc 2.36. The C++ library seeds hash tables and random devices by it.
uint32_t arc4random(void) {
  uint32_t out;
  if (getrandom(&out, sizeof out, 0) != sizeof out)
    abort();
  return out;
}

// glibc 2.32. Where this is 0 the C++ library counts references atomically.
char __libc_single_threaded;

// glibc 2.35: the object that an address is in, for whoever unwinds the stack.
struct Search {
  uintptr_t address;
  struct dl_find_object *out;
};

static int holds(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct Search *search = data;
  uintptr_t start = 0, end = 0, table = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t at = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && at <= search->address &&
        search->address < at + part->p_memsz) {
      start = at;
      end = at + part->p_memsz;
    } else if (part->p_type == PT_GNU_EH_FRAME) {
      table = at;
    }
  }
  if (!end || !table)
    return 0;
  *search->out = (struct dl_find_object){.dlfo_map_start = (void *)start,
                                         .dlfo_map_end = (void *)end,
                                         .dlfo_eh_frame = (void *)table};
  return 1;
}

int _dl_find_object(void *address, struct dl_find_object *out) {
  struct Search search = {(uintptr_t)address, out};
  return dl_iterate_phdr(holds, &search) ? 0 : -1;
}

// Before 2.34 a program brought the function that calls its constructors, and glibc called
// that; the object that starts a program leaves it to glibc now. Newer ones still call
// what they are given. (-Wl,--wrap=__libc_start_main)
#ifdef PROGRAM
typedef void (*Constructor)(int, char **, char **);
extern Constructor __preinit_array_start[] __attribute__((visibility("hidden")));
extern Constructor __preinit_array_end[] __attribute__((visibility("hidden")));
extern Constructor __init_array_start[] __attribute__((visibility("hidden")));
extern Constructor __init_array_end[] __attribute__((visibility("hidden")));
void _init(void);

static void construct(int count, char **words, char **environment) {
  for (Constructor *each = __preinit_array_start; each != __preinit_array_end; each++)
    (*each)(count, words, environment);
  _init();
  for (Constructor *each = __init_array_start; each != __init_array_end; each++)
    (*each)(count, words, environment);
}

int __real___libc_start_main(int (*program)(int, char **, char **), int count, char **words,
                             Constructor before, void (*after)(void),
                             void (*loader)(void), void *stack);
int __wrap___libc_start_main(int (*program)(int, char **, char **), int count, char **words,
                             Constructor before, void (*after)(void),
                             void (*loader)(void), void *stack) {
  (void)before;
  return __real___libc_start_main(program, count, words, construct, after, loader, stack);
}
#endif

// The users of the system, for the program that holds the C library itself: LLVM asks
// where one's home is if HOME does not say it. glibc's own functions would load libraries
// of the system for that (nsswitch.conf), which belong to another version of it.
#define _GNU_SOURCE
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

static int find(const char *name, uid_t id, struct passwd *out, char *space, size_t size,
                struct passwd **result) {
  *result = NULL;
  FILE *users = fopen("/etc/passwd", "re");
  if (!users)
    return errno;
  int wrong;
  while ((wrong = fgetpwent_r(users, out, space, size, result)) == 0)
    if (name ? !strcmp(out->pw_name, name) : out->pw_uid == id)
      break;
  fclose(users);
  if (wrong)
    *result = NULL;
  return wrong == ENOENT ? 0 : wrong; // none of that name is no error
}

int getpwnam_r(const char *name, struct passwd *out, char *space, size_t size,
               struct passwd **result) {
  return find(name, 0, out, space, size, result);
}

int getpwuid_r(uid_t id, struct passwd *out, char *space, size_t size,
               struct passwd **result) {
  return find(NULL, id, out, space, size, result);
}

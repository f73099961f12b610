// The lists of system calls, one for CPU devices and one for GPUs, become
// filters of libseccomp.
#include "SystemCalls.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef CLREWRITE_SECCOMP
#include <seccomp.h>
#endif

namespace clrewrite::device {

#ifndef CLREWRITE_SECCOMP

bool canCloseSystemCalls() { return false; }
bool closeSystemCallsForCpu() { return false; }
bool closeSystemCallsForGpu() { return false; }

#else

namespace {

/// For kernels of a CPU device. Landlock says which files these may name, and
/// which programs execve may start: the linker alone.
constexpr const char *Needed[] = {
    // Files.
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv",
    "pwritev", "open", "openat", "close", "stat", "fstat", "lstat",
    "newfstatat", "statx", "lseek", "_llseek", "access", "faccessat",
    "faccessat2", "pipe", "pipe2", "dup", "dup2", "dup3", "flock", "fsync",
    "fdatasync", "truncate", "ftruncate", "fallocate", "fadvise64", "getdents",
    "getdents64", "getcwd", "mkdir", "mkdirat", "rmdir", "rename", "renameat",
    "renameat2", "unlink", "unlinkat", "readlink", "readlinkat", "symlink",
    "symlinkat", "chmod", "fchmod", "fchmodat", "umask", "utimensat", "statfs",
    "fstatfs", "copy_file_range", "sendfile", "poll", "ppoll", "select",
    "pselect6",
    // Memory.
    "brk", "mmap", "mprotect", "munmap", "mremap", "madvise", "msync",
    "mincore", "membarrier",
    // Threads and time.
    "futex", "futex_waitv", "set_robust_list", "get_robust_list",
    "set_tid_address", "rseq", "arch_prctl", "sched_yield", "sched_getaffinity",
    "sched_setaffinity", "sched_getparam", "sched_getscheduler",
    "sched_get_priority_max", "sched_get_priority_min", "getcpu", "nanosleep",
    "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday", "time",
    "times", "alarm", "setitimer", "getitimer", "rt_sigaction",
    "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigtimedwait",
    "sigaltstack", "restart_syscall",
    // Itself.
    "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid",
    "getresuid", "getresgid", "getgroups", "getpgrp", "uname", "sysinfo",
    "getrusage", "getrlimit", "getrandom", "exit", "exit_group", "wait4",
    "waitid",
    // The linker.
    "vfork", "execve"};

/// What no driver of a GPU needs, and what native code on its host would like.
constexpr const char *Refused[] = {"ptrace",
                                   "process_vm_readv",
                                   "process_vm_writev",
                                   "kcmp",
                                   "pidfd_open",
                                   "pidfd_getfd",
                                   "pidfd_send_signal",
                                   "process_madvise",
                                   "mount",
                                   "umount",
                                   "umount2",
                                   "pivot_root",
                                   "chroot",
                                   "open_tree",
                                   "move_mount",
                                   "fsopen",
                                   "fsconfig",
                                   "fsmount",
                                   "fspick",
                                   "mount_setattr",
                                   "setns",
                                   "unshare",
                                   "bpf",
                                   "perf_event_open",
                                   "userfaultfd",
                                   "io_uring_setup",
                                   "io_uring_enter",
                                   "io_uring_register",
                                   "add_key",
                                   "request_key",
                                   "keyctl",
                                   "init_module",
                                   "finit_module",
                                   "delete_module",
                                   "kexec_load",
                                   "kexec_file_load",
                                   "reboot",
                                   "swapon",
                                   "swapoff",
                                   "acct",
                                   "quotactl",
                                   "quotactl_fd",
                                   "syslog",
                                   "sethostname",
                                   "setdomainname",
                                   "settimeofday",
                                   "clock_settime",
                                   "clock_adjtime",
                                   "adjtimex",
                                   "iopl",
                                   "ioperm",
                                   "open_by_handle_at",
                                   "name_to_handle_at",
                                   "fanotify_init",
                                   "lookup_dcookie",
                                   "vhangup",
                                   "nfsservctl",
                                   "setsid",
                                   "setpgid",
                                   "kill",
                                   "tkill"};

class Filter {
  scmp_filter_ctx Context;
  bool Good;

public:
  explicit Filter(uint32_t Otherwise)
      : Context(seccomp_init(Otherwise)), Good(Context != nullptr) {
    set(SCMP_FLTATR_CTL_TSYNC, 1);
    set(SCMP_FLTATR_CTL_NNP, 1);
    // A program for another word size has other numbers of system calls.
    set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  }
  ~Filter() { seccomp_release(Context); }
  Filter(const Filter &) = delete;
  Filter &operator=(const Filter &) = delete;

  void set(scmp_filter_attr What, uint32_t Value) {
    Good = Good && seccomp_attr_set(Context, What, Value) == 0;
  }

  /// System calls that this processor or this libseccomp lacks, which have a
  /// number below 0, are left out.
  void rule(const char *Call, uint32_t Action) {
    int Number = seccomp_syscall_resolve_name(Call);
    if (Number >= 0)
      Good = Good && seccomp_rule_add(Context, Action, Number, 0) == 0;
  }

  void rule(const char *Call, uint32_t Action, scmp_arg_cmp Where) {
    int Number = seccomp_syscall_resolve_name(Call);
    if (Number >= 0)
      Good = Good &&
             seccomp_rule_add_array(Context, Action, Number, 1, &Where) == 0;
  }

  bool load() { return Good && seccomp_load(Context) == 0; }
};

/// Argument \p Index, of which the bits of \p Mask count, is \p Value.
scmp_arg_cmp where(unsigned Index, uint64_t Value,
                   uint64_t Mask = ~uint64_t(0)) {
  return {Index, SCMP_CMP_MASKED_EQ, Mask, Value};
}

/// Signals of a thread to its own process alone, as abort() sends them.
void allowOwnSignals(Filter &F) {
  F.rule("tgkill", SCMP_ACT_ALLOW, where(0, uint64_t(::getpid())));
}

/// Threads, and children that share the memory until they start a program: no
/// copies of this process, nor namespaces. Of clone3 the flags can't be looked
/// at: it is not there, and libraries then use clone.
void allowThreads(Filter &F) {
  F.rule("clone", SCMP_ACT_ALLOW, where(0, CLONE_THREAD, CLONE_THREAD));
  F.rule("clone", SCMP_ACT_ALLOW, where(0, CLONE_VM | CLONE_VFORK | SIGCHLD));
}

/// What descriptors are, and locks of files. F_SETOWN and F_SETSIG are not
/// among these: the kernel would send a signal to the owner of a pipe, whoever
/// that is.
void allowDescriptors(Filter &F) {
  for (int Command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL,
                      F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK,
                      F_OFD_SETLK, F_OFD_SETLKW, F_GETPIPE_SZ, F_SETPIPE_SZ})
    F.rule("fcntl", SCMP_ACT_ALLOW, where(1, uint64_t(Command), 0xffffffff));
}

/// Whether a file is a terminal, and whether it is closed on exec.
void allowQuestions(Filter &F) {
  for (unsigned long Request : {0x5401ul /*TCGETS*/, 0x541bul /*FIONREAD*/,
                                0x5413ul /*TIOCGWINSZ*/, 0x5451ul /*FIOCLEX*/})
    F.rule("ioctl", SCMP_ACT_ALLOW, where(1, Request, 0xffffffff));
  // Limits are read, and not set.
  F.rule("prlimit64", SCMP_ACT_ALLOW, where(2, 0));
  for (int Option : {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_CAPBSET_READ,
                     0x53564d41 /*PR_SET_VMA, names of memory*/})
    F.rule("prctl", SCMP_ACT_ALLOW, where(0, uint64_t(Option), 0xffffffff));
}

} // namespace

bool canCloseSystemCalls() {
  // Asked with no filter it fails with EFAULT where the kernel has filters.
  return ::prctl(PR_SET_SECCOMP, 2 /*SECCOMP_MODE_FILTER*/, nullptr, 0, 0) <
             0 &&
         errno == EFAULT;
}

bool closeSystemCallsForCpu() {
  Filter F(SCMP_ACT_ERRNO(ENOSYS));
  for (const char *Call : Needed)
    F.rule(Call, SCMP_ACT_ALLOW);
  allowOwnSignals(F);
  allowThreads(F);
  allowDescriptors(F);
  allowQuestions(F);
  return F.load();
}

bool closeSystemCallsForGpu() {
  Filter F(SCMP_ACT_ALLOW);
  for (const char *Call : Refused)
    F.rule(Call, SCMP_ACT_ERRNO(EPERM));
  // Drivers talk to their daemons and to the kernel, not to a network.
  for (int Family : {AF_INET, AF_INET6, AF_PACKET, AF_VSOCK, AF_BLUETOOTH})
    F.rule("socket", SCMP_ACT_ERRNO(EACCES),
           where(0, uint64_t(Family), 0xffffffff));
  return F.load();
}

#endif

} // namespace clrewrite::device

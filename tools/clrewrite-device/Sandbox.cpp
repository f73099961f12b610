// The processes of the sandbox, its namespaces and its limits.
//
// The caller's process stays outside as the keeper. Where the kernel allows
// namespaces, the keeper starts an init in them, which starts the worker: all
// that the worker leaves behind ends with the init, and the private folder is
// a file system of its own that ends with it too. Elsewhere the keeper starts
// the worker itself, adopts what it leaves behind, ends it, and removes the
// private folder.
#include "Sandbox.h"
#include "DriverPaths.h"
#include "Landlock.h"
#include "SystemCalls.h"
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <ftw.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define CLREWRITE_SANITIZED 1
// It looks at its own process by what the sandbox forbids.
extern "C" int __lsan_is_turned_off() { return 1; }
#endif

namespace clrewrite::device {
namespace {

constexpr unsigned AllSpaces =
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWNS;
/// In the order in which they are tried; a container may refuse some.
constexpr unsigned Tries[] = {AllSpaces, AllSpaces & ~CLONE_NEWNS,
                              AllSpaces & ~CLONE_NEWUSER};
/// Where the private file system is mounted: a folder that every Linux has,
/// and that drivers use for shared memory.
constexpr char PrivateMount[] = "/dev/shm";
/// The most that the private folder may hold.
constexpr char PrivateSize[] = "size=1g,mode=0700";
constexpr rlim_t LargestFile = 256ull << 20;
constexpr rlim_t MostThreads = 512;

volatile sig_atomic_t Worker = 0;

/// 128 and more says which signal ended it, as a shell says it.
int exitCodeOf(int Status) {
  return WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
}

/// Ends the keeper as the worker ended, for whoever waits for it.
[[noreturn]] void endAs(int Code) {
  if (Code > 128 && Code < 128 + SIGSYS + 1) {
    rlimit None = {0, 0};
    ::setrlimit(RLIMIT_CORE, &None);
    ::signal(Code - 128, SIG_DFL);
    ::kill(::getpid(), Code - 128);
  }
  ::_exit(Code);
}

/// Waits for \p Child, and for whatever else ends meanwhile.
int waitFor(pid_t Child) {
  int Status = 0;
  for (;;) {
    pid_t Got = ::waitpid(-1, &Status, 0);
    if (Got == Child)
      return exitCodeOf(Status);
    if (Got < 0 && errno != EINTR)
      return 1;
  }
}

/// The ends of the worker's pipes are for it alone.
void keepOnlyStderr() {
  int Null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(Null, STDIN_FILENO);
  ::dup2(Null, STDOUT_FILENO);
  ::syscall(SYS_close_range, 3u, ~0u, 0u);
}

/// Closes what the caller has left open, but for the three streams and \p Kept,
/// which may be none (-1).
void closeAllBut(int Kept) {
  if (Kept > 3)
    ::syscall(SYS_close_range, 3u, unsigned(Kept) - 1, 0u);
  ::syscall(SYS_close_range, Kept < 3 ? 3u : unsigned(Kept) + 1, ~0u, 0u);
}

void dieWith(pid_t Parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (Parent && ::getppid() != Parent)
    ::_exit(1);
}

bool writeFile(const char *Path, const std::string &Text) {
  int FD = ::open(Path, O_WRONLY | O_CLOEXEC);
  bool Done =
      FD >= 0 && ::write(FD, Text.data(), Text.size()) == ssize_t(Text.size());
  ::close(FD);
  return Done;
}

/// The caller's user and group are the same inside, and there are no others.
bool mapUser(uid_t User, gid_t Group) {
  writeFile("/proc/self/setgroups", "deny");
  std::string U = std::to_string(User), G = std::to_string(Group);
  return writeFile("/proc/self/uid_map", U + " " + U + " 1\n") &&
         writeFile("/proc/self/gid_map", G + " " + G + " 1\n");
}

bool mountPrivate() {
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", PrivateMount, "tmpfs", MS_NOSUID | MS_NODEV,
                 PrivateSize) == 0;
}

/// What capabilities remain would be those of root, over files too.
void dropCapabilities() {
  for (int C = 0; ::prctl(PR_CAPBSET_DROP, C, 0, 0, 0) == 0; ++C)
    ;
  __user_cap_header_struct Header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct None[2] = {};
  ::syscall(SYS_capset, &Header, None);
}

/// Starts the init of new namespaces \p Spaces, which goes on here and returns
/// 0; to the keeper it returns the init's id, or -1 where the kernel allows no
/// such namespaces.
pid_t startInit(unsigned Spaces) {
  int Ready[2];
  if (::pipe2(Ready, O_CLOEXEC))
    return -1;
  uid_t User = ::geteuid();
  gid_t Group = ::getegid();
  pid_t Init = pid_t(::syscall(SYS_clone, Spaces | SIGCHLD, 0, 0, 0, 0));
  if (Init == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    bool Good = (!(Spaces & CLONE_NEWUSER) || mapUser(User, Group)) &&
                (!(Spaces & CLONE_NEWNS) || mountPrivate());
    if (!Good || ::write(Ready[1], "y", 1) != 1)
      ::_exit(1);
    ::close(Ready[0]);
    ::close(Ready[1]);
    return 0;
  }
  ::close(Ready[1]);
  char Answer = 0;
  bool Good = Init > 0 && ::read(Ready[0], &Answer, 1) == 1;
  ::close(Ready[0]);
  if (!Good && Init > 0)
    ::waitpid(Init, nullptr, 0);
  return Good ? Init : -1;
}

/// The init: starts the worker, in which this returns, and reaps.
void beInit() {
  pid_t Child = ::fork();
  if (Child == 0)
    return;
  keepOnlyStderr();
  ::_exit(Child < 0 ? 1 : waitFor(Child));
}

int removeOne(const char *Path, const struct stat *, int, FTW *) {
  ::remove(Path);
  return 0;
}

void removeTree(const std::string &Folder) {
  if (!Folder.empty())
    ::nftw(Folder.c_str(), removeOne, 16, FTW_DEPTH | FTW_PHYS);
}

std::string makeFolder() {
  const char *Under = ::getenv("TMPDIR");
  std::string Path = Under && *Under ? Under : "/tmp";
  Path += "/clrewrite-device-XXXXXX";
  return ::mkdtemp(Path.data()) ? Path : "";
}

/// Ends what the worker left behind: orphans come to the keeper.
void endOrphans() {
  std::string Path =
      "/proc/self/task/" + std::to_string(::getpid()) + "/children";
  for (unsigned Try = 0; Try < 1000; ++Try) {
    if (FILE *F = std::fopen(Path.c_str(), "re")) {
      for (int Each; std::fscanf(F, "%d", &Each) == 1;)
        ::kill(pid_t(Each), SIGKILL);
      std::fclose(F);
    }
    if (::waitpid(-1, nullptr, 0) < 0 && errno == ECHILD)
      return;
  }
}

void endWorker(int) {
  if (Worker > 0)
    ::kill(pid_t(Worker), SIGKILL);
}

/// A keeper with something to remove is told to end, rather than ended, also by
/// its caller's end.
void cleanUpOnSignals(pid_t Child) {
  Worker = Child;
  for (int Signal : {SIGTERM, SIGINT, SIGHUP})
    ::signal(Signal, endWorker);
  int Set = 0;
  if (::prctl(PR_GET_PDEATHSIG, &Set) == 0 && Set)
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
}

/// The process that owns the private folder, and so removes it.
enum class Owner {
  Own,    ///< this program's: it removes it
  Caller, ///< the caller's, who removes it, unless he is gone
  User    ///< the user's: it stays
};

void removeAfter(const std::string &Folder, Owner Of, pid_t Caller) {
  if (Of == Owner::Own || (Of == Owner::Caller && ::getppid() != Caller))
    removeTree(Folder);
}

/// Without namespaces: starts the worker, in which this returns, and cleans up
/// after it.
void keepWithoutSpaces(const std::string &Folder, Owner Of) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t Parent = ::getpid(), Caller = ::getppid();
  pid_t Child = ::fork();
  if (Child == 0)
    return dieWith(Parent);
  cleanUpOnSignals(Child);
  keepOnlyStderr();
  int Code = Child < 0 ? 1 : waitFor(Child);
  endOrphans();
  removeAfter(Folder, Of, Caller);
  endAs(Code);
}

/// Goes on in the worker; returns the namespaces that it is in. \p Folder is
/// its private one; the caller's or the user's, where it is not empty.
unsigned startWorker(bool WithSpaces, std::string &Folder, bool Keep) {
  Owner Of = Folder.empty() ? Owner::Own : Keep ? Owner::User : Owner::Caller;
  pid_t Caller = ::getppid();
  for (unsigned Spaces : Tries) {
    if (!WithSpaces)
      break;
    std::string Own = Of != Owner::Own       ? Folder
                      : Spaces & CLONE_NEWNS ? ""
                                             : makeFolder();
    pid_t Init = startInit(Spaces);
    if (Init == 0) {
      beInit();
      Folder = Own.empty() ? PrivateMount : Own;
      return Spaces;
    }
    if (Init > 0) {
      if (!Own.empty())
        cleanUpOnSignals(Init);
      keepOnlyStderr();
      int Code = waitFor(Init);
      removeAfter(Own, Of, Caller);
      endAs(Code);
    }
    if (Of == Owner::Own)
      removeTree(Own);
  }
  if (Of == Owner::Own)
    Folder = makeFolder();
  keepWithoutSpaces(Folder, Of);
  return 0;
}

bool limit(__rlimit_resource What, rlim_t Most) {
  rlimit Now = {};
  if (::getrlimit(What, &Now))
    return false;
  Most = std::min(Most, Now.rlim_max);
  rlimit New = {Most, Most};
  return ::setrlimit(What, &New) == 0;
}

/// Those that suit every driver.
bool limitAll(bool OwnUsers) {
  long Processors = std::max(1l, ::sysconf(_SC_NPROCESSORS_ONLN));
  bool Good = limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, LargestFile) &&
              limit(RLIMIT_MEMLOCK, RLIM_INFINITY) &&
              limit(RLIMIT_CPU, rlim_t(3600) * rlim_t(Processors));
  // Elsewhere the user's other processes count, too.
  if (OwnUsers)
    Good &= limit(RLIMIT_NPROC, MostThreads + rlim_t(Processors) * 2);
  return Good;
}

/// For a CPU device; drivers of GPUs map more than any machine has.
bool limitMemory() {
#ifdef CLREWRITE_SANITIZED
  return true;
#else
  unsigned long Pages = 0;
  if (FILE *F = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(F, "%lu", &Pages) != 1)
      Pages = 0;
    std::fclose(F);
  }
  rlim_t Page = rlim_t(::sysconf(_SC_PAGESIZE));
  rlim_t Half = rlim_t(std::max(0l, ::sysconf(_SC_PHYS_PAGES))) / 2 * Page;
  constexpr rlim_t Least = 4ull << 30;
  return limit(RLIMIT_AS, Pages * Page + std::max(Least, Half));
#endif
}

void usePrivate(const std::string &Folder) {
  for (const char *Name : {"HOME", "TMPDIR", "TMP", "TEMP", "XDG_CACHE_HOME",
                           "POCL_CACHE_DIR", "CUDA_CACHE_PATH"})
    ::setenv(Name, Folder.c_str(), /*overwrite=*/1);
}

/// CLREWRITE_SANDBOX=off leaves all of it out; no-namespaces, no-landlock and
/// no-seccomp, or several with commas between them, leave these out. Kernels of
/// CPU devices then run with --allow-native alone, unless enough still holds.
bool isLeftOut(const char *What) {
  const char *Value = ::getenv("CLREWRITE_SANDBOX");
  return Value && std::strstr(Value, What);
}

} // namespace

Sandbox Sandbox::enter(const SandboxOptions &Options, int Kept) {
  Sandbox S;
  S.AllowNative = Options.AllowNative;
  if (isLeftOut("off") || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    return S;
  closeAllBut(Kept);
  OpenPaths Paths = driverPaths();
  Paths.Write = Options.Private;
  Paths.Read.insert(Paths.Read.end(), Options.Read.begin(), Options.Read.end());
  S.Spaces =
      startWorker(!isLeftOut("no-namespaces"), Paths.Write, Options.Keep);
  S.Seccomp = !isLeftOut("no-seccomp") && canCloseSystemCalls();
  S.Landlock = !isLeftOut("no-landlock") && closeFiles(Paths);
  forgetEnvironment();
  usePrivate(Paths.Write);
  S.Limits = limitAll(S.Spaces & CLONE_NEWUSER);
  if (Options.Interpret)
    S.Limits &= limitMemory();
  dropCapabilities();
  return S;
}

Status Sandbox::closeFor(bool Cpu) {
  if (!runs(Cpu))
    return refused("NO_SANDBOX",
                   "kernels of a CPU device are native code, and no sandbox "
                   "holds here; --allow-native runs them as you");
  if (!Seccomp || Closed == ForCpu) {
    if (Cpu || Closed != ForCpu)
      return std::nullopt;
    Problem P = refused("OTHER_SANDBOX", "this process is closed for a CPU");
    P.Restart = true;
    return P;
  }
  if (!Cpu && Closed == ForGpu)
    return std::nullopt;
  if (Cpu)
    Limits &= limitMemory();
  bool Done = Cpu ? closeSystemCallsForCpu() : closeSystemCallsForGpu();
  if (!Done) {
    Seccomp = false;
    return closeFor(Cpu); // it may be refused now
  }
  Closed = Cpu ? ForCpu : ForGpu;
  return std::nullopt;
}

std::vector<std::string> Sandbox::layers(bool Cpu) const {
  std::vector<std::string> Out;
  if (Landlock)
    Out.push_back("landlock");
  if (Seccomp)
    Out.push_back(Cpu ? "seccomp"
                      : "seccomp (as far as a GPU's driver allows)");
  for (auto [Flag, Name] :
       {std::pair(unsigned(CLONE_NEWUSER), "user namespace"),
        std::pair(unsigned(CLONE_NEWPID), "pid namespace"),
        std::pair(unsigned(CLONE_NEWIPC), "ipc namespace"),
        std::pair(unsigned(CLONE_NEWNET), "network namespace"),
        std::pair(unsigned(CLONE_NEWNS), "mount namespace")})
    if (Spaces & Flag)
      Out.push_back(Name);
  if (Limits)
    Out.push_back("limits");
  return Out;
}

} // namespace clrewrite::device

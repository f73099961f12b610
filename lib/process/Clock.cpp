#include "process/Clock.h"
#include "source/Beneath.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

using namespace llvm;

namespace clrewrite::process {

using std::chrono::nanoseconds;

/// What a small file of /proc holds; empty where there is none.
static std::string textOf(const std::string &Path) {
  FileHandle File(::open(Path.c_str(), O_RDONLY | O_CLOEXEC));
  char Text[1024];
  ssize_t N = File ? ::read(File.get(), Text, sizeof Text) : -1;
  return std::string(Text, size_t(std::max<ssize_t>(N, 0)));
}

/// The threads of the process \p Name and of its descendants: the folders of
/// /proc.
static void addThreads(const std::string &Name,
                       std::map<pid_t, std::string> &Out) {
  std::string Folder = "/proc/" + Name + "/task";
  DIR *Threads = ::opendir(Folder.c_str());
  if (!Threads)
    return;
  SmallVector<pid_t> Children;
  while (const dirent *Each = ::readdir(Threads)) {
    pid_t Thread = 0;
    if (StringRef(Each->d_name).getAsInteger(10, Thread))
      continue; // "."
    std::string Path = Folder + "/" + Each->d_name;
    std::string Started = textOf(Path + "/children");
    for (StringRef Word : split(Started, ' '))
      if (pid_t Child = 0; !Word.trim().getAsInteger(10, Child))
        Children.push_back(Child);
    Out[Thread] = std::move(Path);
  }
  ::closedir(Threads);
  for (pid_t Child : Children)
    if (!Out.count(Child))
      addThreads(std::to_string(Child), Out);
}

/// How long each thread of the process \p Name and of its descendants has
/// waited in all.
static std::map<pid_t, nanoseconds> waitedBy(const std::string &Name) {
  std::map<pid_t, std::string> Threads;
  addThreads(Name, Threads);
  std::map<pid_t, nanoseconds> Out;
  for (const auto &[Thread, Path] : Threads) {
    // Nanoseconds that it ran, and waited; how often it was begun.
    std::string Words = textOf(Path + "/schedstat");
    long long Waited = 0;
    if (!StringRef(Words).split(' ').second.consumeInteger(10, Waited))
      Out[Thread] = nanoseconds(Waited);
  }
  return Out;
}

QueueTime::QueueTime(std::string Name)
    : Name(std::move(Name)), Last(std::chrono::steady_clock::now()),
      Known(waitedBy(this->Name)) {}

QueueTime::QueueTime(pid_t Pid) : QueueTime(std::to_string(Pid)) {}

QueueTime QueueTime::ofThisProcess() { return QueueTime("self"); }

nanoseconds QueueTime::take() {
  auto Now = std::chrono::steady_clock::now();
  nanoseconds Since = Now - std::exchange(Last, Now), Most(0);
  std::map<pid_t, nanoseconds> Waited = waitedBy(Name);
  for (const auto &[Thread, Time] : Waited) {
    auto It = Known.find(Thread);
    Most = std::max(Most, It == Known.end() ? Time : Time - It->second);
  }
  Known = std::move(Waited);
  return std::min(Most, Since - Since / Clock::Longest);
}

Clock::time_point Clock::now() {
  using Steady = std::chrono::steady_clock;
  // No lock, which a fork could find taken by another thread.
  thread_local QueueTime Queue = QueueTime::ofThisProcess();
  thread_local Steady::time_point Looked = Steady::now();
  thread_local nanoseconds Waited(0);
  thread_local time_point Told;
  Steady::time_point Now = Steady::now();
  if (Now - Looked >= Interval) {
    Looked = Now;
    Waited += Queue.take();
  }
  // What was waited is known late: until then it must not have gone too far.
  return Told = std::max(Told, time_point(Now.time_since_epoch() - Waited));
}

} // namespace clrewrite::process

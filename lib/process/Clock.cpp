#include "process/Clock.h"
#include "source/Beneath.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::process {

using std::chrono::nanoseconds;

static nanoseconds Paused{0};

Clock::time_point Clock::now() {
  return time_point(std::chrono::steady_clock::now().time_since_epoch() -
                    Paused);
}

void Clock::pause(duration Time) { Paused += Time; }

/// What a small file of /proc holds; empty where there is none.
static std::string textOf(const std::string &Path) {
  FileHandle File(::open(Path.c_str(), O_RDONLY | O_CLOEXEC));
  char Text[1024];
  ssize_t N = File ? ::read(File.get(), Text, sizeof Text) : -1;
  return std::string(Text, size_t(std::max<ssize_t>(N, 0)));
}

/// The threads of \p Pid and of its descendants: the folders of /proc.
static void addThreads(pid_t Pid, std::map<pid_t, std::string> &Out) {
  std::string Folder = "/proc/" + std::to_string(Pid) + "/task";
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
      addThreads(Child, Out);
}

nanoseconds QueueTime::take() {
  auto Now = std::chrono::steady_clock::now();
  nanoseconds Since = Now - Last;
  if (Since < Clock::Interval)
    return nanoseconds(0);
  bool First = Last == std::chrono::steady_clock::time_point();
  Last = Now;
  std::map<pid_t, std::string> Threads;
  addThreads(Pid, Threads);
  nanoseconds Most(0);
  for (const auto &[Thread, Path] : Threads) {
    // Nanoseconds that it ran, and waited; how often it was begun.
    std::string Words = textOf(Path + "/schedstat");
    long long Waited = 0;
    if (StringRef(Words).split(' ').second.consumeInteger(10, Waited))
      continue;
    nanoseconds &Before = Known[Thread];
    if (!First)
      Most = std::max(Most, nanoseconds(Waited) - Before);
    Before = nanoseconds(Waited);
  }
  return std::min(Most, Since - Since / Clock::Longest);
}

} // namespace clrewrite::process

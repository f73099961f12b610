#include "process/Clock.h"
#include "source/Beneath.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <fcntl.h>
#include <optional>
#include <unistd.h>
#include <utility>

using namespace llvm;

namespace clrewrite::process {

double shareOf(const ProcessorTimes &Before, const ProcessorTimes &Now) {
  double Share = 1;
  if (Now.Processors && Now.Runnable > Now.Processors + 1)
    Share = double(Now.Processors) / (Now.Runnable - 1); // without this one
  if (Now.All > Before.All && Now.Stolen > Before.Stolen)
    Share *= 1 - std::min(1.0, double(Now.Stolen - Before.Stolen) /
                                   double(Now.All - Before.All));
  return std::max(Share, 1 / Clock::Longest);
}

/// Reads /proc/stat, of which a few KiB may be of interrupts: what is asked for
/// stands before and behind them.
static std::optional<ProcessorTimes> readTimes() {
  FileHandle File(::open("/proc/stat", O_RDONLY | O_CLOEXEC));
  std::string Text;
  char Buffer[16384];
  ssize_t N = 0;
  while (File && (N = ::read(File.get(), Buffer, sizeof Buffer)) > 0)
    Text.append(Buffer, size_t(N));
  ProcessorTimes Out;
  for (StringRef Line : split(Text, '\n')) {
    auto [Name, Rest] = Line.split(' ');
    if (Name == "procs_running") {
      Rest.consumeInteger(10, Out.Runnable);
    } else if (Name == "cpu") {
      // user nice system idle iowait irq softirq steal; those of guests are
      // among the first two.
      for (unsigned Kind = 0; Kind < 8; ++Kind) {
        unsigned long long Ticks = 0;
        Rest = Rest.ltrim();
        if (Rest.consumeInteger(10, Ticks))
          break;
        Out.All += Ticks;
        if (Kind == 7)
          Out.Stolen = Ticks;
      }
    } else if (Name.starts_with("cpu")) {
      ++Out.Processors;
    }
  }
  if (!Out.Processors || !Out.Runnable)
    return std::nullopt;
  return Out;
}

Clock::time_point Clock::now() {
  using Steady = std::chrono::steady_clock;
  static std::optional<ProcessorTimes> Times = readTimes();
  static Steady::time_point Read = Steady::now();
  static double Share = Times ? shareOf(*Times, *Times) : 1;
  static time_point Counted; // at Read
  Steady::time_point Now = Steady::now();
  auto Since = std::chrono::duration_cast<duration>((Now - Read) * Share);
  if (Now - Read < Interval)
    return Counted + Since;
  std::optional<ProcessorTimes> Then = std::exchange(Times, readTimes());
  Share = Then && Times ? shareOf(*Then, *Times) : 1;
  Read = Now;
  return Counted += Since;
}

} // namespace clrewrite::process

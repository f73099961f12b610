// One round: a launch in which the original is valid, and what the new version
// makes of it.
//
// One job runs the original, the original again, and the new version, on the
// same inputs. The original's runs judge the inputs: outside its buffers, they
// are not valid and others are tried (Inputs.h); not agreeing with itself, it
// races and the round proves nothing. Only then is the new version judged. A
// difference is looked at again before it counts: the original four times and
// the new version twice, until it shows; and, where the kernel does not look at
// its work-groups, the original in groups of one, or in those of a new version
// that has others, and with its ids from the end to the start, since a race may
// hide behind a device that runs work-items in one order.
//
// Two tolerances loosen that, each in its own place only: what the user
// declares, in the buffers in which the original differs from itself in that
// round; and the bound that approximate rewrites state, in all others. Beyond
// what is declared, or where nothing is, the new version may be held to how far
// the original's own runs are apart (opencl/Spread.h).
#pragma once

#include "opencl/DeviceClient.h"
#include "opencl/Spread.h"
#include "process/Clock.h"
#include "verify/Coverage.h"
#include "verify/Inputs.h"
#include "verify/Tolerance.h"
#include <optional>
#include <set>

namespace clrewrite::verify {

/// Where the versions part.
struct Witness {
  unsigned Round = 0;
  std::string Kind;               ///< of the round's contents
  std::optional<size_t> Argument; ///< none: a crash or a hang
  uint64_t Element = 0;
  /// The original's bytes in memory order, in hex; empty for an access outside
  /// the buffer, a crash or a hang.
  std::string Expected;
  /// "global", "local" and "args", as the job `run` has them.
  llvm::json::Value Arguments = nullptr;
};

struct TrialResult {
  enum Kind {
    Equal,
    Near,      ///< apart, but within what is allowed for this round
    Within,    ///< as far apart as the original's own runs: Spread says more
    Differs,   ///< What and How say in what
    Invalid,   ///< no valid inputs of this kind; What says what was wrong
    Races,     ///< the original differs from itself, beyond what is declared
    Unsteady,  ///< a difference that did not show again; What says it
    OutOfTime, ///< the deadline came before the round was over
    Failed,    ///< the device program is of no use any more; What says why
  } Outcome = Equal;
  std::string What;
  Witness How;
  /// For Near: whether the original differs from itself, and by how much it
  /// does, and the new version from it (in those buffers, where it does).
  bool Racing = false;
  Distance Own, Apart;
  opencl::SpreadVerdict Spread; ///< for Within
  /// For Unsteady: the new version's results reach beyond the original's
  /// spread.
  bool Beyond = false;
  /// The job that showed it (Equal, Near, Within, Differs), with the original
  /// as version 0 and the new one as version 1.
  llvm::json::Object Replay;
  /// Of what the original left, as hashesOf() has them, where it agrees with
  /// itself.
  BufferHashes Hashes;
  /// The original wrote something.
  bool Changed = false;
  /// For Races: the versions differed, and the original leaves something else
  /// with its ids from the end to the start.
  bool ByOrder = false;
  /// The last launch that was tried, as TrialLaunch::text gives it, and the
  /// level of its inputs.
  std::string Launch;
  unsigned Level = 0;
  /// The device program ended in a launch that was tried before it, so that it
  /// had to be started again.
  bool Ended = false;
};

struct Tolerances {
  /// For a round's buffers in which the original differs from itself.
  Tolerance Declared;
  /// For all others.
  Tolerance Bound;
  /// A launch in which the original differs from itself counts if the new
  /// version's runs are no further apart than the original's.
  bool Varying = false;
};

/// The state that all rounds of one kernel share.
class Trial {
  opencl::DeviceChannel &Device;
  int64_t Index;
  const KernelShape &K;
  llvm::json::Object Before, After; // entries of "versions"
  launch::LaunchChange Change;      // of the new version
  /// When all rounds must have ended.
  process::Clock::time_point Deadline;
  Tolerances Allowed;
  unsigned Hangs = 0;
  /// A launch took too long whose loops may run very often: others have none.
  bool HasHung = false;
  /// Seconds that the longest round took that had valid inputs; none had: 0.
  double Longest = 0;
  /// The buffers that did for a round, by its level, sizes and scalars: another
  /// round with the same ones begins with them.
  std::map<std::string, Fit> Fits;
  /// The device program has launched the original.
  bool IsCompiled = false;
  mutable bool HasFailed = false; ///< what hasFailed() says
  double Starting = 0; ///< seconds that compile() took, the last time
  /// The original's results vary, however large its buffers are.
  bool MayVary = false;

public:
  /// Seconds that the launches of a round have at least before they are said to
  /// hang.
  static constexpr double LeastHang = 1;

  /// \p Before and \p After are as deviceProgram gives them; After is launched
  /// as \p Change says.
  Trial(opencl::DeviceChannel &Device, int64_t Index, const KernelShape &K,
        llvm::json::Object Before, llvm::json::Object After, double Seconds,
        const Tolerances &Allowed, launch::LaunchChange Change = {});

  /// How long is left for all.
  double left() const;

  /// \p From is where the search for a valid launch starts; by default at the
  /// tightest buffers.
  TrialResult run(const Inputs &In, const Recipe &R, unsigned Round,
                  const Fit *From = nullptr);

  /// Launches the original where this device program has not, since a driver
  /// may compile it for that, which no look has the time for. False where the
  /// device program ended, as it does after most of what is left.
  bool compile(const Inputs &In);

  /// The launch that is tried next.
  TrialLaunch launch(const Inputs &In, const Recipe &R, const Fit &F,
                     unsigned Round) const;

  /// A job has crashed, hung or lost the device.
  bool hasFailed() const { return HasFailed; }

  /// What launching the original alone tells.
  struct Look {
    bool Valid = false;   ///< the rest says something
    bool Ended = false;   ///< the device program had to be started again
    bool Crashed = false; ///< a launch of the original lost the device
    /// Elements that it changes: a draw that changes few has most work-items do
    /// nothing, or write over what others wrote.
    uint64_t Changed = 0;
    Fit Fitting; ///< buffers that do for it
  };
  /// Not valid where the original, with the integers that R.Draw gives, leaves
  /// its buffers whatever their size, fails, takes longer than \p Most seconds,
  /// or differs from itself; starting the device program again is not counted.
  /// The search begins at \p From, by default at the tightest buffers. Where a
  /// launch fails, as it does if the original reaches too far, \p Grow makes
  /// larger buffers for another one; false where they are large enough.
  Look look(const Inputs &In, const Recipe &R, double Most,
            const Fit *From = nullptr,
            llvm::function_ref<bool(Fit &)> Grow = nullptr);

private:
  bool reachesAsWritten(const TrialLaunch &L, const Inputs &In, const Recipe &R,
                        Fit &F, bool &Ended, std::string &Why);
  TrialResult findAndJudge(const Inputs &In, const Recipe &R, unsigned Round,
                           Fit &F, TrialResult &Tried);

public:
  /// The largest difference of two versions on the inputs of \p Job, a Replay:
  /// nothing where they are equal.
  struct Comparison {
    /// False too where the first one differs from itself: a race.
    bool Ran = false;
    bool Equal = false;
    Distance Apart;
  };
  Comparison distance(llvm::json::Object Job, const llvm::json::Object &A,
                      const llvm::json::Object &B) const;

private:
  /// \p A answers a launch: the next one may be another device program's.
  void noteEnd(const opencl::DeviceAnswer &A) {
    IsCompiled = A.ok() || (IsCompiled && !A.endsProcess());
  }
  /// \p L, which launch() gave, has loops that may run so often that it takes
  /// too long; launch() gives others once HasHung is set.
  bool mayTakeLong(const TrialLaunch &L, const Inputs &In, const Recipe &R,
                   const Fit &F, unsigned Round) const;
  llvm::json::Object job(const TrialLaunch &L, const Recipe &R,
                         llvm::StringRef Versions) const;
  /// \p Most is a limit of its own, in seconds; by default most of what is
  /// left, so that a launch that hangs can be tried in another way.
  opencl::DeviceAnswer call(llvm::json::Object Job, double Most = 0) const;
  TrialResult newAlone(const TrialLaunch &L, const Recipe &R, unsigned Round,
                       double Original) const;
  std::optional<TrialResult> endAfter(const opencl::DeviceAnswer &Last) const;
  /// How the original's launch went.
  enum class Stay { Inside, Grown, Stuck };
  Stay stay(const opencl::DeviceAnswer &A, const Inputs &In, const Recipe &R,
            Fit &F, std::string &Why);
  /// True where \p A says that the original left its buffers, or failed; then
  /// \p F is what to try next, \p Ended is set where there is nothing.
  bool adapt(const opencl::DeviceAnswer &A, const Inputs &In, const Recipe &R,
             Fit &F, bool &Ended, std::string &Why);
  /// The differences that a launch of several versions showed.
  struct Seen {
    /// Arguments in which the original differs from itself, and by how much.
    std::set<int64_t> Racing;
    Distance Own;
    bool Outside = false; ///< the new version leaves a buffer
    /// The distance of the new version from the original, by argument.
    std::vector<std::pair<int64_t, Distance>> Apart;
  };
  /// What \p A says of \p Count runs of the original, and of the others after
  /// them.
  static Seen seen(const opencl::DeviceAnswer &A, int64_t Count);
  bool races(const Seen &S) const;
  bool parts(const Seen &S) const;
  const Tolerance &allowed(const Seen &S, int64_t Argument) const;
  TrialResult near(const Seen &S, const TrialLaunch &L, const Recipe &R) const;
  /// What becomes of a round in which the original differs from itself by more
  /// than is declared.
  TrialResult varies(const TrialLaunch &L, const Recipe &R,
                     unsigned Round) const;
  std::string argumentName(size_t Argument) const;
  TrialResult judge(const opencl::DeviceAnswer &A, const TrialLaunch &L,
                    const Recipe &R, unsigned Round) const;
  TrialResult confirm(TrialResult Found, Seen First, const TrialLaunch &L,
                      const Recipe &R, unsigned Round) const;
  TrialResult differs(std::string What, const TrialLaunch &L, const Recipe &R,
                      unsigned Round) const;
};

/// How buffers grow with the sizes, for the contents, draw and level of \p R.
/// None where one of the two small launches is not valid, as of Trial::look,
/// which has \p Most seconds for each; \p Ended is set where one has ended the
/// device program.
std::optional<Growth> growthOf(Trial &Runs, const Inputs &In, Recipe R,
                               double Most, bool &Ended);

/// The draws with which \p Runs shows the original to stay within its buffers,
/// best first. Those that change less than half of what the best one changes
/// are not worth a round. None where nothing is drawn. It takes \p Seconds at
/// most.
std::vector<SuitableDraw> suitableDraws(Trial &Runs, const Inputs &In,
                                        double Seconds);

} // namespace clrewrite::verify

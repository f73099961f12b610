// Which branches of the original the rounds took: it runs once more, as a copy
// that notes them (cover/Instrument.h), on the inputs of the rounds that count.
#pragma once

#include "opencl/DeviceClient.h"
#include "process/Clock.h"
#include "source/Ranges.h"
#include "verify/Versions.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>

namespace clrewrite::verify {

/// A branch of a kernel, or of a function that it calls.
struct Branch {
  LineRange Lines;
  /// The first line holds what precedes the branch as well.
  bool FirstInPart = false;
  /// It has no text: Lines are those of a condition without `else`, which is
  /// false.
  bool IsFalse = false;
};

/// An original with one more parameter, `global uint *`, the last one.
struct Instrumented {
  /// Why there is none; empty where there is.
  std::string Problem;
  /// Word I of the buffer is 1 once Branches[I] was taken.
  std::string Text;
  /// With the parameter alone, to compare results with.
  std::string Plain;
  std::vector<Branch> Branches;
  /// How many more there are that could not be looked at.
  unsigned NotLookedAt = 0;
};

llvm::json::Value toJSON(const Instrumented &I);
bool fromJSON(const llvm::json::Value &V, Instrumented &I, llvm::json::Path P);

struct Coverage {
  /// Why nothing is known; empty where something is.
  std::string Unknown;
  /// Lines of branches that no round took, in order, none touching the next;
  /// and those of which some other part was reached.
  std::vector<LineRange> NotReached;
  std::vector<unsigned> ReachedInPart;
  /// Lines with a condition without `else` that was true whenever it was asked.
  std::vector<unsigned> NeverFalse;
  unsigned Branches = 0;
  unsigned NotLookedAt = 0;
  /// How many rounds were looked at, where the time did not suffice for all of
  /// Rounds; 0 where it did, or every branch was reached before.
  unsigned Looked = 0, Rounds = 0;
  /// Of Branches, those that were taken, and how long it took to know; not kept
  /// in JSON.
  unsigned Taken = 0;
  double Seconds = 0;
};

llvm::json::Value toJSON(const Coverage &C);
bool fromJSON(const llvm::json::Value &V, Coverage &C, llvm::json::Path P);

/// "not reached: lines 14, 21-23, part of line 30; never false: the condition
/// of line 9; 2 branches were not looked at"; empty where all were, and were
/// reached.
std::string words(const Coverage &C);

/// What is not reached in one of several builds or readings is not reached.
void merge(Coverage &Into, const Coverage &Other);

/// A launch in which the versions left the same.
/// The hashes of what version 0 of a launch left, by argument, to compare two
/// launches.
using BufferHashes = std::map<int64_t, std::string>;
BufferHashes hashesOf(const opencl::DeviceAnswer &A);

struct CountedRound {
  /// The job `run`, with the original as version 0.
  llvm::json::Object Job;
  /// The original wrote something. Where it did not, nothing that it computed
  /// was compared, and no branch counts but that a condition was false.
  bool Wrote = true;
  /// Of what the original left, as hashesOf() has them; empty where it varies
  /// from run to run.
  BufferHashes Hashes;
};

/// The copy of an original on a device.
class CoverageRuns {
public:
  /// \p I was made of \p Original.
  CoverageRuns(Instrumented I, const Source &Original,
               const std::string &Kernel, Arithmetic How,
               opencl::DeviceChannel &Device, double Seconds);

  /// Runs it on the inputs of those of \p Rounds, which only grow from call to
  /// call, that it was not run on before, until every branch was taken. All
  /// calls together take Seconds at most.
  Coverage run(const std::vector<CountedRound> &Rounds);

  const Instrumented &copy() const { return I; }
  /// The numbers of the branches that were not taken; none where nothing is
  /// known.
  std::vector<unsigned> missed() const;

private:
  const Instrumented I;
  opencl::DeviceChannel &Device;
  std::chrono::duration<double> Limit;
  std::optional<process::Clock::time_point> End; ///< once it is built
  llvm::json::Object Noting, Plain;
  std::vector<bool> Taken;
  size_t Next = 0; ///< the round that is looked at next
  std::string Unknown;

  double left() const;
  std::string build(const CountedRound &R);
  opencl::DeviceAnswer call(const CountedRound &R, llvm::json::Array Versions);
  std::string look(const CountedRound &R);
  bool note(const CountedRound &R, const opencl::DeviceAnswer &A);
  bool leavesTheSame(const CountedRound &R, const opencl::DeviceAnswer &A);
  void sum(Coverage &C) const;
};

} // namespace clrewrite::verify

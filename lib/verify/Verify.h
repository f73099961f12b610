// Verification: do two versions of a kernel leave the same bytes?
//
// Both are run on the same generated inputs (Inputs.h), round after round
// (Trial.h), and every byte of every buffer is compared. What that can show:
// Different is certain, with a witness that can be replayed. Same says that no
// round told them apart, and how many there were; it is evidence, not a proof.
// Varying says that the original's own runs leave different bytes, and that the
// new version's are no further apart; that is less. All else is Unknown, with
// the reason. docs/verify.md is the user's page.
#pragma once

#include "source/Source.h"
#include "verify/Coverage.h"
#include "verify/Device.h"
#include "verify/Trial.h"
#include "verify/Versions.h"
#include <functional>

namespace clrewrite::verify {

/// What one round showed.
struct RoundNote {
  unsigned Number = 0; ///< from 1
  Contents Kind = Contents::Small;
  std::string Launch; ///< the last that was tried
  double Seconds = 0;
  std::string Result; ///< "equal", "not valid: REASON", ...
};

/// Rounds whose results agree in every bit.
struct Agreement {
  unsigned Rounds;
  std::string On; ///< the device, and what else is to be said of them
  std::string text() const;
};

struct Verification {
  enum Kind { Same, Varying, Different, Unknown } Verdict = Unknown;
  /// For the user: on what the verdict rests. "bit-identical on 12 rounds on
  /// cpu", "argument 2 'image' is an image".
  std::string Evidence;
  /// For Same, where Evidence says that and no more.
  std::optional<Agreement> Agreed;
  /// Same for every input, by a proof and not by runs alone.
  bool Proved = false;
  /// Unknown, because the device program crashed, hung or vanished in the
  /// middle of the work, whatever the kernel.
  bool DeviceFailed = false;
  /// What else the machine did has no part in the verdict. A verdict of same is
  /// settled where there was time for half of the rounds; any other but
  /// different, where there was time for all of them, and no launch crashed,
  /// hung or lost the device.
  bool IsSettled = false;
  /// Unknown, because results reach beyond the spread that they were to be held
  /// to.
  bool BeyondSpread = false;
  /// For Different, where a launch showed it.
  std::optional<Witness> How;
  /// The job for clrewrite-device that shows it again, one line; else empty.
  std::string Replay;
  /// The rounds that were run, in order.
  std::vector<RoundNote> Rounds;
  /// Which branches of the original they took, for Same; none where nobody
  /// asked. Evidence says it in words.
  std::optional<Coverage> Reached;
};

llvm::StringRef name(Verification::Kind V);

/// What two verdicts of one kernel make together.
Verification::Kind worse(Verification::Kind A, Verification::Kind B);

struct VerifyOptions {
  unsigned Rounds = 32; ///< for each launch
  /// For all rounds of one kernel; none goes on after it, but for the moment
  /// that ending a process takes. Builds are not counted.
  double Seconds = 10;
  /// For a proof, before anything is run, with compiling.
  unsigned ProofSeconds = 10;
  uint64_t Seed = 1;
  /// Try the same buffer for two arguments. Not where the user granted that
  /// buffers don't overlap.
  bool MayOverlap = true;
  /// Behind a plan's rounds some more have ids and integers that 16 bits can't
  /// count. They are large, and a driver compiles for a global offset again, so
  /// that they are left out where the versions are proved equal, or differ in
  /// nothing that could cut a number (mayCutTo16Bits).
  bool Exceeds16Bits = true;
  /// The new version may ask for work-groups where the original does not.
  bool AddsGroupUse = false;
  /// How it is launched; where there are several, each gets all rounds. Empty:
  /// nobody has said it, and it is guessed.
  std::vector<LaunchShape> Launches;
  /// Launches in which the versions may part, as far as anybody can tell
  /// without running them; each gets a round, where no Launches are given.
  std::vector<LaunchShape> Suspects = {};
  /// How the new version is launched otherwise than the original. Launches
  /// that can't be changed so do not count; those that are guessed can be.
  launch::LaunchChange Change = {};
  /// How both versions are built. Given where they differ in their options, not
  /// in their text: then there is nothing to compare beside it.
  Arithmetic Build = Arithmetic::Exact;
  /// Gives the copy of an original that notes its branches. Empty: nobody asks
  /// which ones the rounds take.
  std::function<Instrumented(const Source &)> Instrument = {};
  /// Gives launches in which an original may take branches, by their numbers in
  /// its copy; each gets a round, where no Launches are given. May be empty.
  std::function<std::vector<LaunchShape>(const Source &, const Instrumented &,
                                         const std::vector<unsigned> &)>
      Reach = {};
  /// How far floating-point results may be apart: as the user declares it, and
  /// as approximate rewrites state it.
  Tolerances Allowed;
};

/// Compares \p Kernel in \p Before and \p After on \p Device. \p Known is what
/// the front end says of it, with AsksForWhole where either version does
/// so; null where it has not parsed the source.
Verification verify(const Source &Before, const Source &After,
                    const std::string &Kernel, const rewrite::KernelInfo *Known,
                    const ChosenDevice &Device, const VerifyOptions &Options);

/// The names of the kernels in \p S, as the device builds it.
llvm::Expected<std::vector<std::string>> kernelsOf(const Source &S,
                                                   const ChosenDevice &Device);

} // namespace clrewrite::verify

// Reading a capture for a run over its programs.
#include "run/CaptureInput.h"
#include "capture/CaptureReport.h"
#include "pipeline/Planning.h"
#include "run/Console.h"
#include "source/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace clrewrite::run {

std::map<std::string, double> CaptureInput::weights() const {
  // Even a kernel that was never seen running gets something.
  constexpr double Least = 0.1;
  std::map<std::string, double> Out;
  double Kernels = double(Found.KernelShares.size());
  for (const auto &[Kernel, Share] : Found.KernelShares)
    Out[Kernel] = std::max(Least, Share * Kernels);
  return Out;
}

/// Keeps the units of \p Files.
static Error keepOnly(pipeline::CapturedUnits &Found,
                      ArrayRef<std::string> Files) {
  std::vector<bool> Used(Files.size());
  std::vector<pipeline::Unit> Kept;
  for (pipeline::Unit &U : Found.Units)
    for (size_t I = 0; I < Files.size(); ++I)
      if (sys::fs::equivalent(U.Path, Files[I])) {
        Used[I] = true;
        Kept.push_back(std::move(U));
        break;
      }
  Found.Units = std::move(Kept);
  for (size_t I = 0; I < Files.size(); ++I)
    if (!Used[I])
      return createStringError("no program of the capture comes from " +
                               Files[I]);
  return Error::success();
}

Expected<std::optional<CaptureInput>> captureInput(const config::Options &O) {
  if (O.CaptureFolder.empty())
    return std::nullopt;
  Expected<capture::Capture> Run = capture::readCapture(O.CaptureFolder);
  if (!Run)
    return Run.takeError();
  Expected<pipeline::CapturedUnits> Found = pipeline::unitsOf(*Run, O.Root);
  if (!Found)
    return Found.takeError();
  for (const std::string &Note : Found->Notes)
    note(printable(Note));
  if (!O.Files.empty())
    if (Error E = keepOnly(*Found, O.Files))
      return std::move(E);
  if (Found->Units.empty())
    return createStringError(O.CaptureFolder +
                             " has no program that was built from source");
  CaptureInput In{std::move(*Run), std::move(*Found), ""};
  if (std::vector<capture::CaptureRow> Rows = capture::captureRows(In.Run);
      !Rows.empty())
    In.Target = "device:" + In.Run.Devices[Rows.front().Device].Name;
  return std::optional<CaptureInput>(std::move(In));
}

Error keepRewritten(const CaptureInput &In, const report::Report &R) {
  Expected<std::vector<std::string>> Paths =
      pipeline::writeRewritten(In.Run, In.Found, R);
  if (!Paths)
    return Paths.takeError();
  bool HostMade = any_of(zip(In.Found.Units, R.Files), [](auto Each) {
    const auto &[U, F] = Each;
    return U.HostMade && F.Problem.empty() && F.Result.changed();
  });
  if (HostMade)
    note("patches of programs that the host makes itself: " + In.Run.Folder +
         "/rewritten");
  if (any_of(R.Files, [](const report::FileReport &F) {
        return F.Problem.empty() && pipeline::changesLaunches(F);
      }))
    note("a program whose kernels its host must launch otherwise has a patch "
         "alone, and clrewrite try leaves it as it is");
  if (!Paths->empty())
    note("clrewrite try --capture=" + In.Run.Folder +
         " -- PROGRAM ... runs the program with and without " +
         (Paths->size() == 1 ? "its rewritten program"
                             : utostr(Paths->size()) + " rewritten programs"));
  return Error::success();
}

Error writePlanFile(const plan::Plan &P, const std::string &Path) {
  return writeToOutput(Path, [&](raw_ostream &OS) {
    OS << plan::writePlan(P, CLREWRITE_VERSION);
    return Error::success();
  });
}

Error keepPlan(const CaptureInput &In, const report::Report &R,
               const std::string &Path) {
  std::vector<std::string> Notes;
  plan::Plan P = pipeline::planOf(In.Run, In.Found, R, Notes);
  for (const std::string &Note : Notes)
    note(Note);
  if (Error E = writePlanFile(P, Path))
    return E;
  note(P.Programs.empty()
           ? "the plan " + Path + " is empty"
           : "clrewrite run --plan=" + Path +
                 " -- PROGRAM ... runs the program with the rewritten kernels");
  return Error::success();
}

} // namespace clrewrite::run

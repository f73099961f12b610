// Jobs of a capture's launches.
#include "pipeline/Replay.h"
#include "measure/Timing.h"
#include "pipeline/Captured.h"
#include "pipeline/Unseen.h"
#include "report/Listing.h"
#include "source/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;

namespace clrewrite::pipeline {
namespace {

constexpr uint64_t MostReturned = 1 << 20; // the protocol's bound

class Replayer {
public:
  Replayer(const capture::Capture &C, const verify::ChosenDevice &Device,
           const ReplayOptions &Options, raw_ostream &OS)
      : C(C), Device(Device), Options(Options), OS(OS) {}

  ReplayCounts run(ArrayRef<BuiltProgram> Programs) {
    for (const BuiltProgram &P : Programs)
      for (size_t I = 0; I < P.Launches.size(); ++I)
        if (Options.Kernel.empty() ||
            Options.Kernel == (*P.How.Recorded)[I].Kernel)
          launch(P, (*P.How.Recorded)[I], *P.Launches[I]);
    return Counts;
  }

private:
  const capture::Capture &C;
  const verify::ChosenDevice &Device;
  const ReplayOptions &Options;
  raw_ostream &OS;
  ReplayCounts Counts;

  static json::Object version(const BuiltProgram &P, const std::string &Text,
                              const std::string &Kernel) {
    json::Object V = opencl::programOf(Text, P.How.DeviceOptions);
    V["kernel"] = Kernel;
    return V;
  }

  void launch(const BuiltProgram &P, const RecordedLaunch &R,
              const capture::CapturedLaunch &L) {
    OS << R.Kernel << " " << launch::sizesText(R.Global)
       << (R.Local.empty() ? "" : ":" + launch::sizesText(R.Local)) << ": ";
    json::Array Versions{version(P, P.Text, R.Kernel)};
    std::optional<std::string> New = C.rewritten(P.Hash);
    if (New)
      Versions.push_back(version(P, *New, R.Kernel));
    Expected<json::Array> Data = R.Data();
    const std::string NoData = Data ? "" : toString(Data.takeError());
    const bool WithData = NoData.empty();
    json::Array Arguments = WithData ? std::move(*Data) : *R.Recorded;
    if (WithData)
      askForContents(Arguments, L);
    json::Object Job = R.sizes();
    Job["job"] = "run";
    Job["device"] = Device.Index;
    Job["versions"] = std::move(Versions);
    Job["args"] = std::move(Arguments);
    Job["time"] = true;
    Job["repeat"] = Options.Repeat;
    opencl::DeviceAnswer A = Device.Channel->call(std::move(Job));
    if (!A.ok()) {
      ++Counts.Failed;
      OS << "not run: " << A.Problem;
      if (!WithData)
        OS << "; its buffers had made-up contents, since " << NoData;
      OS << "\n";
      return;
    }
    tell(A.Body, WithData, L, New.has_value());
  }

  /// The after-bytes that were recorded of argument \p I; empty for none.
  std::string recorded(const capture::CapturedLaunch &L, size_t I) const {
    for (const capture::CapturedData &D : L.Data)
      if (D.Sample == 0 && D.Argument == unsigned(I) && !D.After.empty()) {
        Expected<std::string> Bytes = C.blob(D.After);
        if (Bytes)
          return *Bytes;
        consumeError(Bytes.takeError());
      }
    return "";
  }

  void askForContents(json::Array &Arguments,
                      const capture::CapturedLaunch &L) const {
    for (size_t I = 0; I < Arguments.size(); ++I) {
      json::Object *O = Arguments[I].getAsObject();
      json::Object *Memory = O->getObject("buffer");
      if (!Memory)
        Memory = O->getObject("image");
      std::string After = Memory ? recorded(L, I) : "";
      if (!After.empty() && After.size() <= MostReturned)
        (*Memory)["return"] = true;
    }
  }

  static double median(const json::Object *Time, size_t Version) {
    const json::Array *List = Time ? Time->getArray("versions") : nullptr;
    if (!List || Version >= List->size())
      return 0;
    const json::Object *V = (*List)[Version].getAsObject();
    return V ? V->getNumber("median_ns").value_or(0) : 0;
  }

  void tell(const json::Object &Answer, bool WithData,
            const capture::CapturedLaunch &L, bool HasNew) {
    const json::Object *Time = Answer.getObject("time");
    OS << formatv("{0:f1} us", median(Time, 0) / 1e3);
    if (HasNew)
      OS << formatv(", rewritten {0:f1} us", median(Time, 1) / 1e3);
    unsigned Objects = 0, Unlike = 0;
    if (const json::Array *Buffers = Answer.getArray("buffers"))
      for (const json::Value &V : *Buffers) {
        const json::Object *B = V.getAsObject();
        const json::Array *Contents = B ? B->getArray("contents") : nullptr;
        if (!Contents || Contents->empty())
          continue;
        std::vector<char> Bytes;
        if (Error E = decodeBase64((*Contents)[0].getAsString().value_or(""),
                                   Bytes)) {
          consumeError(std::move(E));
          continue;
        }
        ++Objects;
        Unlike += recorded(L, size_t(B->getInteger("arg").value_or(0))) !=
                  std::string(Bytes.begin(), Bytes.end());
      }
    bool Fine = Unlike == 0;
    if (Objects)
      OS << formatv("; {0} of {1} objects as recorded", Objects - Unlike,
                    Objects);
    else
      OS << (WithData ? "; results too large to compare with the record"
                      : "; made-up contents, none were recorded");
    if (HasNew) {
      bool Same = Answer.getBoolean("same").value_or(false);
      OS << (Same ? "; the rewritten kernel leaves the same"
                  : "; THE REWRITTEN KERNEL LEAVES OTHER BYTES");
      Fine &= Same;
    }
    OS << "\n";
    ++(Fine ? Counts.Same : Counts.Different);
  }
};

} // namespace

Expected<ReplayCounts> replay(const capture::Capture &C,
                              verify::LazyDevice &Device,
                              const ReplayOptions &Options, raw_ostream &OS) {
  std::vector<std::string> Notes;
  Expected<std::vector<BuiltProgram>> Programs = builtPrograms(C, ".", Notes);
  if (!Programs)
    return Programs.takeError();
  Expected<verify::ChosenDevice> Chosen = Device.get();
  if (!Chosen)
    return Chosen.takeError();
  if (!Chosen->Channel)
    return createStringError(Chosen->Absent);
  std::set<std::string> Told;
  for (const BuiltProgram &P : *Programs)
    for (const std::string &What : inWords({P.Text, {}, {}}))
      if (Told.insert(P.Hash + What).second)
        OS << "note: program " << P.Hash << ": " << report::UnseenWords << What
           << "\n";
  ReplayCounts Out = Replayer(C, *Chosen, Options, OS).run(*Programs);
  if (!Chosen->Sandbox.empty() && (Out.Same || Out.Different || Out.Failed))
    OS << report::SandboxWords << Chosen->Sandbox << "\n";
  for (const std::string &Note : Notes)
    OS << "note: " << printable(Note) << "\n";
  if (!Out.Same && !Out.Different && !Out.Failed)
    return createStringError(
        C.Folder + " has no launch" +
        (Options.Kernel.empty() ? "" : " of kernel " + Options.Kernel) +
        " that can be repeated, of a program that was built from source");
  return Out;
}

} // namespace clrewrite::pipeline

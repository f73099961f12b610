// clrewrite-compile-NN: compiles with LLVM NN for a clrewrite that has another
// one (lib/measure/OtherLlvm.h). It answers questions on stdin, which clrewrite
// makes a socket.
#include "measure/BackendProcesses.h"
#include "measure/CompileRequest.h"
#include "measure/Shares.h"
#include "process/Heap.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"

using namespace llvm;
using namespace clrewrite;
using namespace clrewrite::measure;

namespace {

class Server {
  BackendSettings Settings;
  std::map<const TargetFamily *, std::unique_ptr<BackendProcesses>> Open;

  bool readSettings(json::ObjectMapper &O);
  Expected<BackendProcesses *> processesFor(const Target &On);
  json::Value tell(const std::string &Target);
  template <typename T> Answer<T> problem(Error E);
  json::Array figures(ArrayRef<MeasureRequest> Requests);
  json::Array answers(std::vector<CompileRequest> Requests);

public:
  std::string answer(StringRef Question);
};

template <typename T> json::Object toJSON(const Answer<T> &A) {
  return json::Object{{"lasting", A.Lasting}, {"value", toJSON(A.Value)}};
}

/// False where a member is missing.
bool Server::readSettings(json::ObjectMapper &O) {
  return O && mapBytes(O, "device_libs", Settings.LibraryDir) &&
         O.map("seconds", Settings.Limits.Seconds) &&
         O.map("parallel", Settings.Limits.Parallel) &&
         O.map("memory", Settings.Limits.Memory);
}

Expected<BackendProcesses *> Server::processesFor(const Target &On) {
  std::unique_ptr<BackendProcesses> &Out = Open[On.Family];
  if (!Out) {
    auto Backends = openBackends(On, Settings);
    if (!Backends)
      return Backends.takeError();
    if (Backends->empty())
      return createStringError("LLVM " LLVM_VERSION_STRING
                               " does not compile for it");
    Out = std::make_unique<BackendProcesses>(std::move(Backends->front()),
                                             Settings.Limits);
  }
  return Out.get();
}

/// What there is to know of the target \p Name.
json::Value Server::tell(const std::string &Name) {
  json::Object Out{{"problem", ""}, {"files", json::Array()}};
  Expected<Target> T = parseTarget(Name);
  Expected<BackendProcesses *> P =
      T ? processesFor(*T) : Expected<BackendProcesses *>(T.takeError());
  if (P)
    Out["files"] = textsOfBytes((*P)->files(*T));
  else
    Out["problem"] = textOfBytes(toString(P.takeError()));
  return Out;
}

template <typename T> Answer<T> Server::problem(Error E) {
  Answer<T> Out;
  Out.Lasting = false;
  Out.Value.Problem = toString(std::move(E));
  return Out;
}

/// Each back end gets its requests, all at once.
json::Array Server::figures(ArrayRef<MeasureRequest> Requests) {
  std::vector<Answer<Measurement>> Out(Requests.size());
  auto whose = [&](size_t I, const MeasureRequest &R) -> BackendProcesses * {
    Expected<BackendProcesses *> P = processesFor(R.On);
    if (P)
      return *P;
    Out[I] = problem<Measurement>(P.takeError());
    return nullptr;
  };
  for (const auto &[Processes, Theirs] :
       sharesOf<BackendProcesses>(Requests, whose))
    Theirs.put(Processes->measure(Theirs.Requests), Out);
  json::Array Told;
  for (const Answer<Measurement> &A : Out)
    Told.push_back(toJSON(A));
  return Told;
}

/// All of \p Requests are of one sort.
json::Array Server::answers(std::vector<CompileRequest> Requests) {
  if (Requests.empty())
    return {};
  std::vector<MeasureRequest> Figures;
  json::Array Out;
  for (CompileRequest &R : Requests) {
    // Its processor is what this LLVM calls it.
    Expected<Target> On = parseTarget(R.What.On.Name);
    if (!On) {
      consumeError(On.takeError());
      return {};
    }
    R.What.On = std::move(*On);
    if (R.Wanted == CompileRequest::Figures) {
      Figures.push_back(std::move(R.What));
      continue;
    }
    Expected<BackendProcesses *> P = processesFor(R.What.On);
    if (R.Wanted == CompileRequest::Pressure)
      Out.push_back(toJSON(P ? (*P)->pressure(R.What)
                             : problem<PressureReport>(P.takeError())));
    else
      Out.push_back(
          toJSON(P ? (*P)->work(R.What) : problem<WorkReport>(P.takeError())));
  }
  return Figures.empty() ? std::move(Out) : figures(Figures);
}

/// Empty where \p Question is something else.
std::string Server::answer(StringRef Question) {
  Expected<json::Value> V = parseJson(Question, LargeJson);
  if (!V) {
    consumeError(V.takeError());
    return "";
  }
  json::Path::Root Root;
  json::ObjectMapper O(*V, Root);
  if (!readSettings(O))
    return "";
  json::Object Out;
  std::vector<std::string> Names;
  std::vector<CompileRequest> Requests;
  if (V->getAsObject()->get("targets")) {
    if (!mapBytes(O, "targets", Names))
      return "";
    Out["llvm"] = LLVM_VERSION_STRING;
    Out["targets"] = json::Array(map_range(
        Names, [this](const std::string &Name) { return tell(Name); }));
  } else {
    if (!O.map("requests", Requests))
      return "";
    Out["answers"] = answers(std::move(Requests));
  }
  return jsonText(std::move(Out));
}

} // namespace

int main(int Argc, char **Argv) {
  StringRef Asked = Argc == 2 ? Argv[1] : "";
  if (Asked == "--serve") {
    process::keepHeap();
    Server S;
    return process::serveRequests(
        [&S](StringRef Question) { return S.answer(Question); });
  }
  raw_ostream &OS = Asked == "--version" ? outs() : errs();
  OS << "clrewrite-compile " CLREWRITE_VERSION " (LLVM " LLVM_VERSION_STRING
        ")\n";
  if (Asked == "--version")
    return 0;
  errs() << "clrewrite starts this program where a target says that another "
            "LLVM compiles for it, as --target=gfx906@"
         << LLVM_VERSION_MAJOR << "\n";
  return 2;
}

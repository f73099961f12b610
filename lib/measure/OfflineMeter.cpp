// Compiling in children, with a cache for this run.
#include "measure/OfflineMeter.h"
#include "measure/amdgcn/AmdgcnProbe.h"
#include "process/Fields.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::measure {

frontend::Arch archOf(ArrayRef<Target> Targets) {
  for (const Target &T : Targets) {
    if (T.Kind == TargetKind::Amdgcn)
      return amdgcnArch(T.Cpu);
    if (T.Kind == TargetKind::Nvptx)
      return nvptxArch(T.Cpu);
    if (T.Kind == TargetKind::R600)
      return r600Arch(T.Cpu);
  }
  return amdgcnArch("gfx906");
}

OfflineMeter::OfflineMeter(std::optional<Amdgcn> Amd,
                           process::ChildLimits Limits,
                           std::optional<Nvptx> Nvidia,
                           const cache::DiskCache *Disk,
                           std::optional<R600> Old)
    : Amd(std::move(Amd)), Nvidia(std::move(Nvidia)), Old(std::move(Old)),
      Limits(Limits), Disk(Disk) {}
OfflineMeter::~OfflineMeter() = default;

static std::string keyOf(const MeasureRequest &R) {
  return utohexstr(hash(R.What)) + ":" + R.On.Cpu + ":" + join(R.Kernels, ",");
}

static std::string pack(const Measurement &M) {
  json::Array Kernels;
  for (const KernelUsage &K : M.Kernels)
    Kernels.push_back(toJSON(K));
  std::string Text;
  raw_string_ostream OS(Text);
  OS << json::Value(json::Object{{"kernels", std::move(Kernels)},
                                 {"problem", json::fixUTF8(M.Problem)}});
  return Text;
}

static Measurement unpack(const std::string &Text) {
  Measurement M;
  Expected<json::Value> V = parseJson(Text);
  json::Path::Root Root;
  if (V) {
    json::ObjectMapper O(*V, Root);
    if (O && O.map("kernels", M.Kernels) && O.map("problem", M.Problem))
      return M;
  } else {
    consumeError(V.takeError());
  }
  M.Problem = "the compiling process sent no result";
  return M;
}

/// Whether a later run would get the same, and not a matter of the machine's
/// load.
static bool isLasting(const Measurement &M) {
  auto failed = [](StringRef Problem) { return Problem.starts_with("LLVM "); };
  return !failed(M.Problem) && none_of(M.Kernels, [&](const KernelUsage &K) {
    return failed(K.Problem);
  });
}

/// The files that results for \p On depend on.
std::vector<std::string> OfflineMeter::filesFor(const Target &On) const {
  if (On.Kind == TargetKind::Amdgcn && Amd)
    return Amd->files();
  if (On.Kind == TargetKind::Nvptx && Nvidia)
    return Nvidia->files();
  if (On.Kind == TargetKind::R600 && Old)
    return Old->files(On.Cpu);
  return {};
}

cache::CacheKey OfflineMeter::diskKey(StringRef Sort,
                                      const MeasureRequest &R) const {
  cache::CacheKey Key(Sort);
  Key.add(R.What).add(R.On.Cpu);
  for (const std::string &Kernel : R.Kernels)
    Key.add(Kernel);
  for (const std::string &Path : filesFor(R.On))
    Key.addFile(Path);
  return Key;
}

std::optional<Measurement>
OfflineMeter::fromDisk(const MeasureRequest &R) const {
  if (!Disk)
    return std::nullopt;
  std::optional<std::string> Text = Disk->get(diskKey("measure", R));
  return Text ? std::optional(unpack(*Text)) : std::nullopt;
}

/// Has the libraries read that \p Requests need, so that children inherit
/// them.
Error OfflineMeter::load(ArrayRef<MeasureRequest> Requests) {
  auto any = [&](TargetKind Kind) {
    return any_of(Requests,
                  [&](const MeasureRequest &R) { return R.On.Kind == Kind; });
  };
  if (Amd && any(TargetKind::Amdgcn))
    if (Error E = Amd->load())
      return E;
  if (Nvidia && any(TargetKind::Nvptx))
    if (Error E = Nvidia->load())
      return E;
  for (const MeasureRequest &R : Requests)
    if (Old && R.On.Kind == TargetKind::R600)
      if (Error E = Old->load(R.On.Cpu))
        return E;
  return Error::success();
}

static OccupancySteps stepsFrom(const std::string &Text) {
  OccupancySteps Steps;
  json::Path::Root Root;
  Expected<json::Value> V = parseJson(Text);
  if (!V)
    consumeError(V.takeError());
  else if (fromJSON(*V, Steps, Root))
    return Steps;
  return {};
}

/// \p Problem without the addresses that LLVM prints, which differ from run to
/// run.
static std::string withoutAddresses(StringRef Problem) {
  std::string Out;
  for (StringRef Rest = Problem; !Rest.empty();) {
    StringRef Digits = Rest;
    size_t Length =
        Digits.consume_front("0x") ? Digits.take_while(isHexDigit).size() : 0;
    if (Length >= 8 || (Length && Length == Digits.size())) { // or cut short
      Rest = Digits.drop_front(Length);
      Rest.consume_front(": ");
      Rest.consume_front(" ");
      continue;
    }
    Out += Rest.front();
    Rest = Rest.drop_front();
  }
  return StringRef(Out).rtrim(", ").str();
}

/// With the back end that the target names; to be called in a child.
Measurement OfflineMeter::compileHere(const MeasureRequest &Request) const {
  if (Request.On.Kind == TargetKind::Amdgcn && Amd)
    return Amd->compile(Request);
  if (Request.On.Kind == TargetKind::Nvptx && Nvidia)
    return Nvidia->compile(Request);
  if (Request.On.Kind == TargetKind::R600 && Old)
    return Old->compile(Request);
  Measurement M;
  M.Problem = "no back end for " + Request.On.Name;
  return M;
}

using StepsKey = std::pair<std::string, unsigned>;

/// The two things that a worker is asked for, told apart by the first byte.
static std::string askSteps(const StepsKey &Key) {
  return "s" + utostr(Key.second) + " " + Key.first;
}
static std::string askMeasure(const MeasureRequest &R) {
  std::vector<std::string> Fields{R.What.Path, R.What.Text, R.On.Name, R.On.Cpu,
                                  utostr(R.Kernels.size())};
  append_range(Fields, R.Kernels);
  append_range(Fields, R.What.Options);
  return "m" + process::packFields(Fields);
}

/// What askMeasure() asked behind its first byte, for AMD's back end.
static std::optional<MeasureRequest> toMeasure(StringRef Asked) {
  std::optional<std::vector<std::string>> Fields = process::unpackFields(Asked);
  size_t Kernels;
  if (!Fields || Fields->size() < 5 ||
      StringRef((*Fields)[4]).getAsInteger(10, Kernels) ||
      Fields->size() - 5 < Kernels)
    return std::nullopt;
  ArrayRef<std::string> Rest = ArrayRef(*Fields).drop_front(5);
  return MeasureRequest{
      {(*Fields)[0], (*Fields)[1], Rest.drop_front(Kernels).vec()},
      {(*Fields)[2], (*Fields)[3]},
      Rest.take_front(Kernels).vec()};
}

/// In a worker.
std::string OfflineMeter::answer(StringRef Asked) const {
  if (Asked.consume_front("m")) {
    std::optional<MeasureRequest> R = toMeasure(Asked);
    return R ? pack(compileHere(*R)) : "";
  }
  unsigned WaveSize = 0;
  Asked.consume_front("s");
  Asked.consumeInteger(10, WaveSize);
  return formatv("{0}",
                 json::Value(toJSON(amdgcnSteps(Asked.trim(), WaveSize))));
}

/// The answers to what AMD's back end is asked, in order.
std::vector<process::ChildResult>
OfflineMeter::askAmd(ArrayRef<std::string> Questions) {
  if (!AmdWorkers)
    AmdWorkers.emplace([this](StringRef Asked) { return answer(Asked); },
                       Limits);
  return AmdWorkers->run(Questions);
}

/// Fills in what the steps of occupancy tell. A kernel may have waves of its
/// own size, by an attribute; what they give is asked for when one turns up.
void OfflineMeter::explain(const MeasureRequest &Request, Measurement &Into) {
  for (KernelUsage &K : Into.Kernels) {
    if (!K.Figures.WaveSize)
      continue;
    StepsKey Key(Request.On.Cpu, *K.Figures.WaveSize);
    if (!Steps.count(Key))
      Steps[Key] = stepsFrom(askAmd(askSteps(Key)).front().Output);
    explainOccupancy(K.Figures, Steps[Key]);
  }
}

static Measurement measured(const process::ChildResult &Result) {
  if (Result.Status == process::ChildResult::Done)
    return unpack(Result.Output);
  Measurement M;
  M.Problem = "LLVM " + withoutAddresses(Result.Problem);
  return M;
}

/// Has workers compile for AMD, and read the steps of the processors that are
/// new to this run; each request for another back end has a child of its own.
std::vector<Measurement>
OfflineMeter::compile(ArrayRef<MeasureRequest> Requests) {
  if (Error E = load(Requests)) {
    Measurement None;
    None.Problem = toString(std::move(E));
    return std::vector<Measurement>(Requests.size(), None);
  }
  std::vector<std::function<std::string()>> Work;
  std::vector<std::string> Questions;
  std::vector<StepsKey> New;
  for (const MeasureRequest &R : Requests) {
    if (R.On.Kind != TargetKind::Amdgcn)
      continue;
    StepsKey Key(R.On.Cpu, frontend::waveSizeAsked(R.What.Options, R.On.Cpu)
                               .value_or(waveSizeOf(R.On.Cpu)));
    if (Steps.count(Key) || is_contained(New, Key))
      continue;
    New.push_back(Key);
    Questions.push_back(askSteps(Key));
  }
  for (const MeasureRequest &R : Requests)
    if (R.On.Kind == TargetKind::Amdgcn)
      Questions.push_back(askMeasure(R));
    else
      Work.push_back([this, &R] { return pack(compileHere(R)); });
  Compilations += unsigned(Requests.size());

  std::vector<process::ChildResult> Answers = askAmd(Questions);
  std::vector<process::ChildResult> Results =
      process::runInChildren(Work, Limits);
  auto Answer = Answers.begin(), Result = Results.begin();
  for (const StepsKey &Key : New)
    Steps[Key] = stepsFrom((Answer++)->Output);
  std::vector<Measurement> Out;
  for (const MeasureRequest &R : Requests) {
    bool ForAmd = R.On.Kind == TargetKind::Amdgcn;
    Out.push_back(measured(ForAmd ? *Answer++ : *Result++));
    if (ForAmd)
      explain(R, Out.back());
  }
  return Out;
}

/// After a crash or a timeout: each kernel alone, so that only the one at
/// fault is lost.
void OfflineMeter::separately(const MeasureRequest &Request,
                              Measurement &Into) {
  std::vector<MeasureRequest> Each;
  for (const std::string &Kernel : Request.Kernels) {
    Each.push_back(Request);
    Each.back().Kernels = {Kernel};
  }
  std::vector<Measurement> Results = compile(Each);
  std::string Problem = std::move(Into.Problem);
  Into = {};
  for (auto [R, M] : zip(Each, Results)) {
    if (M.Problem.empty() && M.Kernels.size() == 1) {
      Into.Kernels.push_back(std::move(M.Kernels.front()));
      continue;
    }
    KernelUsage K;
    K.Kernel = R.Kernels.front();
    K.Problem = M.Problem.empty() ? Problem : M.Problem;
    Into.Kernels.push_back(std::move(K));
  }
}

std::vector<Measurement>
OfflineMeter::measure(ArrayRef<MeasureRequest> Requests) {
  std::vector<Measurement> Out(Requests.size());
  std::vector<MeasureRequest> Todo;
  std::vector<std::string> Keys;
  for (const MeasureRequest &R : Requests) {
    std::string Key = keyOf(R);
    if (Cache.count(Key)) {
      ++CacheHits;
    } else if (std::optional<Measurement> Known = fromDisk(R)) {
      ++CacheHits;
      Cache[Key] = std::move(*Known);
    } else if (!is_contained(Keys, Key)) {
      Keys.push_back(Key);
      Todo.push_back(R);
    }
  }
  std::vector<Measurement> Fresh = compile(Todo);
  for (auto [Key, R, M] : zip(Keys, Todo, Fresh)) {
    if (!M.Problem.empty() && StringRef(M.Problem).starts_with("LLVM ") &&
        R.Kernels.size() > 1)
      separately(R, M);
    llvm::sort(M.Kernels, [](const KernelUsage &A, const KernelUsage &B) {
      return A.Kernel < B.Kernel;
    });
    if (Disk && isLasting(M))
      Disk->put(diskKey("measure", R), pack(M));
    Cache[Key] = std::move(M);
  }
  for (auto [R, M] : zip(Requests, Out))
    M = Cache[keyOf(R)];
  return Out;
}

} // namespace clrewrite::measure

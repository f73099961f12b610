// Compiling in children, with a cache for this run and one on disk.
#include "measure/OfflineMeter.h"
#include "measure/CompileRequest.h"
#include "measure/Shares.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::measure {

OfflineMeter::OfflineMeter(std::vector<std::unique_ptr<Backend>> Backends,
                           process::ChildLimits Limits,
                           const cache::DiskCache *Disk)
    : Disk(Disk), AtOnce(Limits.atOnce()) {
  for (std::unique_ptr<Backend> &B : Backends) {
    const TargetFamily *Family = &B->family();
    ByFamily.try_emplace(Family, std::move(B), Limits);
  }
}
OfflineMeter::~OfflineMeter() = default;

void OfflineMeter::add(unsigned Major, std::unique_ptr<OtherLlvm> With) {
  ByLlvm[Major] = std::move(With);
}

Compilers *OfflineMeter::compilersFor(const Target &On) {
  if (On.Llvm) {
    auto Other = ByLlvm.find(On.Llvm);
    return Other == ByLlvm.end() ? nullptr : Other->second.get();
  }
  auto It = ByFamily.find(On.Family);
  return It == ByFamily.end() ? nullptr : &It->second;
}

/// The launches that its figures depend on.
static std::string launchesOf(const MeasureRequest &R) {
  launch::FactsByKernel Own;
  for (const auto &[Kernel, Facts] : R.Launches)
    if (R.Kernels.empty() || is_contained(R.Kernels, Kernel))
      Own[Kernel] = Facts;
  return jsonText(toJSON(Own));
}

static std::string keyOf(const MeasureRequest &R) {
  return utohexstr(hash(R.What)) + ":" + R.On.Cpu + "@" + utostr(R.On.Llvm) +
         ":" + join(R.Kernels, ",") + ":" + launchesOf(R) +
         (R.EstimateOnly ? ":estimate" : "") + (R.Alone ? ":alone" : "");
}

cache::CacheKey OfflineMeter::diskKey(StringRef Sort, const MeasureRequest &R) {
  cache::CacheKey Key(Sort);
  Key.add(R.What).add(R.On.Cpu).add(launchesOf(R));
  Key.add(R.EstimateOnly ? "estimate" : "").add(R.Alone ? "alone" : "");
  for (const std::string &Kernel : R.Kernels)
    Key.add(Kernel);
  if (auto Other = ByLlvm.find(R.On.Llvm); Other != ByLlvm.end())
    Key.add(Other->second->version());
  if (Compilers *P = compilersFor(R.On))
    for (const std::string &Path : P->files(R.On))
      Key.addFile(Path);
  return Key;
}

template <typename T>
std::optional<T> OfflineMeter::fromDisk(StringRef Sort,
                                        const MeasureRequest &R) {
  std::optional<std::string> Text;
  if (Disk)
    Text = Disk->get(diskKey(Sort, R));
  return Text ? valueOf<T>(*Text) : std::nullopt;
}

template <typename T>
void OfflineMeter::toDisk(StringRef Sort, const MeasureRequest &R,
                          const Answer<T> &A) {
  if (Disk && A.Lasting)
    Disk->put(diskKey(Sort, R), formatv("{0}", toJSON(A.Value)).str());
}

/// Each back end gets its requests, all at once, and side by side with the
/// others where as many processes are allowed.
std::vector<Answer<Measurement>>
OfflineMeter::compile(ArrayRef<MeasureRequest> Requests) {
  std::vector<Answer<Measurement>> Out(Requests.size());
  auto whose = [&](size_t I, const MeasureRequest &R) {
    Compilers *P = compilersFor(R.On);
    if (!P)
      Out[I].Value.Problem = "no back end for " + R.On.Name;
    return P;
  };
  auto Shares = sharesOf<Compilers>(Requests, whose);
  if (Shares.size() > 1 && Shares.size() <= AtOnce)
    for (const auto &[Processes, Theirs] : Shares)
      Processes->begin(Theirs.Requests, AtOnce / unsigned(Shares.size()));
  for (const auto &[Processes, Theirs] : Shares)
    Theirs.put(Processes->measure(Theirs.Requests), Out);
  Compilations += unsigned(Requests.size());
  return Out;
}

/// The file and the target of \p R.
static std::string placeOf(const MeasureRequest &R) {
  return R.On.Name + ":" + R.What.Path;
}

bool OfflineMeter::standsAlone(const MeasureRequest &R) const {
  return R.Kernels.size() == 1 && Troubled.count(placeOf(R));
}

/// After a crash or a timeout: each kernel alone, so that only the one at
/// fault is lost.
void OfflineMeter::separately(const MeasureRequest &Request,
                              Answer<Measurement> &Into) {
  std::vector<MeasureRequest> Each;
  for (const std::string &Kernel : Request.Kernels) {
    Each.push_back(Request);
    Each.back().Kernels = {Kernel};
    Each.back().Alone = true;
  }
  std::string Problem = std::move(Into.Value.Problem);
  Into = {};
  for (auto [R, A] : zip(Each, compile(Each))) {
    Into.Lasting &= A.Lasting;
    Measurement &M = A.Value;
    if (M.Problem.empty() && M.Kernels.size() == 1) {
      Into.Value.Kernels.push_back(std::move(M.Kernels.front()));
      continue;
    }
    KernelUsage K;
    K.Kernel = R.Kernels.front();
    K.Problem = M.Problem.empty() ? Problem : M.Problem;
    Into.Value.Kernels.push_back(std::move(K));
  }
}

std::vector<Measurement> OfflineMeter::measure(ArrayRef<MeasureRequest> Given) {
  std::vector<MeasureRequest> Requests = Given.vec(), Todo;
  for (MeasureRequest &R : Requests)
    R.Alone |= standsAlone(R);
  std::vector<std::string> Keys;
  for (const MeasureRequest &R : Requests) {
    std::string Key = keyOf(R);
    if (Cache.count(Key)) {
      ++CacheHits;
    } else if (auto Known = fromDisk<Measurement>("measure", R)) {
      ++CacheHits;
      Cache[Key] = std::move(*Known);
    } else if (!is_contained(Keys, Key)) {
      Keys.push_back(Key);
      Todo.push_back(R);
    }
  }
  for (auto [Key, R, Told] : zip(Keys, Todo, compile(Todo))) {
    if (!Told.Lasting && !R.Kernels.empty() && !R.Alone) {
      Troubled.insert(placeOf(R));
      separately(R, Told);
    }
    llvm::sort(Told.Value.Kernels,
               [](const KernelUsage &A, const KernelUsage &B) {
                 return A.Kernel < B.Kernel;
               });
    toDisk("measure", R, Told);
    Cache[Key] = std::move(Told.Value);
  }
  std::vector<Measurement> Out;
  for (const MeasureRequest &R : Requests)
    Out.push_back(Cache[keyOf(R)]);
  return Out;
}

PressureReport OfflineMeter::countLive(const MeasureRequest &R) {
  Compilers *P = compilersFor(R.On);
  if (!P)
    return Meter::pressure({R}).front();
  if (auto Known = fromDisk<PressureReport>("pressure", R))
    return std::move(*Known);
  Answer<PressureReport> A = P->pressure(R);
  toDisk("pressure", R, A);
  return std::move(A.Value);
}

std::vector<PressureReport>
OfflineMeter::pressure(ArrayRef<MeasureRequest> Requests) {
  std::vector<PressureReport> Out;
  for (const MeasureRequest &R : Requests)
    Out.push_back(countLive(R));
  return Out;
}

WorkReport OfflineMeter::work(const MeasureRequest &Request) {
  Compilers *P = compilersFor(Request.On);
  if (!P)
    return Meter::work(Request);
  return std::move(P->work(Request).Value);
}

} // namespace clrewrite::measure

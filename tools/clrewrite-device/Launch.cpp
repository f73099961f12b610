// Running, comparing and timing versions of a kernel.
//
// All versions use the same buffers and images, one after the other, so that an
// address or a page can't favour one of them. Before each launch they get their
// initial contents anew: written by the host for the launches that are
// compared, copied on the device for those that are timed, and for all where
// memory is used again.
#include "Launch.h"
#include "Base64.h"
#include "Buffer.h"
#include "Compare.h"
#include "Events.h"
#include "Image.h"
#include "LaunchChecks.h"
#include "Spread.h"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>

namespace clrewrite::device {
namespace {

class Launcher {
  Device &D;
  Programs &Cache;
  const LaunchRequest &L;
  LaunchMemory &M;
  bool Known = false;                 // M has what version 0 leaves
  std::vector<Kernel> Kernels;        // by version
  std::map<size_t, Sampler> Samplers; // by argument
  std::map<size_t, Memory> Parts;     // by argument that begins in a buffer
  Json Differences = Json::array(), Trespasses = Json::array();

public:
  Launcher(Device &D, Programs &Cache, const LaunchRequest &L, LaunchMemory &M)
      : D(D), Cache(Cache), L(L), M(M) {}
  /// Parts of buffers go before the buffers, and later ones before earlier
  /// ones: NVIDIA's driver 580.159.04 crashes where the older one of two
  /// sub-buffers that overlap is released first.
  ~Launcher() {
    while (!Parts.empty())
      Parts.erase(std::prev(Parts.end()));
  }
  Status build();
  Status createSamplers();
  /// Allocates M's objects, or forgets what an earlier job knew of them.
  Status allocate();
  Status createParts();
  Status bind();
  /// Runs \p Version once and waits; its time in ns goes to \p Time.
  Status launch(size_t Version, uint64_t *Time = nullptr);
  Status compare(size_t Version);
  Status hashTimed(size_t Version);
  Result<Json> spread();
  Result<Json> measure();
  Result<Json> run(const TakeDevice &Alone);
  /// Version 0 has left its buffers, and the others are not asked for then.
  bool isOver() const { return L.InsideOnly && !Trespasses.empty(); }
  /// No version left anything else than the first, or reached outside.
  bool isClean() const { return Differences.empty() && Trespasses.empty(); }

private:
  const Argument &argument(const BoundMemory &B) const {
    return L.Arguments[B.Index];
  }
  /// The buffer or image of the argument \p Index; null where it has none.
  const MemoryObject *objectOf(size_t Index) const {
    for (const BoundMemory &B : M.Objects)
      if (B.Index == Index)
        return B.Object.get();
    return nullptr;
  }
  /// Contents are copied and compared on the device, but where fences catch
  /// what a CPU does: there the host's memory is the device's.
  bool worksThere() const { return L.Reuse && !hasFences(D, L.TheGuard); }
  /// What began then has taken as long as is enough.
  bool isLong(std::chrono::steady_clock::time_point Begun) const {
    return L.EnoughSeconds && std::chrono::steady_clock::now() - Begun >=
                                  std::chrono::seconds(L.EnoughSeconds);
  }
  Status prepare();
  Status runSpread(size_t Version, std::vector<Spread> &Of);
  Status collectTrespasses(size_t Version, BoundMemory &B);
};

Status Launcher::build() {
  for (size_t I = 0; I < L.Versions.size(); ++I) {
    const Version &V = L.Versions[I];
    std::string Which = "version " + std::to_string(I) + ": ";
    Result<Built *> B = Cache.get(D, V.Source, V.Options);
    if (!B) {
      B.problem().Message = Which + B.problem().Message;
      return B.problem();
    }
    cl_int Code = CL_SUCCESS;
    Kernels.emplace_back(
        clCreateKernel((*B)->TheProgram.get(), V.Kernel.c_str(), &Code));
    if (Code != CL_SUCCESS)
      return clProblem("clCreateKernel", Code,
                       Which + "cannot make the kernel '" + V.Kernel + "'");
    if (Status S = checkArguments(L, I, Kernels.back().get()))
      return S;
  }
  return std::nullopt;
}

Status Launcher::createSamplers() {
  for (size_t I = 0; I < L.Arguments.size(); ++I) {
    if (L.Arguments[I].What != Argument::Sampler)
      continue;
    Result<Sampler> S = createSampler(D, L.Arguments[I].Sampling);
    if (!S)
      return named(I, S.problem());
    Samplers[I] = std::move(*S);
  }
  return std::nullopt;
}

Status Launcher::allocate() {
  if (M.Staging.data()) {
    Known = M.First == versionKey(L.Versions[0]);
    for (BoundMemory &B : M.Objects) {
      B.Hashes.resize(Known);
      B.TimedHashes.clear();
      if (!Known)
        B.ExpectedThere = Memory();
    }
    return std::nullopt;
  }
  size_t Largest = 0;
  for (size_t I = 0; I < L.Arguments.size(); ++I) {
    const Argument &A = L.Arguments[I];
    if (!A.isMemory())
      continue;
    auto B = A.What == Argument::Image ? Image::create(D, A)
                                       : Buffer::create(D, A, L.TheGuard);
    if (!B)
      return B.problem();
    M.Objects.push_back({I, std::move(*B), HostMemory(A.Bytes), Memory()});
    if (!M.Objects.back().Expected.data())
      return tooLarge("no host memory left");
    Largest = std::max(Largest, A.Bytes);
  }
  M.Staging = HostMemory(Largest);
  return M.Staging.data() ? Status() : tooLarge("no host memory left");
}

Status Launcher::createParts() {
  for (size_t I = 0; I < L.Arguments.size(); ++I) {
    const Argument &A = L.Arguments[I];
    if (A.What != Argument::Alias || !A.Offset)
      continue;
    Result<Memory> Part = objectOf(A.Of)->part(A.Offset);
    if (!Part)
      return named(I, Part.problem());
    Parts[I] = std::move(*Part);
  }
  return std::nullopt;
}

/// Sets every argument of every version's kernel.
Status Launcher::bind() {
  for (const Kernel &K : Kernels) {
    for (cl_uint I = 0; I < L.Arguments.size(); ++I) {
      const Argument &A = L.Arguments[I];
      cl_mem Object = nullptr;
      size_t Size = sizeof Object;
      cl_sampler Sampling = nullptr;
      const void *Value = &Object;
      if (Parts.count(I)) {
        Object = Parts[I].get();
      } else if (A.isMemory() || A.What == Argument::Alias) {
        Object = objectOf(A.What == Argument::Alias ? A.Of : I)->object();
      } else if (A.What == Argument::Sampler) {
        Sampling = Samplers[I].get();
        Value = &Sampling;
      } else if (A.What == Argument::Local) {
        Size = A.Bytes;
        Value = nullptr;
      } else if (A.What == Argument::Value) {
        Size = A.Constant.size();
        Value = A.Constant.data();
      }
      cl_int Code = clSetKernelArg(K.get(), I, Size, Value);
      if (Code != CL_SUCCESS)
        return clProblem("clSetKernelArg", Code,
                         "argument " + std::to_string(I) +
                             " is refused: " + errorName(Code));
    }
  }
  return std::nullopt;
}

Status Launcher::launch(size_t Version, uint64_t *Time) {
  cl_event Raw = nullptr;
  cl_int Code = CL_SUCCESS;
  // Between fences the launch waits until enqueuing it, which may compile the
  // kernel, is over and the fault handler is in place (HostMemory.h).
  Event Gate;
  if (hasFences(D, L.TheGuard)) {
    Gate = Event(clCreateUserEvent(D.TheContext.get(), &Code));
    if (Code != CL_SUCCESS)
      return clProblem("clCreateUserEvent", Code);
  }
  cl_event Before = Gate.get();
  const LaunchSizes &S = L.Versions[Version].Sizes;
  Code = clEnqueueNDRangeKernel(
      D.TheQueue.get(), Kernels[Version].get(), cl_uint(S.Global.size()),
      S.Offset.empty() ? nullptr : S.Offset.data(), S.Global.data(),
      S.Local.empty() ? nullptr : S.Local.data(), Before ? 1 : 0,
      Before ? &Before : nullptr, &Raw);
  if (Code != CL_SUCCESS)
    return launchProblem("clEnqueueNDRangeKernel", Code);
  Event Done(Raw);
  if (Before) {
    installFaultHandler();
    clSetUserEventStatus(Before, CL_COMPLETE);
  }
  return waitFor(D, Raw, "clEnqueueNDRangeKernel", Time);
}

Status Launcher::collectTrespasses(size_t Version, BoundMemory &B) {
  auto Found = B.Object->trespasses(Cache);
  if (!Found)
    return Found.problem();
  for (const Trespass &T : *Found) {
    Json J = {{"version", Version},
              {"arg", B.Index},
              {"offset", T.Offset},
              {"bytes", argument(B).Bytes},
              {"kind", T.Kind}};
    if (T.Reach > T.Offset)
      J["reach"] = T.Reach;
    Trespasses.push_back(std::move(J));
  }
  return std::nullopt;
}

/// Gives all objects their initial contents, and renews the guards.
Status Launcher::prepare() {
  for (BoundMemory &B : M.Objects) {
    if (!worksThere()) {
      if (Status S = B.Object->reset())
        return S;
      continue;
    }
    if (Status S = B.Object->renewGuards())
      return S;
    if (Status S = B.Object->restore())
      return S;
  }
  return std::nullopt;
}

/// Runs \p Version on fresh inputs and compares with what version 0 left.
Status Launcher::compare(size_t Version) {
  // It takes as long to read fewer bytes as to compare them there.
  constexpr size_t Large = size_t(1) << 20;
  if (Status S = prepare())
    return S;
  if (Status S = launch(Version))
    return S;
  for (BoundMemory &B : M.Objects) {
    const Argument &A = argument(B);
    if (Status S = collectTrespasses(Version, B))
      return S;
    if (Version && worksThere() && A.What == Argument::Buffer &&
        A.Bytes >= Large && isAsExpected(D, Cache, B, A.Bytes) == true) {
      B.Hashes.push_back(B.Hashes.front());
      continue;
    }
    uint8_t *Into = Version ? M.Staging.data() : B.Expected.data();
    if (Status S = B.Object->read(Into))
      return S;
    if (Version == 0) {
      B.Changed = B.Object->changedElements(Into, A.Contents.Type.Size);
      B.Untouched = B.Changed == 0;
    }
    bool Same = Version && std::memcmp(B.Expected.data(), Into, A.Bytes) == 0;
    B.Hashes.push_back(Same ? B.Hashes.front() : hashBytes(Into, A.Bytes));
    if (A.Return)
      B.Contents.push_back(encodeBase64(Into, A.Bytes));
    if (Version == 0 || Same)
      continue;
    auto Differs = compareBytes(
        B.Expected.data(), Into, A.Bytes, A.Contents.Type, L.AnyNan,
        A.What == Argument::Image ? A.Shape.pixelBytes() : 0);
    if (!Differs)
      continue;
    B.Untouched = false;
    Json J = Json::object();
    J["version"] = Version;
    J["arg"] = B.Index;
    J["offset"] = Differs->Offset;
    J["element"] = Differs->Element;
    J["expected"] = Differs->Expected;
    J["actual"] = Differs->Actual;
    J["bytes"] = Differs->Bytes;
    J["elements"] = Differs->Elements;
    J["max_ulps"] = Differs->MaxUlps ? Json(*Differs->MaxUlps) : Json(nullptr);
    J["max_relative"] =
        Differs->MaxRelative ? Json(*Differs->MaxRelative) : Json(nullptr);
    Differences.push_back(std::move(J));
  }
  if (Version == 0)
    M.First = versionKey(L.Versions[0]);
  return std::nullopt;
}

/// Notes what the launch of \p Version that has just been timed left.
Status Launcher::hashTimed(size_t Version) {
  for (BoundMemory &B : M.Objects) {
    if (Status S = B.Object->read(M.Staging.data()))
      return S;
    B.TimedHashes.resize(Kernels.size());
    B.TimedHashes[Version] = hashBytes(M.Staging.data(), argument(B).Bytes);
  }
  return std::nullopt;
}

/// Runs \p Version on fresh inputs, and adds what it leaves to \p Of, one an
/// object.
Status Launcher::runSpread(size_t Version, std::vector<Spread> &Of) {
  if (Status S = prepare())
    return S;
  if (Status S = launch(Version))
    return S;
  for (size_t I = 0; I < M.Objects.size(); ++I) {
    BoundMemory &B = M.Objects[I];
    if (Status S = collectTrespasses(Version, B))
      return S;
    if (Status S = B.Object->read(M.Staging.data()))
      return S;
    if (!Of[I].add(M.Staging.data(), /*IsNew=*/Version > 0))
      return tooLarge("no host memory left for the results of several runs");
  }
  return std::nullopt;
}

/// How far the results of version 0 vary, and those of version 1 lie outside of
/// that. They take turns (A B, B A, ...), so that the state of the device does
/// not tell one from the other.
Result<Json> Launcher::spread() {
  constexpr unsigned Fewest = 8;
  auto Begun = std::chrono::steady_clock::now();
  std::vector<Spread> Of;
  unsigned Runs = 0;
  for (BoundMemory &B : M.Objects)
    Of.emplace_back(argument(B).Contents.Type, argument(B).Bytes);
  while (Runs < L.SpreadRuns && !(Runs >= Fewest && isLong(Begun))) {
    for (size_t Turn = 0; Turn < Kernels.size(); ++Turn)
      if (Status S = runSpread((Runs + Turn) % 2, Of))
        return *S;
    ++Runs;
  }
  // JSON has no infinity, and readers of the protocol take no numbers of 2^63
  // and more.
  auto number = [](std::optional<double> N) {
    return N && *N < 0x1p63 ? Json(*N) : Json(nullptr);
  };
  Json List = Json::array();
  for (size_t I = 0; I < Of.size(); ++I) {
    if (Of[I].isSteady())
      continue;
    Spread::Summary S = Of[I].summary();
    Json Element = nullptr;
    if (S.Element)
      Element = {
          {"index", *S.Element}, {"old", S.OldValues}, {"new", S.NewValues}};
    List.push_back({{"arg", M.Objects[I].Index},
                    {"elements", S.Elements},
                    {"varying", S.Varying},
                    {"max_absolute", number(S.Absolute)},
                    {"max_relative", number(S.Relative)},
                    {"permuted", S.Permuted},
                    {"new_varying", S.NewVarying},
                    {"outside", S.Outside},
                    {"apart", S.Apart},
                    {"excess", number(S.Excess)},
                    {"apart_excess", number(S.ApartExcess)},
                    {"element", std::move(Element)}});
  }
  return Json{{"runs", Runs}, {"buffers", std::move(List)}};
}

/// Times the versions in turn (A B, B A, A B, ...), after the warm-up rounds:
/// none has the advantage of being the second.
Result<Json> Launcher::measure() {
  using Clock = std::chrono::steady_clock;
  constexpr unsigned Fewest = 8;
  const auto Begun = Clock::now();
  const auto More = Begun + std::chrono::milliseconds(L.MoreMilliseconds);
  const unsigned Most = L.Warmup + MostMore * L.Repeat;
  unsigned Rounds = L.Warmup + L.Repeat;
  std::vector<std::vector<uint64_t>> Samples(Kernels.size());
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    // Once the time is over, this round is the last.
    if (Round + 1 >= L.Warmup + Fewest && isLong(Begun))
      Rounds = std::min(Rounds, Round + 1);
    else if (Round + 1 == Rounds && Rounds < Most && Clock::now() < More)
      ++Rounds;
    for (size_t Turn = 0; Turn < Kernels.size(); ++Turn) {
      size_t V = Round % 2 ? Kernels.size() - 1 - Turn : Turn;
      for (BoundMemory &B : M.Objects)
        if (argument(B).Access != "r" || !B.Untouched)
          if (Status S = B.Object->restore())
            return *S;
      // The copies must not overlap the launch.
      if (cl_int Code = clFinish(D.TheQueue.get()))
        return launchProblem("clFinish", Code);
      uint64_t Time = 0;
      if (Status S = launch(V, &Time))
        return *S;
      if (Round >= L.Warmup)
        Samples[V].push_back(Time);
      if (L.HashTimed && Round + 1 == Rounds)
        if (Status S = hashTimed(V))
          return *S;
    }
  }
  Json J = {{"versions", Json::array()}, {"ratios", Json::array()}};
  for (size_t V = 0; V < Samples.size(); ++V) {
    J["versions"].push_back(timeSummary(Samples[V]));
    Json Ratios = Json::array();
    for (size_t I = 0; V && I < Samples[V].size(); ++I)
      Ratios.push_back(Samples[V][I]
                           ? Json(double(Samples[0][I]) / double(Samples[V][I]))
                           : Json(nullptr));
    J["ratios"].push_back(V ? std::move(Ratios) : Json(nullptr));
  }
  return J;
}

Result<Json> Launcher::run(const TakeDevice &Alone) {
  if (Status S = checkSizes(D, L))
    return *S;
  if (Status S = createSamplers())
    return *S;
  if (Status S = allocate())
    return *S;
  if (Status S = createParts())
    return *S;
  if (Status S = bind())
    return *S;
  auto Taken = Alone();
  if (!Taken)
    return Taken.problem();
  if (L.SpreadRuns) {
    Result<Json> S = spread();
    if (!S)
      return S.problem();
    return Json{{"device", D.Name},
                {"out_of_bounds", Trespasses},
                {"spread", std::move(*S)}};
  }
  bool Compared = L.Compare || L.TheGuard != Guard::Off;
  for (size_t V = Known; Compared && V < Kernels.size() && !isOver(); ++V)
    if (Status S = compare(V))
      return *S;
  if (!Compared)
    if (Status S = prepare())
      return *S;

  Json J = Json::object();
  J["device"] = D.Name;
  J["same"] = Compared ? Json(Differences.empty()) : Json(nullptr);
  J["guard"] = L.TheGuard == Guard::Off   ? "off"
               : hasFences(D, L.TheGuard) ? "pages"
                                          : "margins";
  J["buffers"] = Json::array();
  for (BoundMemory &B : M.Objects) {
    Json Entry = {
        {"arg", B.Index}, {"bytes", argument(B).Bytes}, {"hash", B.Hashes}};
    Entry["changed"] = Compared ? Json(B.Changed > 0) : Json(nullptr);
    Entry["changed_elements"] = Compared ? Json(B.Changed) : Json(nullptr);
    if (argument(B).Return)
      Entry["contents"] = std::move(B.Contents);
    J["buffers"].push_back(std::move(Entry));
  }
  J["differences"] = Differences;
  J["out_of_bounds"] = Trespasses;
  J["time"] = nullptr;
  if (!L.Time)
    return J;
  Result<Json> Times = measure();
  if (!Times)
    return Times.problem();
  J["time"] = std::move(*Times);
  for (size_t I = 0; L.HashTimed && I < M.Objects.size(); ++I)
    J["buffers"][I]["timed_hash"] = M.Objects[I].TimedHashes;
  return J;
}

} // namespace

Result<Json> runLaunch(Device &D, Programs &Cache, const TakeDevice &Alone,
                       KeptContents &Kept, LaunchMemory &Last, Request &Job) {
  Result<LaunchRequest> L = parseLaunch(Job, &Kept);
  if (!L)
    return L.problem();
  std::string Key = memoryKey(Job, *L);
  LaunchMemory Own;
  LaunchMemory &Memory = Key.empty() && L->LeavesMemory ? Own : Last;
  // What can't be used again makes room first.
  if (Key.empty() || Key != Memory.Key)
    Memory = LaunchMemory();
  bool Reused = !Memory.Objects.empty();
  auto Launch = std::make_unique<Launcher>(D, Cache, *L, Memory);
  if (Status S = Launch->build())
    return *S;
  Memory.Key = Key;
  Result<Json> Out = Launch->run(Alone);
  bool IsClean = Launch->isClean();
  Launch.reset(); // with its parts of what Memory holds
  // A version that went astray may have written anywhere.
  if (!Out || !IsClean)
    Last = LaunchMemory();
  if (Key.empty())
    Memory = LaunchMemory();
  else if (Out)
    (*Out)["reused"] = Reused;
  return Out;
}

} // namespace clrewrite::device

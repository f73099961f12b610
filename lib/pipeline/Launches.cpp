// Reading launch comments, and turning launches into shapes for verification.
#include "pipeline/Launches.h"
#include "measure/ImageArguments.h"
#include "measure/LaunchArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

using namespace llvm;

namespace clrewrite::pipeline {

/// The parameter called \p Name, or of that number; null where there is none.
static const rewrite::KernelArg *parameter(const rewrite::KernelInfo &K,
                                           StringRef Name) {
  for (const rewrite::KernelArg &A : K.Args)
    if (A.Name == Name)
      return &A;
  unsigned Index = 0;
  bool Number = !Name.getAsInteger(10, Index) && Index < K.Args.size();
  return Number ? &K.Args[Index] : nullptr;
}

/// Adds to \p Shape that the parameter \p A has the value \p Text.
static Error addValue(verify::LaunchShape &Shape, const rewrite::KernelArg &A,
                      StringRef Text) {
  if (A.Pointer) {
    Expected<uint64_t> Bytes = launch::parseBytes(Text);
    if (!Bytes)
      return Bytes.takeError();
    Shape.Bytes.push_back({A.Name, *Bytes});
    return Error::success();
  }
  // What an image or a sampler is, only the device program knows.
  if (A.Bytes == 0)
    return Error::success();
  Expected<json::Value> V = measure::launchValue(A.Type, Text);
  if (!V)
    return V.takeError();
  std::vector<char> Raw;
  if (auto Bytes = V->getAsObject()->getString("bytes")) {
    if (Error E = decodeBase64(*Bytes, Raw))
      return E;
    if (Raw.size() != A.Bytes)
      return createStringError("'" + Text + "' has " + Twine(Raw.size()) +
                               " bytes, the parameter " + Twine(A.Bytes));
  }
  Shape.Values.push_back({A.Name, std::move(*V)});
  return Error::success();
}

/// \p L as verification takes it.
static Expected<verify::LaunchShape> shapeOf(const launch::Launch &L,
                                             const rewrite::KernelInfo &K) {
  verify::LaunchShape Out{L};
  for (const auto &[Name, Value] : L.Arguments) {
    const rewrite::KernelArg *A = parameter(K, Name);
    if (!A)
      return createStringError(
          "the kernel has no parameter '" + Name + "' (known: " +
          join(map_range(K.Args,
                         [](const rewrite::KernelArg &A) { return A.Name; }),
               ", ") +
          ")");
    if (Error E = addValue(Out, *A, Value))
      return createStringError("parameter '" + A->Name +
                               "': " + toString(std::move(E)));
  }
  return Out;
}

/// \p A and \p B differ in the values that they pass, if in anything.
static bool differInScalars(const RecordedLaunch &A, const RecordedLaunch &B) {
  if (A.Global != B.Global || A.Local != B.Local || A.Offset != B.Offset)
    return false;
  return all_of(zip(*A.Recorded, *B.Recorded), [](const auto &Pair) {
    const auto &[One, Other] = Pair;
    auto passed = [](const json::Value &V) {
      return V.getAsObject() && V.getAsObject()->get("bytes");
    };
    return One == Other || (passed(One) && passed(Other));
  });
}

/// \p Entry, a recorded buffer with its contents, with the type of the numbers
/// that \p A points to, by which results are compared.
static json::Value typed(json::Value Entry, const rewrite::KernelArg &A) {
  json::Object *O = Entry.getAsObject();
  json::Object *Buffer = O ? O->getObject("buffer") : nullptr;
  const std::string &Type = A.Field.empty() ? A.Type : A.Field;
  if (Buffer && measure::launchBuffer({}, Type, 1).ElementBytes)
    (*Buffer)["type"] = Type;
  return Entry;
}

/// \p Entry, an argument of a recorded launch without data, with contents that
/// suit the type of \p A.
static json::Value filled(const json::Value &Entry,
                          const rewrite::KernelArg &A) {
  const json::Object *O = Entry.getAsObject();
  const json::Object *Buffer = O ? O->getObject("buffer") : nullptr;
  if (!Buffer)
    return Entry;
  json::Object Out = *O;
  uint64_t Bytes = uint64_t(Buffer->getInteger("bytes").value_or(1));
  json::Object Typical =
      measure::bufferArgument(A.Type, Bytes, /*Written=*/true);
  Out["buffer"] = std::move(*Typical.getObject("buffer"));
  return Out;
}

/// The arguments of \p L with their bytes and the types of \p K's parameters;
/// where there are none, \p Why says so.
static std::optional<json::Array> dataOf(const RecordedLaunch &L,
                                         const rewrite::KernelInfo &K,
                                         std::string &Why) {
  Expected<json::Array> Data = L.Data();
  if (!Data) {
    Why = toString(Data.takeError());
    return std::nullopt;
  }
  for (auto [Entry, A] : zip(*Data, K.Args))
    Entry = typed(std::move(Entry), A);
  return std::move(*Data);
}

/// \p L for verification: with its \p Data, and with others in its buffers.
static void addShapes(const RecordedLaunch &L,
                      const std::optional<json::Array> &Data,
                      const rewrite::KernelInfo &K,
                      std::vector<verify::LaunchShape> &Out) {
  verify::LaunchShape Shape{L};
  verify::LaunchShape Real = Shape;
  for (size_t I = 0; I < K.Args.size(); ++I) {
    const json::Object *O = (*L.Recorded)[I].getAsObject();
    const json::Object *Buffer = O ? O->getObject("buffer") : nullptr;
    if (Buffer)
      Shape.Bytes.push_back(
          {K.Args[I].Name, uint64_t(Buffer->getInteger("bytes").value_or(1))});
    else
      Shape.Values.push_back({K.Args[I].Name, (*L.Recorded)[I]});
    if (Data)
      Real.Values.push_back({K.Args[I].Name, (*Data)[I]});
  }
  if (Data) {
    Real.Once = true;
    Out.push_back(std::move(Real));
  }
  Out.push_back(std::move(Shape));
}

void addParameters(std::vector<launch::Launch> &List,
                   ArrayRef<rewrite::KernelInfo> Kernels) {
  for (launch::Launch &L : List)
    for (const rewrite::KernelInfo &K : Kernels)
      for (size_t I = 0; K.Name == L.Kernel && I < K.Args.size(); ++I) {
        if (!K.Args[I].Channels.empty())
          L.Channels[I] = K.Args[I].Channels;
        if (!K.Args[I].Type.empty())
          L.Types[I] = K.Args[I].Type;
      }
}

FileLaunches launchesOf(ArrayRef<RecordedLaunch> Recorded,
                        ArrayRef<rewrite::KernelInfo> Kernels) {
  constexpr size_t MostVerified = 3; // shapes of a kernel
  FileLaunches Out;
  for (const rewrite::KernelInfo &K : Kernels) {
    std::vector<const RecordedLaunch *> Of;
    for (const RecordedLaunch &L : Recorded)
      if (L.Kernel == K.Name && L.Recorded->size() == K.Args.size())
        Of.push_back(&L);
    llvm::stable_sort(Of, [](const RecordedLaunch *A, const RecordedLaunch *B) {
      return A->TotalNs > B->TotalNs;
    });
    if (Of.empty())
      continue;
    // A host that launches a kernel again and again with another number, such
    // as the level of a search, has data of one of these launches. Contents
    // that are made up lead kernels that read indices astray.
    std::string Why;
    std::optional<json::Array> Data = dataOf(*Of.front(), K, Why);
    for (size_t I = 1; I < Of.size() && !Data; ++I)
      if (std::string Other; differInScalars(*Of[I], *Of.front()) &&
                             (Data = dataOf(*Of[I], K, Other)))
        std::rotate(Of.begin(), Of.begin() + I, Of.begin() + I + 1);
    const RecordedLaunch &First = *Of.front();
    launch::Launch Timed = First;
    Timed.MadeUp = Data ? "" : Why;
    Timed.Recorded = Data;
    if (!Data) {
      Timed.Recorded.emplace();
      for (auto [Entry, A] : zip(*First.Recorded, K.Args))
        Timed.Recorded->push_back(filled(Entry, A));
    }
    Out.Timed.push_back(std::move(Timed));
    for (size_t I = 0; I < std::min(Of.size(), MostVerified); ++I)
      addShapes(*Of[I], I ? dataOf(*Of[I], K, Why) : Data, K,
                Out.Verified[K.Name]);
  }
  addParameters(Out.Timed, Kernels);
  return Out;
}

Expected<FileLaunches> launchesOf(StringRef Path,
                                  ArrayRef<rewrite::KernelInfo> Kernels,
                                  ArrayRef<launch::Launch> Given) {
  FileLaunches Out;
  Out.Timed = Given.vec();
  for (const rewrite::KernelInfo &K : Kernels) {
    const launch::Launch *Named = launch::launchOf(Given, K.Name);
    std::vector<verify::LaunchShape> &Shapes = Out.Verified[K.Name];
    for (const rewrite::LaunchComment &C : K.Launches) {
      Expected<launch::Launch> L = launch::parseLaunchComment(K.Name, C.Text);
      Expected<verify::LaunchShape> Shape =
          L ? shapeOf(*L, K) : Expected<verify::LaunchShape>(L.takeError());
      if (!Shape)
        return createStringError(
            Path + ":" + Twine(C.Line) + ": error: launch comment of kernel " +
            K.Name + ": " + toString(Shape.takeError()) +
            "; write it like this: // clrewrite: launch global=1024x1024 "
            "local=16x16 n=1024 in=4M");
      if (Named)
        continue;
      if (Shapes.empty())
        Out.Timed.push_back(std::move(*L));
      Shapes.push_back(std::move(*Shape));
    }
    if (!Named)
      continue;
    // Timing says what is wrong with it; inputs are guessed then.
    if (Expected<verify::LaunchShape> Shape = shapeOf(*Named, K))
      Shapes.push_back(std::move(*Shape));
    else
      consumeError(Shape.takeError());
  }
  addParameters(Out.Timed, Kernels);
  return Out;
}

/// The index of the parameter that \p Name, or a number, means.
static std::optional<unsigned> indexOf(const rewrite::KernelInfo &K,
                                       StringRef Name) {
  for (unsigned I = 0; I < K.Args.size(); ++I)
    if (K.Args[I].Name == Name || Name == utostr(I))
      return I;
  return std::nullopt;
}

/// The integer that \p Entry, an argument of a recorded launch, passes by
/// value.
static std::optional<int64_t> integerIn(const json::Value &Entry) {
  const json::Object *O = Entry.getAsObject();
  std::optional<StringRef> Text =
      O ? O->getString("bytes") : std::optional<StringRef>();
  std::vector<char> Bytes;
  if (!Text || errorToBool(decodeBase64(*Text, Bytes)) || Bytes.empty() ||
      Bytes.size() > sizeof(uint64_t))
    return std::nullopt;
  uint64_t Value = 0;
  memcpy(&Value, Bytes.data(), Bytes.size());
  return SignExtend64(Value, unsigned(8 * Bytes.size()));
}

/// The integers that \p L passes, by the parameter's name or number.
static rewrite::KnownLaunch knownOf(const launch::Launch &L) {
  rewrite::KnownLaunch Out{L.Kernel, L};
  for (const auto &[Name, Text] : L.Arguments) {
    int64_t Value = 0;
    if (!L.Recorded && !StringRef(Text).getAsInteger(0, Value))
      Out.Scalars[Name] = Value;
  }
  for (size_t I = 0; L.Recorded && I < L.Recorded->size(); ++I)
    if (std::optional<int64_t> Value = integerIn((*L.Recorded)[I]))
      Out.Scalars[utostr(I)] = *Value;
  return Out;
}

std::vector<rewrite::KnownLaunch> knownLaunches(ArrayRef<launch::Launch> List) {
  return {map_iterator(List.begin(), knownOf),
          map_iterator(List.end(), knownOf)};
}

std::vector<rewrite::KnownLaunch>
knownLaunches(ArrayRef<RecordedLaunch> Recorded) {
  return {map_iterator(Recorded.begin(), knownOf),
          map_iterator(Recorded.end(), knownOf)};
}

/// Adds to \p Facts what \p L passes for \p A, parameter \p I.
static void addArgument(const launch::Launch &L, const rewrite::KernelArg &A,
                        unsigned I, launch::LaunchFacts &Facts) {
  std::optional<uint64_t> Bytes;
  std::optional<json::Value> Value;
  if (L.Recorded && I < L.Recorded->size()) {
    Value = (*L.Recorded)[I];
    const json::Object *O = Value->getAsObject();
    const json::Object *Buffer = O ? O->getObject("buffer") : nullptr;
    if (auto N = Buffer ? Buffer->getInteger("bytes")
                 : O    ? O->getInteger("local")
                        : std::nullopt)
      Bytes = uint64_t(*N);
  }
  for (const std::string &Key : {A.Name, utostr(I)}) {
    auto It = L.Arguments.find(Key);
    if (L.Recorded || It == L.Arguments.end())
      continue;
    // What is malformed is told where the launch is used for timing.
    if (A.Pointer)
      Bytes = expectedToOptional(launch::parseBytes(It->second));
    else if (A.Bytes)
      Value = expectedToOptional(measure::launchValue(A.Type, It->second));
    else
      Facts.Words[I] = It->second;
  }
  if (auto Words = L.Recorded && Value ? measure::wordsOfArgument(*Value)
                                       : std::nullopt)
    Facts.Words[I] = std::move(*Words);
  if (A.Pointer)
    Facts.Buffers[I] = measure::launchBuffer(L, A.Type, Bytes);
  else if (auto Raw = Value ? measure::bytesOfArgument(*Value) : std::nullopt)
    Facts.Values[I] = std::move(*Raw);
}

launch::FactsByKernel factsOf(ArrayRef<launch::Launch> List,
                              ArrayRef<rewrite::KernelInfo> Kernels) {
  launch::FactsByKernel Out;
  for (const launch::Launch &L : List) {
    auto K = find_if(Kernels, [&](const rewrite::KernelInfo &Each) {
      return Each.Name == L.Kernel;
    });
    if (K == Kernels.end())
      continue;
    launch::LaunchFacts Facts{L};
    for (const auto &[Name, Value] : knownOf(L).Scalars) {
      std::optional<unsigned> I = indexOf(*K, Name);
      if (I && !K->Args[*I].Pointer)
        Facts.Scalars[*I] = Value;
    }
    for (auto [I, A] : enumerate(K->Args))
      addArgument(L, A, unsigned(I), Facts);
    Out[L.Kernel] = std::move(Facts);
  }
  return Out;
}

} // namespace clrewrite::pipeline

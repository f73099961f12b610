// Reading launch comments, and turning launches into shapes for verification.
#include "pipeline/Launches.h"
#include "measure/LaunchArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

using namespace llvm;

namespace clrewrite {

/// The parameter called \p Name, or of that number; null where there is none.
static const KernelArg *parameter(const KernelInfo &K, StringRef Name) {
  for (const KernelArg &A : K.Args)
    if (A.Name == Name)
      return &A;
  unsigned Index = 0;
  bool Number = !Name.getAsInteger(10, Index) && Index < K.Args.size();
  return Number ? &K.Args[Index] : nullptr;
}

/// Adds to \p Shape that the parameter \p A has the value \p Text.
static Error addValue(LaunchShape &Shape, const KernelArg &A, StringRef Text) {
  if (A.Pointer) {
    Expected<uint64_t> Bytes = parseBytes(Text);
    if (!Bytes)
      return Bytes.takeError();
    Shape.Bytes.push_back({A.Name, *Bytes});
    return Error::success();
  }
  // What an image or a sampler is, only the device program knows.
  if (A.Bytes == 0)
    return Error::success();
  Expected<json::Value> V = launchValue(A.Type, Text);
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
static Expected<LaunchShape> shapeOf(const Launch &L, const KernelInfo &K) {
  LaunchShape Out;
  Out.Global.assign(L.Global.begin(), L.Global.end());
  Out.Local.assign(L.Local.begin(), L.Local.end());
  for (const auto &[Name, Value] : L.Arguments) {
    const KernelArg *A = parameter(K, Name);
    if (!A)
      return createStringError(
          "the kernel has no parameter '" + Name + "' (known: " +
          join(map_range(K.Args, [](const KernelArg &A) { return A.Name; }),
               ", ") +
          ")");
    if (Error E = addValue(Out, *A, Value))
      return createStringError("parameter '" + A->Name +
                               "': " + toString(std::move(E)));
  }
  return Out;
}

Expected<FileLaunches> launchesOf(StringRef Path, ArrayRef<KernelInfo> Kernels,
                                  ArrayRef<Launch> Given) {
  FileLaunches Out;
  Out.Timed = Given.vec();
  for (const KernelInfo &K : Kernels) {
    auto Named =
        find_if(Given, [&](const Launch &L) { return L.Kernel == K.Name; });
    std::vector<LaunchShape> &Shapes = Out.Verified[K.Name];
    for (const LaunchComment &C : K.Launches) {
      Expected<Launch> L = parseLaunchComment(K.Name, C.Text);
      Expected<LaunchShape> Shape =
          L ? shapeOf(*L, K) : Expected<LaunchShape>(L.takeError());
      if (!Shape)
        return createStringError(
            Path + ":" + Twine(C.Line) + ": error: launch comment of kernel " +
            K.Name + ": " + toString(Shape.takeError()) +
            "; write it like this: // clrewrite: launch global=1024x1024 "
            "local=16x16 n=1024 in=4M");
      if (Named != Given.end())
        continue;
      if (Shapes.empty())
        Out.Timed.push_back(std::move(*L));
      Shapes.push_back(std::move(*Shape));
    }
    if (Named == Given.end())
      continue;
    // Timing says what is wrong with it; inputs are guessed then.
    if (Expected<LaunchShape> Shape = shapeOf(*Named, K))
      Shapes.push_back(std::move(*Shape));
    else
      consumeError(Shape.takeError());
  }
  return Out;
}

} // namespace clrewrite

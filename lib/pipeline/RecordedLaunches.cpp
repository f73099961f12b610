// From a capture's launch to the arguments of a device job.
#include "pipeline/RecordedLaunches.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Base64.h"

using namespace llvm;

namespace clrewrite::pipeline {
namespace {

/// More than this is not sent to the device program as text.
constexpr uint64_t MostData = 256 << 20;

const char *accessOf(const capture::CapturedArgument &A) {
  return A.hasFlag("read_only") ? "r" : A.hasFlag("write_only") ? "w" : "rw";
}

/// Why the memory of \p A can't be told apart from that of arguments before.
Error checkMemory(const capture::CapturedLaunch &L, size_t Index) {
  const capture::CapturedArgument &A = L.Arguments[Index];
  auto Fail = [&](const char *Why) {
    return createStringError("argument " + Twine(Index) + " " + Why);
  };
  if (!A.Size)
    return Fail("is SVM memory of unknown size");
  if (A.Kind == capture::CapturedArgument::Svm && A.Offset)
    return Fail("points into an SVM allocation");
  for (size_t I = 0; I < Index; ++I) {
    const capture::CapturedArgument &B = L.Arguments[I];
    if (!B.isMemory() || B.Mem == A.Mem)
      continue;
    bool Whole =
        (A.Parent && A.Parent == B.Mem) || (B.Parent && B.Parent == A.Mem);
    bool Parts = A.Parent && A.Parent == B.Parent &&
                 A.Offset < B.Offset + *B.Size && B.Offset < A.Offset + *A.Size;
    if (Whole || Parts)
      return Fail("overlaps another sub-buffer");
  }
  return Error::success();
}

json::Object image(const capture::CapturedArgument &A) {
  json::Object I{{"type", A.ImageType},
                 {"channel_order", A.ChannelOrder},
                 {"channel_type", A.ChannelType}};
  std::pair<const char *, std::optional<uint64_t>> Sizes[] = {
      {"width", A.Width},
      {"height", A.Height},
      {"depth", A.Depth},
      {"layers", A.Layers}};
  for (auto &[Name, Value] : Sizes)
    if (Value)
      I[Name] = *Value;
  return I;
}

/// One argument without data.
Expected<json::Value> argument(const capture::CapturedLaunch &L, size_t Index) {
  const capture::CapturedArgument &A = L.Arguments[Index];
  if (A.isMemory()) {
    if (Error E = checkMemory(L, Index))
      return std::move(E);
    for (size_t I = 0; I < Index; ++I)
      if (L.Arguments[I].isMemory() && L.Arguments[I].Mem == A.Mem)
        return json::Object{{"alias", int64_t(I)}};
  }
  switch (A.Kind) {
  case capture::CapturedArgument::Buffer:
  case capture::CapturedArgument::SubBuffer:
  case capture::CapturedArgument::Svm:
    return json::Object{{"buffer", json::Object{{"bytes", *A.Size}}},
                        {"access", accessOf(A)}};
  case capture::CapturedArgument::Image:
    return json::Object{{"image", image(A)}, {"access", accessOf(A)}};
  case capture::CapturedArgument::Sampler:
    return json::Object{{"sampler", json::Object{{"normalized", A.Normalized},
                                                 {"address", A.Address},
                                                 {"filter", A.Filter}}}};
  case capture::CapturedArgument::Local:
    return json::Object{{"local", A.Size.value_or(0)}};
  case capture::CapturedArgument::Bytes:
    return json::Object{{"bytes", encodeBase64(A.Value)}};
  case capture::CapturedArgument::Null:
    return json::Object{{"buffer", nullptr}};
  case capture::CapturedArgument::Other:
  case capture::CapturedArgument::Unset:
    break;
  }
  return createStringError("argument " + Twine(Index) +
                           " is of a sort that can't be repeated");
}

const capture::CapturedData *dataOf(const capture::CapturedLaunch &L,
                                    size_t Index) {
  for (const capture::CapturedData &D : L.Data)
    if (D.Sample == 0 && D.Argument == unsigned(Index) && !D.Before.empty())
      return &D;
  return nullptr;
}

/// \p Arguments with the first recorded launch's bytes; nothing where some are
/// missing, or are too many.
std::optional<json::Array> withData(const capture::Capture &C,
                                    const capture::CapturedLaunch &L,
                                    const json::Array &Arguments) {
  json::Array Out = Arguments;
  uint64_t Bytes = 0;
  for (size_t I = 0; I < Out.size(); ++I) {
    json::Object *O = Out[I].getAsObject();
    json::Object *Memory = O->getObject("buffer");
    if (!Memory)
      Memory = O->getObject("image");
    if (!Memory)
      continue;
    const capture::CapturedData *D = dataOf(L, I);
    Bytes += D ? D->Size : 0;
    if (!D || Bytes > MostData)
      return std::nullopt;
    Expected<std::string> Blob = C.blob(D->Before);
    if (!Blob) {
      consumeError(Blob.takeError());
      return std::nullopt;
    }
    (*Memory)["fill"] = "base64:" + encodeBase64(*Blob);
  }
  return Out;
}

} // namespace

Expected<RecordedLaunch> recordedLaunch(const capture::Capture &C,
                                        const capture::CapturedLaunch &L) {
  if (L.Other)
    return createStringError("its shape was not recorded");
  if (!L.SvmPointers.empty())
    return createStringError("it reaches SVM memory through pointers in data");
  RecordedLaunch Out;
  Out.Kernel = C.Kernels[L.Kernel].Name;
  Out.Global = L.Global;
  Out.Local = L.Local;
  Out.Offset = L.Offset;
  Out.TotalNs = L.totalNs().value_or(0);
  Out.Recorded.emplace();
  for (size_t I = 0; I < L.Arguments.size(); ++I) {
    Expected<json::Value> A = argument(L, I);
    if (!A)
      return A.takeError();
    Out.Recorded->push_back(std::move(*A));
  }
  Out.WithData = withData(C, L, *Out.Recorded);
  return std::move(Out);
}

} // namespace clrewrite::pipeline

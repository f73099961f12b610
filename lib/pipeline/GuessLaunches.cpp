// A launch that verification finds becomes the words of a launch comment, which
// a user can correct, and is read as such.
#include "pipeline/GuessLaunches.h"
#include "measure/LaunchArguments.h"
#include "pipeline/Steps.h"
#include "verify/GuessLaunch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace llvm;

namespace clrewrite::pipeline {

/// For one kernel. Contents of 128 MiB, of which some launches have several,
/// take a second each.
static constexpr double GuessSeconds = 20;

/// The bytes of a structure as ints; none where they are not whole ones.
static std::optional<std::string> intsText(StringRef Base64) {
  std::vector<char> Raw;
  if (errorToBool(decodeBase64(Base64, Raw)) || Raw.empty() ||
      Raw.size() % sizeof(int32_t))
    return std::nullopt;
  std::vector<int32_t> Words(Raw.size() / sizeof(int32_t));
  std::memcpy(Words.data(), Raw.data(), Raw.size());
  return "int:" +
         join(map_range(Words, [](int32_t W) { return itostr(W); }), "/");
}

/// The value of a parameter as a launch comment has it; empty where the default
/// does, which is an image as large as the NDRange. None where it has no text.
static std::optional<std::string> valueText(const json::Object &Argument) {
  if (const json::Object *Scalar = Argument.getObject("scalar")) {
    const json::Value &V = *Scalar->get("value");
    auto text = [](const json::Value &N) { return formatv("{0}", N).str(); };
    const json::Array *Lanes = V.getAsArray();
    return Lanes ? join(map_range(*Lanes, text), "/") : text(V);
  }
  if (std::optional<StringRef> Bytes = Argument.getString("bytes"))
    return intsText(*Bytes);
  if (const json::Object *Buffer = Argument.getObject("buffer"))
    return launch::bytesText(uint64_t(*Buffer->getInteger("bytes")));
  if (std::optional<int64_t> Local = Argument.getInteger("local"))
    return launch::bytesText(uint64_t(*Local));
  return "";
}

/// \p L in the words of a launch comment.
static Expected<std::string> wordsOf(const verify::TrialLaunch &L,
                                     const rewrite::KernelInfo &K) {
  std::string Out = "global=" + launch::sizesText(L.Global);
  if (!L.Local.empty())
    Out += " local=" + launch::sizesText(L.Local);
  for (size_t I = 0; I < L.Args.size() && I < K.Args.size(); ++I) {
    const std::string Name =
        K.Args[I].Name.empty() ? utostr(I) : K.Args[I].Name;
    std::optional<std::string> Text = valueText(*L.Args[I].getAsObject());
    if (!Text)
      return createStringError("parameter '" + Name +
                               "' is a structure that is no row of ints");
    if (!Text->empty())
      Out += " " + Name + "=" + *Text;
  }
  return Out;
}

/// What timing puts into the buffers of \p K.
static verify::LaunchShape contentsFor(const rewrite::KernelInfo &K) {
  verify::LaunchShape Out;
  for (const rewrite::KernelArg &A : K.Args) {
    if (!A.Pointer)
      continue;
    const json::Object Entry = measure::bufferArgument(A.Type, 1, true);
    const json::Object &Buffer = *Entry.getObject("buffer");
    Out.Fills.push_back({A.Name,
                         {Buffer.getString("fill")->str(),
                          Buffer.getString("type").value_or("").str()}});
  }
  return Out;
}

/// The words of a launch of \p K that is made up, as the cache has them or as
/// running \p Text on \p Device shows.
static Expected<std::string> guess(const Source &Text,
                                   const rewrite::KernelInfo &K,
                                   const verify::ChosenDevice &Device,
                                   const cache::DiskCache *Cache) {
  cache::CacheKey Key("guess a launch");
  Key.add(Text).add(K.Name).add(Device.Identity);
  if (Cache)
    if (std::optional<std::string> Words = Cache->get(Key))
      return *Words;
  Expected<verify::TrialLaunch> L =
      verify::guessLaunch(Text, K, contentsFor(K), Device, GuessSeconds);
  if (!L)
    return L.takeError();
  Expected<std::string> Words = wordsOf(*L, K);
  if (Words && Cache)
    Cache->put(Key, *Words);
  return Words;
}

Error guessLaunches(Unit &Of, const BuiltText &Text,
                    const PipelineOptions &Options, report::FileReport &Out) {
  Expected<verify::ChosenDevice> Device = Options.Verify.Device->get();
  if (!Device)
    return Device.takeError();
  if (!Device->Channel)
    return ending("no device to make launches up on", Out.Path,
                  "left as it is: to make launches up takes a device: " +
                      Device->Absent);
  for (Build &B : Of.Builds) {
    const std::string In = B.Name.empty() ? "" : " (" + B.Name + ")";
    for (const rewrite::KernelInfo &K : Out.Kernels) {
      if (B.Recorded || !is_contained(B.Kernels, K.Name) ||
          launch::launchOf(B.Launches.Timed, K.Name))
        continue;
      Expected<std::string> Words =
          guess(Text.as(B), K, *Device, Options.Cache);
      if (!Words) {
        Out.Warnings.push_back(
            {K.Line, K.Name,
             "no launch of kernel " + K.Name + In +
                 " was made up: " + toString(Words.takeError())});
        continue;
      }
      B.Launches.Timed.push_back(
          cantFail(launch::parseLaunchComment(K.Name, *Words)));
      Out.Warnings.push_back(
          {K.Line, K.Name,
           "the launch of kernel " + K.Name + In +
               " is made up; put a real one before it: // clrewrite: launch " +
               *Words});
    }
    addParameters(B.Launches.Timed, Out.Kernels);
    B.Launches.Facts = factsOf(B.Launches.Timed, Out.Kernels);
  }
  addSandbox(Out, Device->Sandbox);
  return Error::success();
}

} // namespace clrewrite::pipeline

// Formats, sizes and samplers of images are chosen by number, from lists.
#include "verify/Images.h"
#include "opencl/ImageSizes.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::verify {

/// Beyond this many pixels an image is never larger than the NDRange.
static constexpr int64_t MostPixels = int64_t(1) << 20;

ImageFormat imageFormat(const KernelArgument &A, uint64_t Choice) {
  static constexpr ImageFormat Floats[] = {
      {"FLOAT", "float"}, {"UNORM_INT8", "uchar", true},
      {"FLOAT", "float"}, {"HALF_FLOAT", "half"},
      {"FLOAT", "float"}, {"UNORM_INT16", "ushort", true}};
  static constexpr ImageFormat Ints[] = {{"SIGNED_INT32", "int"},
                                         {"SIGNED_INT8", "char"},
                                         {"SIGNED_INT16", "short"}};
  static constexpr ImageFormat Uints[] = {{"UNSIGNED_INT32", "uint"},
                                          {"UNSIGNED_INT8", "uchar"},
                                          {"UNSIGNED_INT16", "ushort"}};
  if (A.Channels == "i")
    return Ints[Choice % std::size(Ints)];
  if (A.Channels == "ui")
    return Uints[Choice % std::size(Uints)];
  return Floats[Choice % std::size(Floats)];
}

static int64_t scaled(int64_t Size, ImageSizes How) {
  switch (How) {
  case ImageSizes::Exact:
    break;
  case ImageSizes::Larger:
    return 2 * Size + 1;
  case ImageSizes::Half:
    return std::max<int64_t>(1, Size / 2 | 1);
  case ImageSizes::Tiny:
    return 3;
  }
  return Size;
}

json::Object imageSizes(const KernelArgument &A, ArrayRef<uint64_t> Global,
                        ImageSizes How) {
  SmallVector<StringRef> Names = opencl::imageSizeNames(A.ImageType);
  // Where the NDRange has fewer dimensions the kernel loops over the rest, or
  // makes two coordinates of one.
  static constexpr int64_t Rest[] = {16, 6, 4};
  auto size = [&](size_t I) {
    return I < Global.size() ? int64_t(Global[I]) : Rest[I];
  };
  int64_t Pixels = 1;
  for (size_t I = 0; I < Names.size(); ++I)
    Pixels *= std::min(size(I), 2 * MostPixels);
  if (How == ImageSizes::Larger && Pixels > MostPixels)
    How = ImageSizes::Exact;
  // A StringRef in JSON owns nothing, and the witness outlives the kernel.
  json::Object Out{{"type", A.ImageType}};
  for (size_t I = 0; I < Names.size(); ++I)
    Out[Names[I]] = scaled(size(I), How);
  return Out;
}

json::Value sampler(const KernelArgument &A, uint64_t Choice) {
  struct Way {
    bool Normalised;
    const char *Address, *Filter;
  };
  static constexpr Way All[] = {
      // With integer coordinates only these are defined,
      {false, "clamp_to_edge", "nearest"},
      {false, "clamp", "nearest"},
      // where integers are read only these,
      {true, "clamp_to_edge", "nearest"},
      {true, "repeat", "nearest"},
      {true, "clamp", "nearest"},
      {true, "mirrored_repeat", "nearest"},
      // and all for floats.
      {false, "clamp_to_edge", "linear"},
      {true, "repeat", "linear"},
      {false, "clamp", "linear"},
      {true, "mirrored_repeat", "linear"},
      {true, "clamp_to_edge", "linear"},
      {true, "clamp", "linear"},
  };
  size_t Count = !A.FloatCoords ? 2 : A.Channels == "f" ? std::size(All) : 6;
  // A stride that no count divides, so that neighbours differ much.
  const Way &W = All[Choice * 7 % Count];
  return json::Object{{"sampler", json::Object{{"normalized", W.Normalised},
                                               {"address", W.Address},
                                               {"filter", W.Filter}}}};
}

std::string pixelName(const json::Object &Image, uint64_t Element) {
  std::string Out = "pixel (";
  StringRef Between = "";
  for (StringRef Name : {"width", "height", "depth", "layers"})
    if (auto Size = Image.getInteger(Name); Size && *Size > 0) {
      Out += (Between + utostr(Element % uint64_t(*Size))).str();
      Element /= uint64_t(*Size);
      Between = ", ";
    }
  return Out + ")";
}

} // namespace clrewrite::verify

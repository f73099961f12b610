// The words of --launch for images and samplers are read and checked.
#include "measure/ImageArguments.h"
#include "opencl/ImageSizes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::measure {

static constexpr StringRef Orders[] = {
    "R", "A", "RG", "RA", "RGBA", "BGRA", "ARGB", "INTENSITY", "LUMINANCE"};
static constexpr StringRef ChannelTypes[] = {
    "FLOAT",        "HALF_FLOAT",    "UNORM_INT8",     "UNORM_INT16",
    "SNORM_INT8",   "SNORM_INT16",   "SIGNED_INT8",    "SIGNED_INT16",
    "SIGNED_INT32", "UNSIGNED_INT8", "UNSIGNED_INT16", "UNSIGNED_INT32"};

static Error setSizes(json::Object &Image, ArrayRef<StringRef> Names,
                      ArrayRef<uint64_t> Global, StringRef Given) {
  SmallVector<StringRef> Parts;
  if (!Given.empty())
    Given.split(Parts, 'x');
  bool Wrong = !Parts.empty() && Parts.size() != Names.size();
  for (size_t I = 0; I < Names.size() && !Wrong; ++I) {
    uint64_t N = I < Global.size() ? Global[I] : 1;
    if (!Parts.empty())
      Wrong = Parts[I].getAsInteger(10, N) || N == 0 || N > (1u << 28);
    Image[Names[I]] = N;
  }
  return Wrong ? createStringError("'" + Given + "' is not " +
                                   join(Names, "x") + ", e.g. " +
                                   (Names.size() == 1   ? "4096"
                                    : Names.size() == 2 ? "640x480"
                                                        : "64x64x8"))
               : Error::success();
}

/// What lies in memory of each channel decides the contents.
static StringRef fillOf(StringRef ChannelType) {
  if (ChannelType.contains("FLOAT"))
    return "floats:0:1";
  return ChannelType.contains("NORM") ? "random" : "ints:0:100";
}

Expected<json::Value> imageArgument(const ImageParameter &P,
                                    ArrayRef<uint64_t> Global,
                                    StringRef Given) {
  StringRef Type = P.Type;
  if (!Type.consume_front("image") || !Type.consume_back("_t") ||
      !is_contained({"1d", "1d_buffer", "1d_array", "2d", "2d_array", "3d"},
                    Type))
    return createStringError("can't be given: it is an " + P.Type);
  StringRef Order = "RGBA";
  StringRef Channel = P.Channels == "i"    ? "SIGNED_INT32"
                      : P.Channels == "ui" ? "UNSIGNED_INT32"
                                           : "FLOAT";
  SmallVector<StringRef> Parts;
  Given.split(Parts, ':', -1, /*KeepEmpty=*/false);
  StringRef Size;
  for (StringRef Part : Parts) {
    if (isDigit(Part.front()) && Size.empty())
      Size = Part;
    else if (is_contained(Orders, Part))
      Order = Part;
    else if (is_contained(ChannelTypes, Part))
      Channel = Part;
    else
      return createStringError("'" + Part + "' is no size, channel order (" +
                               join(ArrayRef(Orders), ", ") +
                               ") or channel type (" +
                               join(ArrayRef(ChannelTypes), ", ") + ")");
  }
  // Strings of their own: what the user wrote does not outlive this.
  json::Object Image{{"type", Type.str()},
                     {"channel_order", Order.str()},
                     {"channel_type", Channel.str()},
                     {"fill", fillOf(Channel)}};
  if (Error E = setSizes(Image, opencl::imageSizeNames(Type), Global, Size))
    return std::move(E);
  StringRef Access = P.Access == "read_only"    ? "r"
                     : P.Access == "write_only" ? "w"
                                                : "rw";
  return json::Object{{"image", std::move(Image)}, {"access", Access}};
}

Expected<json::Value> samplerArgument(StringRef Given) {
  bool Normalised = false;
  StringRef Address = "clamp_to_edge", Filter = "nearest";
  SmallVector<StringRef> Words;
  Given.split(Words, '+', -1, /*KeepEmpty=*/false);
  for (StringRef Word : Words) {
    if (is_contained(
            {"none", "clamp_to_edge", "clamp", "repeat", "mirrored_repeat"},
            Word))
      Address = Word;
    else if (Word == "nearest" || Word == "linear")
      Filter = Word;
    else if (Word == "normalized" || Word == "unnormalized")
      Normalised = Word == "normalized";
    else
      return createStringError(
          "'" + Word +
          "' is no word for a sampler: none, clamp_to_edge, clamp, repeat or "
          "mirrored_repeat, nearest or linear, normalized or unnormalized, "
          "joined by +");
  }
  if (!Normalised && Address.contains("repeat"))
    return createStringError(
        Address + " needs normalized coordinates: " + Address + "+normalized");
  return json::Object{{"sampler", json::Object{{"normalized", Normalised},
                                               {"address", Address.str()},
                                               {"filter", Filter.str()}}}};
}

std::optional<std::string> wordsOfArgument(const json::Value &Entry) {
  const json::Object *O = Entry.getAsObject();
  auto word = [](const json::Object &Of, StringRef Name) {
    return Of.getString(Name).value_or("").str();
  };
  if (const json::Object *Image = O ? O->getObject("image") : nullptr) {
    SmallVector<std::string> Sizes;
    for (StringRef Name : opencl::imageSizeNames(word(*Image, "type")))
      Sizes.push_back(utostr(uint64_t(Image->getInteger(Name).value_or(1))));
    return join(Sizes, "x") + ":" + word(*Image, "channel_order") + ":" +
           word(*Image, "channel_type");
  }
  if (const json::Object *Sampler = O ? O->getObject("sampler") : nullptr)
    return word(*Sampler, "address") + "+" + word(*Sampler, "filter") +
           (Sampler->getBoolean("normalized").value_or(false)
                ? "+normalized"
                : "+unnormalized");
  return std::nullopt;
}

} // namespace clrewrite::measure

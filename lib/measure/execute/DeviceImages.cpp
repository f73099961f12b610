// Descriptors, tiles of texels, and the names of the instructions for images.
#include "measure/execute/DeviceImages.h"
#include "measure/ImageArguments.h"
#include "opencl/ImageSizes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace llvm;

namespace clrewrite::measure {
namespace {

/// A channel order or a channel type: its number in CL/cl.h, and its place in
/// the runtime's list (HSA Runtime Programmer's Reference Manual, on images),
/// by which AMD's library asks.
struct ImageWord {
  StringLiteral Name;
  unsigned Number, Hsa;
  unsigned Size; ///< channels, and bytes of a channel
};

constexpr ImageWord ChannelOrders[] = {
    {"R", 0x10B0, 1, 1},          {"A", 0x10B1, 0, 1},
    {"RG", 0x10B2, 3, 2},         {"RA", 0x10B3, 5, 2},
    {"RGBA", 0x10B5, 8, 4},       {"BGRA", 0x10B6, 9, 4},
    {"ARGB", 0x10B7, 10, 4},      {"INTENSITY", 0x10B8, 16, 1},
    {"LUMINANCE", 0x10B9, 17, 1},
};
constexpr ImageWord ChannelTypes[] = {
    {"SNORM_INT8", 0x10D0, 0, 1},      {"SNORM_INT16", 0x10D1, 1, 2},
    {"UNORM_INT8", 0x10D2, 2, 1},      {"UNORM_INT16", 0x10D3, 3, 2},
    {"SIGNED_INT8", 0x10D7, 8, 1},     {"SIGNED_INT16", 0x10D8, 9, 2},
    {"SIGNED_INT32", 0x10D9, 10, 4},   {"UNSIGNED_INT8", 0x10DA, 11, 1},
    {"UNSIGNED_INT16", 0x10DB, 12, 2}, {"UNSIGNED_INT32", 0x10DC, 13, 4},
    {"HALF_FLOAT", 0x10DD, 14, 2},     {"FLOAT", 0x10DE, 15, 4},
};

const ImageWord &wordOf(ArrayRef<ImageWord> List, StringRef Name) {
  return *find_if(List, [&](const ImageWord &W) { return W.Name == Name; });
}

} // namespace

/// Bytes of a block along a row, and its rows.
constexpr uint64_t BlockBytes = 64, BlockRows = 8;

static uint64_t blocksAlong(const DeviceImage &Of) {
  return divideCeil(Of.Sizes[0] * Of.TexelBytes, BlockBytes);
}

static uint64_t blocksDown(const DeviceImage &Of) {
  return divideCeil(Of.Sizes[1], BlockRows);
}

uint64_t DeviceImage::addressOf(uint64_t X, uint64_t Y, uint64_t Z) const {
  const uint64_t Byte = X * TexelBytes;
  if (Sizes[1] == 1)
    return Texels + Z * Sizes[0] * TexelBytes + Byte;
  const uint64_t Block =
      (Z * blocksDown(*this) + Y / BlockRows) * blocksAlong(*this) +
      Byte / BlockBytes;
  return Texels + Block * BlockBytes * BlockRows +
         ((Byte & 15) | (Y & 1) << 4 | (Byte >> 4 & 1) << 5 |
          (Y >> 1 & 3) << 6 | (Byte >> 5 & 1) << 8);
}

Expected<uint64_t> DeviceImages::addImage(StringRef Type, StringRef Words,
                                          ArrayRef<uint64_t> Global,
                                          bool MadeUp) {
  // Of depth images a launch tells the same.
  std::string Plain = Type.str();
  if (size_t At = Plain.find("_depth"); At != std::string::npos)
    Plain.erase(At, strlen("_depth"));
  Expected<json::Value> Entry =
      imageArgument({Plain, "read_only", ""}, Global, Words);
  if (!Entry)
    return Entry.takeError();
  const json::Object &Image = *Entry->getAsObject()->getObject("image");
  const ImageWord &Order =
                      wordOf(ChannelOrders, *Image.getString("channel_order")),
                  &Channel =
                      wordOf(ChannelTypes, *Image.getString("channel_type"));
  DeviceImage Out;
  SmallVector<StringRef> Names =
      opencl::imageSizeNames(*Image.getString("type"));
  for (auto [I, Name] : enumerate(Names))
    Out.Sizes[Name == "layers" ? 2 : I] = uint64_t(*Image.getInteger(Name));
  Out.TexelBytes = MadeUp ? 4 : Order.Size * Channel.Size;
  Out.ChannelOrder = Order.Number;
  Out.ChannelType = Channel.Number;
  Out.Texels = Memory.add(blocksAlong(Out) * blocksDown(Out) * Out.Sizes[2] *
                              BlockBytes * BlockRows,
                          {}, /*Counted=*/true);
  All.push_back(Out);
  // As __ockl_image_width_2D and its like of AMD's device libraries read them.
  auto field = [](uint64_t Size, unsigned Bits) {
    return uint32_t((Size - 1) & ((1u << Bits) - 1));
  };
  uint32_t Descriptor[16] = {};
  Descriptor[0] = uint32_t(All.size());
  Descriptor[2] = field(Out.Sizes[0], 14) | field(Out.Sizes[1], 14) << 14;
  Descriptor[4] = field(Out.Sizes[2], 13);
  Descriptor[5] = field(Out.Sizes[2], 13) << 13; // layers, before gfx9
  Descriptor[8] = Channel.Hsa;
  Descriptor[9] = Order.Hsa;
  Descriptor[10] = uint32_t(Out.Sizes[0]);
  uint64_t At = Memory.add(sizeof Descriptor, {}, /*Counted=*/false);
  Memory.write(At, ArrayRef(reinterpret_cast<const uint8_t *>(Descriptor),
                            sizeof Descriptor));
  return At;
}

Expected<uint64_t> DeviceImages::addSampler(StringRef Words) {
  Expected<json::Value> Entry = samplerArgument(Words);
  if (!Entry)
    return Entry.takeError();
  const bool Normalised =
      *Entry->getAsObject()->getObject("sampler")->getBoolean("normalized");
  uint64_t Word[4] = {Normalised ? NormalisedBit : UnnormalisedBit};
  uint64_t At = Memory.add(sizeof Word, {}, /*Counted=*/false);
  Memory.write(At,
               ArrayRef(reinterpret_cast<const uint8_t *>(Word), sizeof Word));
  return At;
}

/// Sets the coordinates of \p Of from what begins \p Geometry, "2d.array" or
/// "2darray", which follow each other from operand \p First on; NVIDIA's layer
/// comes before them, AMD's behind them. False for another one.
static bool setPlace(ImageInstruction &Of, StringRef Geometry, unsigned First,
                     bool LayerFirst) {
  if (Geometry.consumeInteger(10, Of.Dimensions) ||
      !Geometry.consume_front("d") || Of.Dimensions < 1 || Of.Dimensions > 3)
    return false;
  bool Layers =
      Geometry.consume_front("array") || Geometry.consume_front(".array");
  if (!Geometry.starts_with("."))
    return false;
  Of.Coordinates = First + (Layers && LayerFirst);
  if (Layers)
    Of.Layer = LayerFirst ? First : First + Of.Dimensions;
  return true;
}

static std::optional<ImageInstruction> ofNvidia(StringRef Name) {
  ImageInstruction Out{};
  if (Name.consume_front("txq.") || Name.consume_front("suq.")) {
    Out.What = ImageInstruction::Ask;
    Out.Asked = Name;
    return Out;
  }
  if (Name.consume_front("tex.")) {
    Out.What = ImageInstruction::Read;
    Out.Sampler = 1;
    return setPlace(Out, Name, 2, true) ? std::optional(Out) : std::nullopt;
  }
  if (Name.consume_front("sust.p.")) {
    Out.What = ImageInstruction::Write;
    return setPlace(Out, Name, 1, true) ? std::optional(Out) : std::nullopt;
  }
  return std::nullopt;
}

/// Buffers of texels, whose descriptor has four words.
static std::optional<ImageInstruction> ofAmdBuffer(StringRef Name) {
  ImageInstruction Out{};
  Out.HasWords = true;
  Out.Dimensions = 1;
  if (Name.starts_with("load.format"))
    Out.What = ImageInstruction::Read;
  else if (Name.starts_with("store.format"))
    Out.What = ImageInstruction::Write;
  else
    return std::nullopt;
  // Behind the texel of a store.
  Out.Descriptor = Out.What == ImageInstruction::Write;
  Out.Coordinates = Out.Descriptor + 1;
  return Out;
}

static std::optional<ImageInstruction> ofAmd(const IntrinsicInst &I,
                                             StringRef Name) {
  ImageInstruction Out{};
  Out.HasWords = true;
  // The operands begin with a mask of channels, behind the texel of a store.
  unsigned First = 1;
  if (Name.consume_front("store.")) {
    Out.What = ImageInstruction::Write;
    First = 2;
  } else if (Name.consume_front("load.") || Name.consume_front("sample.lz.") ||
             Name.consume_front("sample.")) {
    Out.What = ImageInstruction::Read;
  } else {
    return std::nullopt;
  }
  if (!setPlace(Out, Name, First, false))
    return std::nullopt;
  Out.Descriptor = Out.Layer ? *Out.Layer + 1 : First + Out.Dimensions;
  auto isWords = [&](unsigned Operand, unsigned N) {
    auto *V =
        Operand < I.arg_size()
            ? dyn_cast<FixedVectorType>(I.getArgOperand(Operand)->getType())
            : nullptr;
    return V && V->getNumElements() == N;
  };
  if (!isWords(Out.Descriptor, 8))
    return std::nullopt;
  if (isWords(Out.Descriptor + 1, 4))
    Out.Sampler = Out.Descriptor + 1;
  return Out;
}

/// All that becomes of the floats that \p I gives are integers of their bits.
static bool isReadAsIntegers(const Instruction &I) {
  return !I.use_empty() && I.getType()->isFPOrFPVectorTy() &&
         all_of(I.users(), [](const User *U) {
           if (const auto *Cast = dyn_cast<BitCastInst>(U))
             return Cast->getType()->isIntOrIntVectorTy();
           const auto *Lane = dyn_cast<ExtractElementInst>(U);
           return Lane && isReadAsIntegers(*Lane);
         });
}

std::optional<ImageInstruction> imageInstruction(const IntrinsicInst &I) {
  StringRef Name = I.getCalledFunction()->getName();
  std::optional<ImageInstruction> Out;
  if (Name.consume_front("llvm.nvvm."))
    Out = ofNvidia(Name);
  else if (Name.consume_front("llvm.amdgcn.image."))
    Out = ofAmd(I, Name);
  else if (Name.consume_front("llvm.amdgcn.struct.buffer."))
    Out = ofAmdBuffer(Name);
  if (Out)
    Out->Integers = isReadAsIntegers(I);
  return Out;
}

} // namespace clrewrite::measure

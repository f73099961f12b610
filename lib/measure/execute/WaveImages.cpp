// Reads and writes of texels by a wave's lanes.
#include "measure/execute/DeviceImages.h"
#include "measure/execute/WaveStepper.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstring>

using namespace llvm;

namespace clrewrite::measure {

/// The first word of what an operand is, or leads to, in a lane.
static uint64_t firstWord(uint64_t Operand, bool HasWords,
                          DeviceMemory &Memory) {
  if (HasWords)
    return Operand;
  uint32_t Word = 0;
  Memory.read(Operand,
              MutableArrayRef(reinterpret_cast<uint8_t *>(&Word), sizeof Word));
  return Word;
}

/// The coordinate \p V of type \p T along \p Size texels, as the nearest texel
/// that there is.
static uint64_t texelAlong(Type *T, uint64_t V, uint64_t Size,
                           bool Normalised) {
  // GPUs know 256 places between two texels.
  constexpr double Places = 256;
  double At = T->isIntegerTy()
                  ? double(signedOf(V, T->getIntegerBitWidth()))
                  : std::round(numberOf(T, V) *
                               (Normalised ? double(Size) : 1) * Places) /
                        Places;
  if (!(At > 0)) // not a number, too
    return 0;
  return std::min(uint64_t(std::min(At, double(Size))), Size - 1);
}

/// What channel \p Channel of a texel holds: a number from 0 to 1, or an
/// integer from 0 to 100, as images have where a launch is timed.
static uint64_t channelOf(Type *T, bool Integers, uint64_t Texel,
                          unsigned Channel) {
  const uint64_t Hash = scattered(Texel * 4 + Channel);
  return Integers || T->isIntegerTy()
             ? Hash % 101
             : bitsOfNumber(T, double(Hash >> 48) / 65536);
}

static std::optional<unsigned> answerOf(const DeviceImage &Of,
                                        StringRef Asked) {
  if (Asked == "width")
    return Of.Sizes[0];
  if (Asked == "height")
    return Of.Sizes[1];
  if (Asked == "depth" || Asked == "array.size")
    return Of.Sizes[2];
  if (Asked == "channel.order")
    return Of.ChannelOrder;
  if (Asked == "channel.data.type")
    return Of.ChannelType;
  return std::nullopt;
}

/// The type of a channel of \p T: a structure's, a vector's or \p T itself.
static Type *channelType(Type *T) {
  return (isa<StructType>(T) ? T->getStructElementType(0) : T)->getScalarType();
}

void WaveStepper::image(const WaveStep &S, const IntrinsicInst &I) {
  auto [It, New] = Of.ImageInstructions.try_emplace(&I);
  if (New)
    It->second = imageInstruction(I);
  if (!It->second)
    return fail("it calls " + I.getCalledFunction()->getName() +
                ", which is not executed");
  const ImageInstruction &What = *It->second;
  uint64_t At[64] = {};
  const DeviceImage *Image = nullptr;
  unsigned TexelBytes = 0;
  auto coordinate = [&](unsigned Operand, unsigned L, uint64_t Size,
                        bool Normalised) {
    return texelAlong(I.getArgOperand(Operand)->getType(), in(S, Operand)[L],
                      Size, Normalised);
  };
  lanes([&](unsigned L) {
    if (failed())
      return;
    Image = Of.Images.find(
        firstWord(in(S, What.Descriptor)[L], What.HasWords, Of.Memory));
    if (!Image)
      return fail("it has an image that is no argument");
    if (What.What == ImageInstruction::Ask) {
      std::optional<unsigned> Answer = answerOf(*Image, What.Asked);
      if (!Answer)
        return fail("it asks an image for what is not known");
      out(S)[L] = *Answer;
      return;
    }
    bool Normalised = false;
    if (What.Sampler) {
      uint64_t Word =
          firstWord(in(S, *What.Sampler)[L], What.HasWords, Of.Memory);
      Normalised = What.HasWords ? !(Word & DeviceImages::UnnormalisedBit)
                                 : Word & DeviceImages::NormalisedBit;
    }
    uint64_t Place[3] = {};
    for (unsigned D = 0; D < What.Dimensions; ++D)
      Place[D] =
          coordinate(What.Coordinates + D, L, Image->Sizes[D], Normalised);
    if (What.Layer)
      Place[2] = coordinate(*What.Layer, L, Image->Sizes[2], false);
    At[L] = Image->addressOf(Place[0], Place[1], Place[2]);
    TexelBytes = Image->TexelBytes;
  });
  if (failed() || What.What == ImageInstruction::Ask)
    return;
  noteTexels(At, TexelBytes, What.What == ImageInstruction::Write);
  Type *Channel = channelType(I.getType());
  for (unsigned R = 0; R < S.Registers; ++R) {
    uint64_t *To = out(S, R);
    lanes([&](unsigned L) {
      To[L] = channelOf(Channel, What.Integers, At[L], R);
    });
  }
}

/// Puts down that the active lanes access texels of \p Bytes at their
/// addresses.
void WaveStepper::noteTexels(const uint64_t *At, unsigned Bytes, bool Store) {
  bool Has = !Of.Grid.MadeUp && noteReuse(At, Bytes, Store, false);
  TexelAccesses &Into = Store ? Of.Out.TexelWrites : Of.Out.TexelReads;
  SmallDenseSet<uint64_t, 64> Numbers;
  lanes([&](unsigned L) {
    touchWords(At[L], Bytes, Store);
    Numbers.insert(At[L] / uint64_t(Of.Model.LineBytes));
  });
  Into.Bytes += Bytes;
  Into.Lines += Numbers.size();
  Into.Accesses.add(Has);
  Of.Work += 4 * uint64_t(llvm::popcount(Active));
}

} // namespace clrewrite::measure

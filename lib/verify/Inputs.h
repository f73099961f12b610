// Inputs for running a kernel of which nobody has said how it is launched.
//
// A kernel's index arithmetic is unknown: which scalar is a width, how large a
// buffer must be, whether a buffer's ints index another one. So inputs are
// guessed and the original is the judge: a launch in which it stays inside its
// buffers is valid, any other is not. Buffers start tight, an element a
// work-item rounded up to where a fence can lie, so that a stray access is
// seen, and grow where the original needs more.
//
// Integer arguments are drawn, mostly as sizes: a draw is a formula that gives
// each of them a number for any NDRange ("all are the global size", "all are
// four times it", or one choice each from sizes, halves, multiples, small
// counts and the numbers of the kernel's text). Which draws suit the kernel is
// found out by launching the original (Trial::look): a width of 1 is valid too,
// but then most work-items write over what others wrote, and show nothing.
//
// Where growing does not help, the buffers' integers become small and not
// negative; then the scalars shrink too (a stride of 64 may lead out of any
// buffer, a stride of 1 does not), then both do more, and at last buffers may
// have many megabytes. A round's contents suit its kind:
//
//   small     numbers near zero: sums whose order matters, indices, counts
//   random    any bits: every magnitude, every byte
//   specials  NaN, infinities, -0, denormals, the limits of integers
//   zeros, iota
//   text      the numbers of the kernel's text and their neighbours, which it
//             compares with and masks by
//   wild      random, and scalars at their limits
//   overlap   small, but for some integers, which are random; two pointers of
//             one type, or as many as can, are the same buffer, or one of two
//             leads into the other's; one work-item alone, since more would
//             race
//   negative  small, and signed scalars below zero: a count that is converted
//             to an unsigned one, a comparison that is, a loop that counts up
//             to zero
//   solved    small, but for numbers that a condition was solved for
//
// Images and samplers are in Images.h. Everything is a function of the seed.
#pragma once

#include "launch/LaunchChange.h"
#include "verify/Kernel.h"
#include <cstdint>

namespace clrewrite::verify {

enum class Contents {
  Small,
  Random,
  Specials,
  Zeros,
  Iota,
  Text,
  Wild,
  Overlap,
  Negative,
  Solved
};

llvm::StringRef name(Contents C);

/// The purpose of one round.
struct Recipe {
  Contents Kind = Contents::Small;
  enum Size : unsigned {
    // Where no version looks at groups, all of these have groups of one.
    Even, ///< 64 to 128 work-items, in several work-groups
    Odd,  ///< 37 to 65, in groups of the driver's choice
    Some, ///< thousands, so that one value in a thousand occurs
    Many, ///< more along the first dimension than a short can count
    // The last work-groups of a launch that has too many work-items to be run:
    // their global ids begin at an offset.
    Far,     ///< the ids of the first dimension are around 2^16
    FarRows, ///< those of the second are; of one dimension, they are around
             ///< 2^15
    Wide,    ///< one row of work-items, more than 16 bits can count
    Long,    ///< one work-group; the integer Recipe::Large is large
    // To be timed, rather than compared: as many work-items as fill a GPU, and
    // fewer for kernels whose work grows with their square or more.
    Million,
    Thousands, ///< 65536
    Hundreds,  ///< 4096
    Few,       ///< 256 or more, to see how buffers grow with the sizes
  } Shape = Even;
  /// The guard: buffers begin at a fence, else they end at one.
  bool FenceBefore = false;
  /// Of an overlap: the pair of arguments that are one buffer; AllPairs for all
  /// that can be one with the first.
  unsigned Pair = 0;
  static constexpr unsigned AllPairs = ~0u;
  /// The formula for integer arguments; 0 is another one in each round.
  unsigned Draw = 0;
  /// The level that its Fit begins with.
  unsigned Level = 0;
  /// Of an overlap, where it is not 0: one of the pair begins within the
  /// other's buffer, at this one of the places that the kernel's integers give.
  unsigned Part = 0;
  /// It is the first of the pair that begins within the second's buffer.
  bool IsFirstPart = false;
  /// Which integer by value, counted from 1, is one that 16 bits can't count; 0
  /// for none.
  unsigned Large = 0;
  /// A launch has taken too long: what only says how often loops run is no more
  /// than a launch has time for.
  bool IsShort = false;

  bool hasManyItems() const {
    return Shape == Some || Shape == Many || Shape == Wide;
  }
  bool isFar() const { return Shape == Far || Shape == FarRows; }
  /// It is there for ids and integers that 16 bits can't count.
  bool exceeds16Bits() const {
    return isFar() || Shape == Wide || Shape == Long;
  }
  bool isTimed() const { return Shape >= Million; }
  /// Its buffers are larger than others'.
  bool isLarge() const { return hasManyItems() || exceeds16Bits(); }
};

/// How far a recipe had to be tamed for the original to stay inside.
struct Fit {
  /// 0: scalars as drawn; 1: the same, and the buffers' integers from 0 to 16;
  /// 2: scalars up to 4; 3: 0 or 1, and the buffers' integers up to 3; 4: as 1,
  /// and buffers may be large.
  unsigned Level = 0;
  /// Elements of each argument's buffer, by argument; 0 for the others.
  std::vector<uint64_t> Elements;

  static constexpr unsigned Levels = 5;
};

/// A recipe with integer arguments that suit the kernel, and buffers that do
/// for it.
struct SuitableDraw {
  Recipe R;
  Fit Fitting;
};

/// Two small launches with the same draw, which tell how buffers grow with the
/// sizes.
struct Growth {
  SuitableDraw Small, Larger;
};

/// A launch with all of its arguments, as the job `run` has them in "args".
struct TrialLaunch : launch::NDRange {
  llvm::json::Array Args;

  llvm::json::Object members() const;
  /// "global 64x8 from (0, 65528), local 8x8, width=64, height=8, out is in
  /// from byte 4": the sizes, the arguments that are one number, and what they
  /// share, by the names that \p K has for them.
  std::string text(const KernelShape &K) const;
  /// Each global size, offset and integer argument of \p Larger is as large as
  /// the one of this launch, or larger.
  bool isWithin(const TrialLaunch &Larger) const;
};

/// The parts of a launch that the user gives; those left empty are guessed.
struct LaunchShape : launch::NDRange {
  /// All arguments have values, so that one round says it all.
  bool Once = false;
  /// Scalars by the argument's name.
  std::vector<std::pair<std::string, int64_t>> Scalars = {};
  /// Arguments by value by name, as the job `run` has them in "args".
  std::vector<std::pair<std::string, llvm::json::Value>> Values = {};
  /// Bytes of buffers and of local memory by the argument's name.
  std::vector<std::pair<std::string, uint64_t>> Bytes = {};
  /// What buffers hold by the argument's name, as "fill" and "type" have it; an
  /// empty type is the argument's own.
  std::vector<std::pair<std::string, std::pair<std::string, std::string>>>
      Fills = {};
};

class Inputs {
  KernelShape K;
  LaunchShape Given;
  uint64_t Seed;
  launch::LaunchChange Change;

public:
  /// Sizes that are guessed are multiples of the factors of \p Change.
  Inputs(KernelShape K, LaunchShape Given, uint64_t Seed,
         launch::LaunchChange Change = {})
      : K(std::move(K)), Given(std::move(Given)), Seed(Seed),
        Change(std::move(Change)) {}

  /// The rounds' recipes in order; they repeat with other seeds. Negative only
  /// where an argument is a signed integer that nobody has given, Overlap only
  /// where two arguments may be one buffer, and \p MayOverlap, and one
  /// work-item alone can be launched and does no more than it did.
  std::vector<Recipe> plan(bool MayOverlap) const;
  /// More overlaps: of each pair, in which the work-item has another id than 0,
  /// so that a loop reads an element behind its own store; and those in which
  /// one begins within the other. None where plan() has none.
  std::vector<Recipe> overlapPlan(bool MayOverlap) const;
  /// Those with ids and integers that 16 bits can't count. Ids are large only
  /// where nobody has given the sizes; the last work-items of a launch can't be
  /// launched alone where a version asks for more than ids: then all of a row
  /// are.
  std::vector<Recipe> farPlan() const;

  /// Where the search for a valid launch of \p R starts.
  Fit tightest(const Recipe &R) const;
  /// Makes room in argument \p Index's buffer for a byte at \p Offset, and for
  /// those up to \p Reach as far as a buffer may grow. False where that can't
  /// help: the offset is negative, or too far.
  bool grow(Fit &F, const Recipe &R, size_t Index, int64_t Offset,
            int64_t Reach) const;
  /// How much all buffers grow at once where nobody knows which one must, so
  /// that what does may be so many times as large as it need be.
  static constexpr double GrowthOfAll = 8;
  /// Buffers for \p R, a launch of many work-items, as large as the smaller
  /// launches of \p Of let expect, if each buffer grows with a power of the
  /// number of work-items; no larger than a buffer may be. None where a buffer
  /// is expected to need more than \p MostOver times that.
  std::optional<Fit> expected(const Recipe &R, const Growth &Of,
                              double MostOver) const;
  /// The same for all buffers, where nothing tells which of them is too small.
  /// False where all are as large as they may be.
  bool growAll(Fit &F, const Recipe &R) const;
  /// Goes on to the next level. False where there is none.
  bool calm(Fit &F, const Recipe &R) const;

  TrialLaunch make(const Recipe &R, const Fit &F, unsigned Round) const;

  /// One round is enough.
  bool once() const { return Given.Once; }

  /// Draws differ: there are integers by value that nobody has given.
  bool hasDraws() const;
  static constexpr unsigned Draws = 12; ///< numbered from 1

private:
  bool hasSigned() const;
  /// It holds integers by value that nobody has given.
  bool isDrawn(const KernelArgument &A) const;
  /// One work-item can run alone, and two arguments can be one buffer.
  bool mayOverlap(bool MayOverlap) const;
  /// Arguments I < J of which J can be I's buffer: of one type, or one of
  /// bytes, through which anything may be accessed.
  std::vector<std::pair<size_t, size_t>> overlaps() const;
  launch::NDRange shape(const Recipe &R) const;
  uint64_t partAt(const Recipe &R, const KernelArgument &Whole,
                  const KernelArgument &Part,
                  const llvm::json::Array &Args) const;
};

} // namespace clrewrite::verify

// Inputs for running a kernel of which nobody has said how it is launched.
//
// A kernel's index arithmetic is unknown: which scalar is a width, how large a
// buffer must be, whether a buffer's ints index another one. So inputs are
// guessed and the original is the judge: a launch in which it stays inside its
// buffers is valid, any other is not. Buffers start tight, an element a
// work-item rounded up to where a fence can lie, so that a stray access is
// seen, and grow where the original needs more; where growing does not help,
// the scalars shrink (a stride of 64 may lead out of any buffer, a stride of 1
// does not), and at last the buffers' integers do too. A round's contents suit
// its kind:
//
//   small     numbers near zero: sums whose order matters, indices, counts
//   random    any bits: every magnitude, every byte
//   specials  NaN, infinities, -0, denormals, the limits of integers
//   zeros, iota
//   wild      random, and scalars at their limits
//   overlap   small, two pointers of one type are the same buffer, and one
//             work-item alone, since more would race
//
// Images and samplers are in Images.h. Everything is a function of the seed.
#pragma once

#include "launch/LaunchChange.h"
#include "verify/Kernel.h"
#include <cstdint>

namespace clrewrite::verify {

enum class Contents { Small, Random, Specials, Zeros, Iota, Wild, Overlap };

llvm::StringRef name(Contents C);

/// The purpose of one round.
struct Recipe {
  Contents Kind = Contents::Small;
  /// Which of the kernel's launch shapes.
  unsigned Shape = 0;
  /// The guard: buffers begin at a fence, else they end at one.
  bool FenceBefore = false;
};

/// How far a recipe had to be tamed for the original to stay inside.
struct Fit {
  /// 0: scalars like the NDRange's sizes; 1: up to 4; 2: 0 or 1, and the
  /// buffers' integers up to 3.
  unsigned Level = 0;
  /// Elements of each argument's buffer, by argument; 0 for the others.
  std::vector<uint64_t> Elements;

  static constexpr unsigned Levels = 3;
};

/// A launch with all of its arguments, as the job `run` has them in "args".
struct TrialLaunch : launch::NDRange {
  llvm::json::Array Args;

  llvm::json::Object members() const;
  /// "global 64x8, local 8x8, width=64, height=8": the sizes and the arguments
  /// that are one number, by the names that \p K has for them.
  std::string text(const KernelShape &K) const;
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

  /// The rounds' recipes in order; they repeat with other seeds. Overlap only
  /// where two arguments may be one buffer, and \p MayOverlap, and one
  /// work-item alone does no more than it did.
  std::vector<Recipe> plan(bool MayOverlap) const;

  /// Where the search for a valid launch of \p R starts.
  Fit tightest(const Recipe &R) const;
  /// Makes room in argument \p Index's buffer for a byte at \p Offset. False
  /// where that can't help: the offset is negative, or too far.
  bool grow(Fit &F, size_t Index, int64_t Offset) const;
  /// Goes on to the next level. False where there is none.
  bool calm(Fit &F, const Recipe &R) const;

  TrialLaunch make(const Recipe &R, const Fit &F, unsigned Round) const;

  /// One round is enough.
  bool once() const { return Given.Once; }

private:
  /// Arguments I < J of which J can be I's buffer.
  std::vector<std::pair<size_t, size_t>> overlaps() const;
  launch::NDRange shape(const Recipe &R) const;
};

} // namespace clrewrite::verify

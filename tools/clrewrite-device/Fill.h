// The contents of an input buffer, from a short description and a seed.
//
// Contents must be the same on every machine and in every run, so that a
// witness can be replayed from its seed. Word I of seed S is
// mix(S + (I + 1) * 0x9e3779b97f4a7c15), where mix is the finaliser of
// splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014): any word can be had without those before it.
// Element E of a buffer is made from word E alone:
//
//   random           the words' own bytes, little-endian; for floats that is
//                    every magnitude alike, with some NaNs and denormals
//   zeros            0
//   byte:N           the byte N everywhere (poison for outputs)
//   iota             element E is E
//   ints:LO:HI       LO + word % (HI - LO + 1)
//   floats:LO:HI     LO + (HI - LO) * (word >> 11) / 2^53, rounded to the type
//   among:V:V:...    one of these numbers, word % their count; they are rounded
//                    to the type, or cut off to its bits
//   bits:V:V:...     the same with the bits of the element, as whole numbers
//                    that are not negative
//   specials         one element in four a value that breaks naive code (NaN,
//                    infinities, -0, denormals, the limits), else random bits
//   base64:...       these bytes exactly
//   keep:NAME:base64:...   the same, and they are kept as NAME for later jobs
//   kept:NAME        what an earlier job kept under that name
#pragma once

#include "ScalarType.h"
#include <map>
#include <memory>
#include <string>

namespace clrewrite::device {

/// Word \p Index of the stream of \p Seed.
uint64_t randomWord(uint64_t Seed, uint64_t Index);

struct Fill {
  enum Kind { Random, Zeros, Byte, Iota, Ints, Floats, Among, Specials, Exact };
  Kind How = Random;
  int64_t IntLow = 0, IntHigh = 0; ///< Ints; IntLow is also Byte's value
  double Low = 0, High = 0;        ///< Floats
  std::vector<uint64_t> Patterns;  ///< Among: the bits of each number
  /// Exact
  std::shared_ptr<const std::vector<uint8_t>> Bytes;
  /// The element; only its component type matters.
  ScalarType Type;
};

/// Contents that jobs left for later jobs of this process: those of a recorded
/// launch are sent once, and not with each version that is timed.
class KeptContents {
  std::map<std::string, std::shared_ptr<const std::vector<uint8_t>>> ByName;
  size_t Total = 0;

public:
  /// Keeps \p Bytes; all that was kept before goes where it would be too much.
  void keep(const std::string &Name,
            std::shared_ptr<const std::vector<uint8_t>> Bytes);
  /// Null where nothing has that name.
  std::shared_ptr<const std::vector<uint8_t>>
  find(const std::string &Name) const;
};

/// Reads a description as above. \p Type is what the elements are; ints need
/// an integer type and floats a floating one. What is kept goes to \p Kept and
/// comes from there; null keeps nothing. Fails with NOT_KEPT where a name is
/// not known.
Result<Fill> parseFill(std::string_view Text, const ScalarType &Type,
                       KeptContents *Kept = nullptr);

/// Fills \p Size bytes at \p Data. Bytes after the last whole element are 0.
void fillBytes(const Fill &How, uint64_t Seed, uint8_t *Data, size_t Size);

} // namespace clrewrite::device

// A source as a device job takes it: for the exact comparison, and as the
// user builds it.
//
// Compilers contract a*b+c to one rounding or don't, depending on the shape of
// the code around it, so an exact rewrite may change the last bit of a program
// that allows contraction. The exact comparison therefore builds both sources
// without contraction and without the options that let the compiler change
// results; what the user's own options give is compared beside it.
#pragma once

#include "source/Source.h"
#include "llvm/Support/JSON.h"

namespace clrewrite::verify {

enum class Arithmetic {
  Exact, ///< no contraction, none of the -cl-...-math options
  Given, ///< as the user's options have it
};

/// \p S as it is built for \p How. Lines keep their numbers.
Source withArithmetic(const Source &S, Arithmetic How);

/// A program before and after edits, as one sort of compilers reads both.
struct Reading {
  Source Before, After;
  /// With or without the lines in shelters; empty where all read the same.
  std::string How;

  /// What precedes its results, for the user.
  std::string label() const;
};

/// What Reading::How is about, for the user.
inline constexpr char KeptLines[] =
    " the lines that #ifdef keeps for some GPUs";

/// The versions \p Before and \p After as compilers for different GPUs read
/// them, since each reads other lines of shelters (Shelter.h): first as those
/// do that define a macro of theirs, whatever compiler builds them here, and
/// last as all others do. The versions are the same where they are in each
/// reading; but for the first, readings without a difference are left out.
std::vector<Reading> readingsOf(const Source &Before, const Source &After);

/// The members "source" and "options" of a job for \p S. A source that is not
/// UTF-8 goes as "source_base64".
llvm::json::Object deviceProgram(const Source &S, Arithmetic How);

/// True where no floating-point type is named in \p S: then both arithmetics
/// are the same.
bool isIntegerOnly(const Source &S);

/// The lines that \p After has and \p Before has not may depend on how the
/// NDRange is cut into work-groups, by their words. That a line newly calls a
/// function of \p Before which does is not seen: no edit does that.
bool mayAddGroupUse(const Source &Before, const Source &After);

/// The same of sizes and the offset of the NDRange, and of ids and the number
/// of work-groups.
bool mayAskForWhole(const Source &Before, const Source &After);

/// Lines that one of the two has and the other has not may keep fewer bits of
/// a number than an int has, by their words: types of 16 bits and fewer,
/// products of 24, masks, shifts.
bool mayCutTo16Bits(const Source &Before, const Source &After);

} // namespace clrewrite::verify

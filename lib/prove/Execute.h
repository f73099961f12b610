// What one work-item of a kernel does, as terms: a symbolic execution of LLVM's
// IR as Clang emits it.
#pragma once

#include "prove/Terms.h"
#include <set>

namespace llvm {
class Function;
} // namespace llvm

namespace clrewrite::prove {

/// The memories that a work-item sees, by name, and all that it did in an order
/// that others see: barriers, atomics, images that are written.
struct State {
  std::map<std::string, T> Memory;
  T Trace = nullptr;
};

/// Something that is undefined unless What holds or is allowed, and that
/// happens where all of the conditions hold.
struct Record {
  enum Kind {
    Read,        ///< Bytes at What are read
    Write,       ///< and written
    Aligned,     ///< What is a multiple of Bytes
    Inside,      ///< What leads into its buffer, or to its end
    Fits,        ///< What is an integer of Bytes bytes
    Operation,   ///< What is an operation that is not defined for all operands
    Unset,       ///< What is used, and may be a value that nobody has set
    Unreachable, ///< this place is not reached
    Ends         ///< What is a loop
  } Sort;
  T What;
  unsigned Bytes = 0;
  T Trace = nullptr; ///< since the last barrier, for Read and Write
  T When = nullptr;
  unsigned Line = 0;
  /// The loops around it, the innermost first, and when each is entered.
  std::vector<std::pair<T, T>> Loops = {};
  /// It follows from others: what the first or the last iteration of a loop
  /// does, told without the loop.
  bool Implied = false;
};

struct Behaviour {
  /// Why nothing is known of it, and the line; empty where it is known.
  std::string Problem;
  unsigned Line = 0;
  State End;
  std::vector<Record> Records;
};

/// Which of the kernel's pointers lead to memory that no other leads to.
using Apart = std::set<unsigned>;

/// Runs \p Kernel, whose module prepare() has seen.
Behaviour execute(Graph &G, llvm::Function &Kernel, const Apart &Alone);

/// Makes values of variables, where nobody takes their addresses, and marks
/// what nobody has set. No pass that makes use of undefined behaviour runs:
/// what is undefined must stay so.
void prepare(llvm::Function &F);

/// The name of the functions that give what nobody has set.
constexpr char UnsetName[] = "clrewrite.unset";

} // namespace clrewrite::prove

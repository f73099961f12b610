// Where kernels stand in a file of C or C++, or in a header of OpenCL C.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clrewrite::frontend {

/// One literal of those that stand side by side, and so are one text.
struct LiteralPiece {
  /// Between its parentheses or quotes; the end is exclusive.
  size_t Begin = 0, End = 0;
  /// What ends a raw one; empty for an ordinary one.
  std::string Closing = {};

  bool isRaw() const { return !Closing.empty(); }
};

/// Kernels of a text that are not in raw string literals.
struct KernelPlace {
  enum Kind {
    Literals,      ///< an ordinary string literal, or several side by side
    MacroArgument, ///< as in STRINGIFY(__kernel void f() {})
    Code,          ///< as OpenCL C has it
  };
  Kind Where = Code;
  size_t Offset = 0;
  /// Literals: how many. Else 0.
  size_t Pieces = 0;
  /// The macro, or the keyword (kernel or __kernel).
  std::string Name = {};
};

struct HostKernels {
  /// Literals of which a raw one holds a kernel.
  std::vector<std::vector<LiteralPiece>> Raw;
  /// The first of each text, in order.
  std::vector<KernelPlace> Others;
};

/// Those of \p Text, which is taken as C++ as it stands: kernels in comments
/// don't count, directives are not followed.
HostKernels hostKernelsIn(llvm::StringRef Text);

/// The literals of \p Text with a raw one among them, with kernels or without.
std::vector<std::vector<LiteralPiece>> rawTextsIn(llvm::StringRef Text);

/// Whether \p Text says "kernel void" or "__kernel __attribute__".
bool holdsKernel(llvm::StringRef Text);

/// What the literals of \p Pieces say in \p Text, one after the other.
std::string textOf(llvm::ArrayRef<LiteralPiece> Pieces, llvm::StringRef Text);

} // namespace clrewrite::frontend

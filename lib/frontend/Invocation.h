// How Clang is set up for a source and an architecture.
#pragma once

#include "source/Source.h"
#include <memory>
#include <optional>

namespace clang {
class CompilerInstance;
class DiagnosticConsumer;
} // namespace clang

namespace clrewrite::frontend {

/// What Clang compiles for, e.g. {"amdgcn-amd-amdhsa", "gfx906"}.
struct Arch {
  std::string Triple;
  std::string Cpu;
  /// Single-precision denormals are flushed unless the source asks otherwise:
  /// what Clang's driver sets for processors without fast denormals.
  bool FlushDenormals = false;
};

/// Where Clang's own headers are: $CLREWRITE_RESOURCE_DIR, else the directory
/// that the build found.
std::string resourceDir();

/// True where \p Cpu, an AMD processor, runs waves of 32 lanes and of 64: RDNA.
bool hasBothWaveSizes(llvm::StringRef Cpu);

/// The lanes per wave that \p Options ask for (-mwavefrontsize64,
/// -mno-wavefrontsize64; the last counts); nullopt where none does, or \p Cpu
/// has no choice.
std::optional<unsigned> waveSizeAsked(llvm::ArrayRef<std::string> Options,
                                      llvm::StringRef Cpu);

/// A compiler instance that is ready to execute an action on \p S (whose text
/// is taken from memory), or null where the options are not understood; the
/// reason has then gone to \p Consumer.
std::unique_ptr<clang::CompilerInstance>
makeCompiler(const Source &S, const Arch &A, llvm::ArrayRef<const char *> Extra,
             clang::DiagnosticConsumer *Consumer);

} // namespace clrewrite::frontend

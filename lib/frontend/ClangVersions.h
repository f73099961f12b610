// Where the versions of Clang that clrewrite compiles with differ.
#pragma once

#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"

namespace clrewrite::frontend {

/// What a printer of diagnostics takes: before Clang 21 it has a part in the
/// ownership of \p Options, which it must not delete.
#if CLANG_VERSION_MAJOR < 21
inline clang::DiagnosticOptions *forPrinter(clang::DiagnosticOptions &Options) {
  Options.Retain();
  return &Options;
}
#else
inline clang::DiagnosticOptions &forPrinter(clang::DiagnosticOptions &Options) {
  return Options;
}
#endif

/// A compiler that tells \p Consumer what is wrong. Clang 20 made its
/// diagnostics of a file system, Clang 21 the compiler of an invocation, and
/// Clang 22 gave it the file system first.
inline std::unique_ptr<clang::CompilerInstance> newCompiler(
    std::shared_ptr<clang::CompilerInvocation> Invocation,
    [[maybe_unused]] llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files,
    clang::DiagnosticConsumer *Consumer) {
#if CLANG_VERSION_MAJOR < 21
  auto Compiler = std::make_unique<clang::CompilerInstance>();
  Compiler->setInvocation(std::move(Invocation));
#else
  auto Compiler =
      std::make_unique<clang::CompilerInstance>(std::move(Invocation));
#endif
#if CLANG_VERSION_MAJOR < 20
  Compiler->createDiagnostics(Consumer, /*ShouldOwnClient=*/false);
#elif CLANG_VERSION_MAJOR < 22
  Compiler->createDiagnostics(*Files, Consumer, /*ShouldOwnClient=*/false);
#else
  Compiler->createVirtualFileSystem(Files);
  Compiler->createDiagnostics(Consumer, /*ShouldOwnClient=*/false);
#endif
  return Compiler;
}

/// Applies what the arguments say on files and warnings, once they are read.
/// Before Clang 22 the compiler has \p Files only now; since Clang 20 the
/// options of warnings may name files.
inline void applyArguments(
    clang::CompilerInstance &Compiler,
    [[maybe_unused]] llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files) {
#if CLANG_VERSION_MAJOR < 22
  Compiler.createFileManager(Files);
#endif
#if CLANG_VERSION_MAJOR < 20
  clang::ProcessWarningOptions(Compiler.getDiagnostics(),
                               Compiler.getDiagnosticOpts());
#else
  clang::ProcessWarningOptions(Compiler.getDiagnostics(),
                               Compiler.getDiagnosticOpts(),
                               Compiler.getVirtualFileSystem());
#endif
}

} // namespace clrewrite::frontend

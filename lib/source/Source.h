// A program to compile: its text and how it is built. Every state of the
// search is one of these; an AST is never kept between states.
#pragma once

#include "source/Edit.h"
#include "llvm/Support/JSON.h"

namespace clrewrite {

struct Source {
  /// As the user gave it; used for messages and for #include "..." beside the
  /// file.
  std::string Path;
  std::string Text;
  /// Build options as clBuildProgram takes them, already split and checked
  /// (see frontend/BuildOptions.h).
  std::vector<std::string> Options;
  /// The same as the host gives them to clBuildProgram, word for word, for
  /// drivers.
  std::string DeviceOptions = {};
  /// Names and hashes of the headers that the text includes, for caches; empty
  /// before anyone has looked.
  std::string Headers = {};
};

/// \p S with \p List applied to its text.
llvm::Expected<Source> applyEdits(const Source &S, llvm::ArrayRef<Edit> List);

/// All of \p S, whatever bytes it has.
llvm::json::Value toJSON(const Source &S);
bool fromJSON(const llvm::json::Value &V, Source &S, llvm::json::Path P);

/// A 64-bit hash of text and options, for caches of one run.
uint64_t hash(const Source &S);

} // namespace clrewrite

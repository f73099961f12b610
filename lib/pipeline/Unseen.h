// Code that nobody has looked at and that may run on a device all the same.
#pragma once

#include "source/Ranges.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace clrewrite::pipeline {

/// What it is of one text.
struct Unseen {
  /// The text as it stands.
  llvm::StringRef Text;
  /// Its lines that no target's build takes.
  llvm::ArrayRef<LineRange> Skipped;
  /// As of Sight.
  llvm::ArrayRef<std::string> AssemblyInHeaders;
};

/// The same in words, one an entry: "assembly in line 3, 7-8". \p LineInFile
/// gives a line of the text as its file counts.
std::vector<std::string> inWords(
    const Unseen &U, llvm::function_ref<unsigned(unsigned)> LineInFile =
                         [](unsigned Line) { return Line; });

/// The note that \p What of \p Path runs.
std::string unseenNote(llvm::StringRef Path, llvm::StringRef What);

} // namespace clrewrite::pipeline

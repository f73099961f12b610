// Code that the front end never parsed, and that may run on a device all the
// same: assembly, and arms of #if that only the device's compiler takes.
#pragma once

#include "source/Ranges.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace clrewrite::pipeline {

/// Where such code may stand in one text.
struct Unseen {
  /// The text as it stands.
  llvm::StringRef Text;
  /// Its lines that no target's build takes.
  llvm::ArrayRef<LineRange> Skipped;
  /// As of Sight.
  llvm::ArrayRef<std::string> AssemblyInHeaders;
};

/// Describes each kind of such code with its lines: "assembly in line 3, 7-8".
/// \p LineInFile maps a line of the text to a line of its file.
std::vector<std::string> inWords(
    const Unseen &U, llvm::function_ref<unsigned(unsigned)> LineInFile =
                         [](unsigned Line) { return Line; });

/// The note for the user that \p What, as inWords describes it, of the file
/// \p Path will run.
std::string unseenNote(llvm::StringRef Path, llvm::StringRef What);

} // namespace clrewrite::pipeline

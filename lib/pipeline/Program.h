// Programs that a host puts together of several texts.
#pragma once

#include "pipeline/Unit.h"

namespace clrewrite::pipeline {

/// A text of a program. What is no unit is built with the others, but not
/// rewritten.
struct ProgramText {
  std::string Path;
  std::string Text;
  unsigned Line = 1; ///< where it starts in its file
  std::optional<Unit> Rewritten = std::nullopt;
};

/// The units of \p Texts, each between the others as the host concatenates
/// them. Their builds get the number \p Program.
std::vector<Unit> joinedUnits(std::vector<ProgramText> Texts, size_t Program);

/// The files \p Paths as one program, in that order, with one plain build that
/// looks up headers beside each of them. A file that is one or more raw string
/// literals, for C++ to include, counts as what they hold. Fails for what is no
/// file of OpenCL C, or can't be read.
llvm::Expected<std::vector<Unit>>
programUnits(llvm::ArrayRef<std::string> Paths);

} // namespace clrewrite::pipeline

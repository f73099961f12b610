// From the paths of a command line to what is rewritten.
#pragma once

#include "pipeline/Unit.h"

namespace clrewrite {

/// The text that the path "-" stands for, as that of a file called Name.
struct StdinText {
  std::string Name, Text;
};

/// The units of \p Paths, each with one plain build:
///
/// - an OpenCL C file, whole, or the raw string literals with kernels in it;
/// - the raw string literals with kernels of a C or C++ file;
/// - all of these below a folder, hidden files and folders left out, and what
///   git ignores where the folder is part of a repository.
///
/// Files of which \p Excluded is true are left out. A path that can't be read
/// gives a unit, whose run says why. \p Notes gets what is not looked into:
/// kernels in ordinary string literals, and files that are named and excluded.
/// Fails for a folder without any such file.
llvm::Expected<std::vector<Unit>>
inputUnits(llvm::ArrayRef<std::string> Paths, std::vector<std::string> &Notes,
           const std::optional<StdinText> &Stdin = std::nullopt,
           const std::function<bool(const std::string &)> &Excluded = {});

} // namespace clrewrite

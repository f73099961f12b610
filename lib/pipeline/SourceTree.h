// The texts under a folder that a host may have built programs from.
#pragma once

#include "pipeline/Unit.h"

namespace clrewrite {

/// A text and where it stands.
struct PlacedText {
  std::string Path;
  std::optional<Part> Within; ///< none: the whole file
  std::string Text;
};

/// OpenCL C files whole, and the raw string literals of C++ files, under
/// \p Root, longest first. Left out: hidden folders, \p Without, links, files
/// above 4 MiB, and texts too short to be told from others.
std::vector<PlacedText> textsUnder(llvm::StringRef Root,
                                   llvm::StringRef Without);

} // namespace clrewrite

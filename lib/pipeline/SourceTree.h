// The texts under a folder that a host may have built programs from.
#pragma once

#include "pipeline/Unit.h"

namespace clrewrite::pipeline {

/// A text and where it stands.
struct PlacedText {
  std::string Path;
  std::optional<Part> Within; ///< none: the whole file
  std::string Text;
};

/// OpenCL C files whole, and string literals of C and C++ files (raw ones, and
/// ordinary ones that stand alone), under
/// \p Root, longest first. Left out: hidden folders, \p Without and other
/// captures, links, files above 4 MiB, and texts too short to be told from
/// others.
std::vector<PlacedText> textsUnder(llvm::StringRef Root,
                                   llvm::StringRef Without);

/// A piece of a program, and where it stands in a file.
struct Piece {
  size_t Begin, End;
  const PlacedText *Place;
};

/// The longest texts of \p Known, which are sorted as textsUnder does, in
/// \p Text that don't overlap. A text that occurs twice is left to the host:
/// an edit of it would be looked at in one of its places only.
std::vector<Piece> piecesOf(llvm::StringRef Text,
                            llvm::ArrayRef<PlacedText> Known,
                            std::vector<std::string> &Notes);

} // namespace clrewrite::pipeline

// One text of several, each of which is for the compilers of some GPUs.
//
// Where a text has other lines than the one that is for all the others, both
// stand in a shelter (Shelter.h). A shelter begins and ends between two lines
// where no parenthesis is open, since a directive has no defined meaning among
// a macro's arguments.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace clrewrite {

/// What a comment says of the lines from some byte of a text on.
struct Remark {
  size_t Offset = 0;
  std::string Words;
};

/// A text for compilers that define the macro For. Of a shelter's
/// lines in it the first remark on them is told.
struct OwnText {
  std::string For;
  std::string Text;
  std::vector<Remark> Remarks = {};
};

/// \p Others, with the lines in which \p Own differ from it in shelters: each
/// macro's compilers read their own text, and all others \p Others. The
/// error says, in words that go on a sentence, why some lines can't stand in a
/// shelter. Of the lines of a function no more than four fifths are doubled, and
/// none of its head.
llvm::Expected<std::string> withArms(llvm::StringRef Others,
                                     llvm::ArrayRef<OwnText> Own);

} // namespace clrewrite

// Names of variables that an edit declares in a function.
//
// Such a name must not take another one's place, in any build: what the
// function says, or a macro writes there, must mean what it did. Other
// functions may have a variable of the same name, and a comment the word, so
// that the second kernel of a file has no `kept2` since the first has a `kept`.
#pragma once

#include "rewrite/Rewrite.h"

namespace clrewrite::rewrite {

/// Where a new variable can be named: up to the end of a block of the program,
/// where other edits may name theirs, or in a statement that is written whole.
enum class Scope { Open, Closed };

/// A name that starts with \p Stem for a variable of the function of \p S. It
/// occurs neither in the text of that function, in whatever arm of an #if, nor
/// in what macros write there, nor in a directive of a file that is read, nor
/// is it a name of the file's. (A macro may still put one together with ##.)
/// Two edits of one function that take the same name in an open scope are not
/// made at once (Alternative::Names).
std::string freshLocal(llvm::StringRef Stem, const Site &S,
                       Scope Of = Scope::Open);

/// Several such names, none of them twice.
class FreshNames {
public:
  explicit FreshNames(const Site &S, Scope Of = Scope::Open) : S(S), Of(Of) {}
  /// \p Stem itself, or with the first number from 2 on that does.
  std::string named(llvm::StringRef Stem);

private:
  const Site &S;
  Scope Of;
  std::vector<std::string> Used;
};

} // namespace clrewrite::rewrite

// Macros that a compiler may predefine and of which a text only asks whether
// they are defined: `#ifdef cl_khr_fp64`.
//
// What such a text means depends on the answers alone, so that it can be read
// once for each of them, whatever compilers there are.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace clrewrite::frontend {

/// Compilers may predefine a macro of that name: it begins with `__`, `cl_`,
/// `CL_VERSION_` or `FP_FAST_`.
bool mayBePredefined(llvm::StringRef Name);

/// Such names that some of \p Texts test by `#ifdef` and its like, or by
/// `defined`, each once and in order. None that one of them also defines,
/// undefines or has elsewhere than in tests and pragmas. None at all where one
/// includes another file, unless \p Complete says that all of these are among
/// them, or has a name that is split over lines, or spelled by escapes,
/// trigraphs or letters beyond ASCII.
std::vector<std::string> askedNames(llvm::ArrayRef<llvm::StringRef> Texts,
                                    bool Complete = false);

/// What the names of answers begin with; a text that has it asks nothing.
inline constexpr char AnswersPrefix[] = "CLREWRITE_ANSWERS_";

/// The option without which withAnswers() answers no to all.
inline constexpr char AnswersOption[] = "-DCLREWRITE_ANSWERS_YES";

/// \p Text, for a build with AnswersOption, with the tests of the names of \p
/// Answers answered so. Lines keep their numbers.
std::string withAnswers(llvm::StringRef Text,
                        const std::map<std::string, bool> &Answers);

} // namespace clrewrite::frontend

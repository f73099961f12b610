// Macros that a compiler may predefine and of which a text only asks whether
// they are defined (`#ifdef cl_khr_fp64`), or what built-in functions there are
// (`#if __has_builtin(__builtin_assume)`).
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

/// Compilers of OpenCL C may predefine a macro of that name: it begins with
/// `__`, `cl_`, `CL_VERSION_` or `FP_FAST_`, and is not `__cplusplus`.
bool mayBePredefined(llvm::StringRef Name);

/// \p Name ends with the name of the file, as `__LIB_SUMS_H__` does in
/// `sums.h`: an `#ifndef` of it there keeps the file from being read twice, and
/// no compiler predefines it.
bool isGuardOf(llvm::StringRef Path, llvm::StringRef Name);

/// What some of \p Texts and \p Headers (by their paths) ask, each once and in
/// order: such names that they test by `#ifdef` and its like, or by `defined`,
/// and queries in conditions such as `__has_builtin(__builtin_assume)`, which
/// are questions of their own beside that of their macro. None of a name that
/// one of them also has elsewhere than in these places and in OpenCL's pragmas;
/// but the query's may be defined and undefined. Guards of headers are left
/// out. None at all where a text includes a file and there are no headers (all
/// of them must be there), where it may hide macros by `push_macro`, or has a
/// name that is split over lines, or spelled by escapes, trigraphs or letters
/// beyond ASCII.
std::vector<std::string>
askedNames(llvm::ArrayRef<llvm::StringRef> Texts,
           const std::map<std::string, std::string> &Headers = {});

/// What the names of answers begin with; a text that has it asks nothing.
inline constexpr char AnswersPrefix[] = "CLREWRITE_ANSWERS_";

/// The option without which withAnswers() answers no to all.
inline constexpr char AnswersOption[] = "-DCLREWRITE_ANSWERS_YES";

/// \p Text, for a build with AnswersOption, with what it asks answered by \p
/// Answers; lines keep their numbers. A query of a macro that is not defined is
/// answered by what the text itself defines in its place.
std::string withAnswers(llvm::StringRef Text,
                        const std::map<std::string, bool> &Answers);

} // namespace clrewrite::frontend

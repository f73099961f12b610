// Parsing OpenCL C: an AST for the length of a callback, or Clang's
// diagnostics with what can be learnt from them.
#pragma once

#include "frontend/Invocation.h"
#include "frontend/Switches.h"
#include "source/SourceError.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace clrewrite::frontend {

/// A read of a variable that nothing was assigned to. LLVM deletes what
/// depends on it, up to the whole kernel.
struct UninitialisedRead {
  /// 1-based line in the main file; 0 where the read is in a header.
  unsigned Line = 0;
  /// Byte offset in the main file.
  unsigned Offset = 0;
  std::string Variable;
  /// False where only some paths lead there without a value; the place is then
  /// the condition that parts them.
  bool Always = false;
};

/// A comment of the main file that speaks to this tool: "// clrewrite: ...".
/// Comments that the preprocessor skips are none.
struct ToolComment {
  unsigned Line = 0; ///< 1-based
  unsigned End = 0;  ///< byte offset of what follows it
  /// What stands after "clrewrite:", without the comment's own marks.
  std::string Text;
  unsigned Offset = 0; ///< of Text, in bytes
};

/// What Clang said about a source.
struct Diagnosis {
  /// Clang's own text, with file, line and caret; for the user to read.
  std::string Text;
  unsigned Errors = 0;
  /// One of them is an #error directive's.
  bool RefusesItself = false;
  /// The first of them, ten at most, without their notes.
  std::vector<SourceError> First;
  /// Identifiers and types that are not declared: mostly macros that the host
  /// program defines. In order of appearance, once each.
  std::vector<std::string> UnknownNames;
  std::vector<std::string> UnknownTypes;
  /// Those of UnknownNames that are called like functions, and those that are
  /// assigned, as variables are.
  std::vector<std::string> CalledNames, AssignedNames;
  std::vector<std::string> MissingHeaders;
  /// Where there are errors: what the texts say of macros, and those without
  /// which they refuse to be compiled (Switches::demanded).
  Switches Macros;
  std::vector<std::pair<std::string, std::string>> Demanded;
  std::vector<UninitialisedRead> Uninitialised;
  /// The other files that were read, as Clang names them.
  std::vector<std::string> Headers;
  /// What in the text or in a header asks what it is compiled for, so that
  /// another compiler may see another text, and where: a macro that Clang
  /// predefines and that is expanded or tested, or one that other compilers
  /// may. The first one; empty where there is none. Only emit() looks for them.
  std::string AsksForTarget;
  /// Macros that a compiler may predefine and that the text or a header defines
  /// or undefines. Only emit() looks for them.
  std::vector<std::string> Redefined;
  /// Which of them hold assembly, and where: "a.h, line 3, 7".
  std::vector<std::string> AssemblyInHeaders;
  std::vector<ToolComment> Comments;
  /// Bytes of the main file that the preprocessor skips, from a directive to
  /// the next one of its #if; ends are exclusive.
  std::vector<std::pair<unsigned, unsigned>> Skipped;
};

/// Parses \p S and calls \p Use on the AST where there is no error. Any error
/// diagnostic counts as failure: Clang hands out an AST after a fatal one too.
/// \p Colour puts terminal colours in the diagnosis.
/// \p Use also gets the diagnosis so far, with the uninitialised reads and the
/// comments.
Diagnosis
parse(const Source &S, const Arch &A, bool Colour,
      llvm::function_ref<void(clang::ASTContext &, const Diagnosis &)> Use);

} // namespace clrewrite::frontend

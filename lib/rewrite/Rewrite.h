// What one file of rewrites/ defines. A rewrite is data: no base class, no
// registration; the build lists the files and makes the registry.
#pragma once

#include "rewrite/Candidate.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"

namespace clrewrite {

/// One match, as the conditions and the alternatives see it.
struct Site {
  clang::ASTContext &Context;
  const clang::ast_matchers::BoundNodes &Nodes;
  /// The function whose body holds the match.
  const clang::FunctionDecl &Function;

  template <typename T> const T *get(llvm::StringRef Id) const {
    return Nodes.getNodeAs<T>(Id);
  }
};

/// A legality condition. The sentence says why a site is declined where the
/// predicate does not hold; it starts in lower case and has no final period,
/// and it occurs in the `declines` section of the rewrite's test.
struct Condition {
  const char *Sentence;
  bool (*Holds)(const Site &);
};

/// A rewrite, defined in rewrites/<Stem>.cpp as
/// `const Rewrite &rewrite<Stem>()`. The match binds "site": the statement or
/// declaration whose place stands for the site. Conditions are asked in order,
/// so a later one may rely on the earlier ones.
struct Rewrite {
  /// The stem in kebab-case.
  const char *Name;
  /// One sentence; also the first line of the page, without the period.
  const char *Summary;
  /// The class of its safest alternative.
  Safety Class;
  clang::ast_matchers::internal::DynTypedMatcher Matcher;
  std::vector<Condition> Conditions;
  /// The ways to rewrite a site for which all conditions hold, the preferred
  /// one first; never empty then.
  std::vector<Alternative> (*Alternatives)(const Site &);
  /// When the search tries it: those of a later turn on the best version that
  /// the earlier turns found. Past 0, only measuring can justify an edit, so
  /// that --no-measure applies it only where it is named.
  unsigned Turn = 0;
  /// Compilers for other GPUs than AMD's see no change, so that it is not tried
  /// for those.
  bool AmdOnly = false;
  /// An alternative's edits do without each other (but for shared ones), so
  /// that the search may leave some out.
  bool Separable = false;
};

} // namespace clrewrite

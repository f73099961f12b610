// What the source of a rewrite sees: the definition that it fills in, and the
// sites that it is asked about.
#pragma once

#include "rewrite/Definition.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTTypeTraits.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include <map>
#include <memory>
#include <set>

namespace clrewrite::rewrite {

/// What a rewrite found at a node of the AST.
struct Match {
  clang::DynTypedNode Node;
  /// The statements of the match where it is not the node itself. The place of
  /// the site is where the first one begins, or the node if there is none.
  std::vector<const clang::Stmt *> Statements = {};
};

/// A SiteSearch for nodes of type T for which \p Is holds.
template <typename T, bool (*Is)(const T &, clang::ASTContext &)>
std::vector<Match> sitesOf(const clang::DynTypedNode &Node,
                           clang::ASTContext &Context) {
  const T *Here = Node.get<T>();
  if (!Here || !Is(*Here, Context))
    return {};
  return {{Node}};
}

/// The function's declaration is its definition.
bool isDefinition(const clang::FunctionDecl &F, clang::ASTContext &Context);
/// The same of a kernel.
bool isKernelDefinition(const clang::FunctionDecl &F,
                        clang::ASTContext &Context);

/// One match, as the conditions and the alternatives see it.
struct Site : Match {
  clang::ASTContext &Context;
  /// The function whose body holds the match.
  const clang::FunctionDecl &Function;
  /// How Function is launched, as far as that is known; empty where it is no
  /// kernel.
  llvm::ArrayRef<KnownLaunch> Launches = {};

  template <typename T> const T *get() const { return Node.get<T>(); }

  /// What \p Analyse says of this site. It is asked once, so that the
  /// conditions and the alternatives share one analysis.
  template <auto Analyse> const auto &once() const {
    static char Key; // Its address tells this function from others.
    std::shared_ptr<const void> &Kept = Known[&Key];
    using Value = decltype(Analyse(*this));
    if (!Kept)
      Kept = std::make_shared<const Value>(Analyse(*this));
    return *static_cast<const Value *>(Kept.get());
  }

  /// Says that \p Code breaks the condition that is asked, so that the reason
  /// names it. False, for a predicate to return.
  bool brokenBy(clang::SourceRange Code) const {
    Breaks = Code;
    return false;
  }
  bool brokenBy(const clang::Expr *Code) const {
    return brokenBy(Code ? Code->getSourceRange() : clang::SourceRange());
  }

  /// The same of a statement: its first token where it is no expression. True
  /// where it is null, and so breaks nothing.
  bool unlessBroken(const clang::Stmt *By) const {
    const auto *E = llvm::dyn_cast_or_null<clang::Expr>(By);
    return !By ||
           (E ? brokenBy(E) : brokenBy(clang::SourceRange(By->getBeginLoc())));
  }

  /// The same of code; true where there is none.
  bool unlessBroken(clang::SourceRange By) const {
    return By.isInvalid() || brokenBy(By);
  }

  /// \p Holds is true of each of the expressions \p Parts; the first one of
  /// which it is not breaks the condition.
  template <typename Range, typename Predicate>
  bool each(const Range &Parts, Predicate Holds) const {
    for (const clang::Expr *Part : Parts)
      if (!Holds(Part))
        return brokenBy(Part);
    return true;
  }
  template <typename Range, typename Predicate>
  bool none(const Range &Parts, Predicate Is) const {
    return each(Parts, [&](const clang::Expr *Part) { return !Is(Part); });
  }

  /// What brokenBy() was told.
  mutable clang::SourceRange Breaks = {};
  /// The names that its edits give to new variables in an open scope
  /// (text/FreshLocal.h).
  mutable std::set<std::string> Names = {};
  /// What once() has kept.
  mutable std::map<const void *, std::shared_ptr<const void>> Known = {};
};

} // namespace clrewrite::rewrite

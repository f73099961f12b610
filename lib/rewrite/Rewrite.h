// What one file of rewrites/ defines. A rewrite is data: no base class, no
// registration; the build lists the files and makes the registry.
#pragma once

#include "rewrite/Candidate.h"
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

/// The matches at \p Node. It is asked of every declaration and statement of
/// the program, a parent before its children.
using SiteSearch = std::vector<Match> (*)(const clang::DynTypedNode &Node,
                                          clang::ASTContext &Context);

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

/// A legality condition. The sentence says why a site is declined where the
/// predicate does not hold; it starts in lower case and has no final period,
/// and it occurs in the `declines` section of the rewrite's test. The code that
/// breaks it is named behind it, where the predicate tells Site::brokenBy.
struct Condition {
  const char *Sentence;
  bool (*Holds)(const Site &);
  /// What the user can do about it, in the imperative, to stand behind the
  /// sentence and the code; null where there is nothing to do.
  const char *Remedy = nullptr;
};

/// Remedies that conditions of several rewrites have.
inline constexpr char WriteItOut[] =
    "write the code out there, without the macro or the directive";
inline constexpr char RenameOwn[] =
    "give what the program defines another name";
inline constexpr char MoveDirective[] = "move the directive above the function";

/// Lines that a rewrite defines for the compilers of some GPUs, and on which no
/// result depends. They ask what is compiled for, so that a proof reads them as
/// other compilers do.
struct Hint {
  /// Four or more, each with its end; '@' stands for the macro's name, where it
  /// may be any.
  const char *Lines;
  /// The definition that other compilers read.
  const char *Elsewhere;
};

enum Trait : unsigned {
  /// Compilers for other GPUs than AMD's see no change, so that it is not tried
  /// for those.
  AmdOnly = 1,
  /// An alternative's edits do without each other (but for shared ones), so
  /// that the search may leave some out.
  Separable = 2,
  /// The text means the same without the lines that an alternative adds, so
  /// that some compilers may read them alone (Shelter.h).
  MayShelter = 4,
  /// Its edits hold in builds with other options, whatever the code around them
  /// means there, or its conditions see to that.
  HoldsElsewhere = 8,
  /// Each statement that its edits change means what it meant by itself, and its
  /// conditions find all statements that must change, in builds with other
  /// options, too: what stands between them does not matter.
  HoldsByStatement = 16
};

/// A rewrite, defined in rewrites/<name>/<Stem>.cpp as
/// `const Rewrite &rewrite<Stem>()`. Conditions are asked in order, so a later
/// one may rely on the earlier ones.
struct Rewrite {
  /// The stem in kebab-case.
  const char *Name;
  /// One sentence; also the first line of the page, without the period.
  const char *Summary;
  /// The class of its safest alternative.
  Safety Class;
  SiteSearch Sites;
  std::vector<Condition> Conditions;
  /// The alternatives of a site for which all conditions hold, the preferred
  /// one first; never empty then.
  std::vector<Alternative> (*Alternatives)(const Site &);
  /// In which phase the search tries the rewrite. A later phase starts from the
  /// best variant that the earlier phases found. After phase 0, only figures
  /// can justify an edit, so that --no-measure applies the rewrite only where
  /// it is named.
  unsigned Phase = 0;
  /// Of Trait.
  unsigned Traits = 0;
  /// A match for which it does not hold is no site, and is not mentioned; null
  /// where each match is one. Unlike Sites, it sees the launches.
  bool (*IsSite)(const Site &) = nullptr;
  /// What it defines in the text, and what earlier versions of it did.
  std::vector<Hint> Hints = {};

  bool is(Trait T) const { return Traits & T; }
};

} // namespace clrewrite::rewrite

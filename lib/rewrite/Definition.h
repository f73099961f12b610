// What a folder of rewrites/ defines. A rewrite is data: no base class, no
// registration; the build lists the folders and makes the registry. Clang's AST
// is named here and not included, so that whoever lists rewrites does without
// it.
#pragma once

#include "rewrite/Candidate.h"

namespace clang {
class ASTContext;
class DynTypedNode;
} // namespace clang

namespace clrewrite::rewrite {

struct Match;
struct Site;

/// The matches at \p Node. It is asked of every declaration and statement of
/// the program, a parent before its children.
using SiteSearch = std::vector<Match> (*)(const clang::DynTypedNode &Node,
                                          clang::ASTContext &Context);

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
  /// Each statement that its edits change means what it meant by itself, and
  /// its conditions find all statements that must change, in builds with other
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

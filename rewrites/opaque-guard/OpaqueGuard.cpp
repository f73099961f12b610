// opaque-guard: what follows in a function, or in an inner block, goes behind a
// condition that always holds.
//
//   float4 v = load...;                 float4 v = load...;
//   float4 s = ...;           becomes   float4 s = ...;
//   out[i] = ...;                       if (!get_local_size(0)) return;
//                                       out[i] = ...;
//
// A work-group has at least one work-item in each dimension, but compilers do
// not use that: they see a branch, and move no load before it. So a block is
// parted on any device, where schedule-cut is for AMD's compilers alone. Which
// place helps can't be told from the source: each is an alternative. There is
// one guard at a time, as the compiler would join two of one condition.
//
// In an inner block a `return` would give loops an exit that they did not have,
// so that the block's rest goes into braces there, if it is short.
#include "rewrite/Rewrite.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::opaque_guard {
namespace {

/// Each alternative is compiled, so of more places some are left out.
constexpr size_t MostPlaces = 16;

/// Lines that may go into braces, and so be indented anew. The diff of more
/// hides what was done.
constexpr size_t MostLines = 12;

/// A place for the guard: after a statement.
struct Place {
  unsigned Offset = 0;  ///< after the statement and what its line ends with
  unsigned Blanks = 0;  ///< behind it, where something else stands on its line
  bool EndsLine = true; ///< nothing does
  std::string Indent;   ///< of the statement
  /// In an inner block: the block. Null in the function's outermost one.
  const CompoundStmt *Block = nullptr;
  std::string Unit; ///< by how much its lines are indented
};

/// The line goes on behind its end.
bool isSpliced(StringRef Line) {
  return Line.ends_with("\\") || Line.ends_with("?\?/");
}

/// The places in a function's body, in the order of the text.
class Places : public DynamicRecursiveASTVisitor {
public:
  explicit Places(const Site &S)
      : Context(S.Context), SM(Context.getSourceManager()),
        Text(fileText(Context)), Body(S.Function.getBody()) {
    TraverseStmt(S.Function.getBody());
    llvm::sort(Found, [](const Place &A, const Place &B) {
      return A.Offset < B.Offset;
    });
  }
  std::vector<Place> Found;
  bool LeftLongBlocks = false;
  /// What was in the way first: where work-items may wait for each other, where
  /// a jump leads in, the statement with a directive or a macro behind it.
  const Stmt *Waits = nullptr, *Entered = nullptr, *Mixed = nullptr;

  bool VisitCompoundStmt(CompoundStmt *Block) override {
    ArrayRef<Stmt *> All(Block->body_begin(), Block->size());
    const bool Inner = Block != Body;
    // From the end on: what must not be behind a guard ends the search.
    for (size_t I = All.size(); I-- > 1;) {
      if (stops(asksOthers(All[I]), Waits) ||
          (Inner && stops(mayBeEntered(All[I]), Entered)))
        break;
      bool Rest = any_of(All.drop_front(I), [](const Stmt *S) {
        return !isIdle(S) && !isa<DeclStmt>(S);
      });
      if (!Rest || isIdle(All[I - 1]))
        continue;
      std::optional<Place> P = placeBetween(All[I - 1], All[I]);
      if (!P)
        stops(All[I - 1], Mixed);
      if (P && Inner) {
        P->Block = Block;
        P->Unit = indentUnit(*All[I - 1], Context);
        if (SM.getSpellingLineNumber(Block->getLBracLoc()) ==
            SM.getSpellingLineNumber(All[I - 1]->getBeginLoc()))
          P->Indent += P->Unit;
        if (!isPlainText({Whole.getEnd(), Block->getRBracLoc()}, Context))
          continue;
        if (isLong(*P)) {
          LeftLongBlocks = true;
          continue;
        }
      }
      if (P)
        Found.push_back(std::move(*P));
    }
    return true;
  }

  // What leaves these blocks, or is their value, is not the function's.
  bool TraverseStmtExpr(StmtExpr *) override { return true; }
  bool TraverseBlockExpr(BlockExpr *) override { return true; }

private:
  ASTContext &Context;
  const SourceManager &SM;
  StringRef Text;
  const Stmt *Body;
  SourceRange Whole; ///< of the statement that placeBetween was asked of last

  static bool stops(const Stmt *By, const Stmt *&First) {
    First = First ? First : By;
    return By;
  }

  /// The place behind \p S. None where a directive stands before \p Next: with
  /// other options it may bring an else.
  std::optional<Place> placeBetween(const Stmt *S, const Stmt *Next) {
    Whole = wholeStatement(S, Context);
    SourceLocation Then = SM.getExpansionLoc(Next->getBeginLoc());
    if (Whole.isInvalid() || !Whole.getEnd().isFileID() ||
        !SM.isInMainFile(Whole.getEnd()) || !SM.isInMainFile(Then) ||
        holdsDirective({Whole.getEnd(), Then}, Context))
      return std::nullopt;
    Place P;
    P.Offset = SM.getFileOffset(Whole.getEnd()) + 1;
    P.Indent = indentation(SM.getExpansionLoc(S->getBeginLoc()), Context);
    StringRef Line = Text.drop_front(P.Offset).split('\n').first.rtrim();
    StringRef Comment = Line.ltrim();
    P.EndsLine =
        Comment.empty() || (Comment.starts_with("//") && !isSpliced(Comment));
    if (P.EndsLine)
      P.Offset += unsigned(Line.size());
    else
      P.Blanks = unsigned(Line.size() - Comment.size());
    return P;
  }

  /// More lines than MostLines would go into braces, or some that can't be
  /// indented anew, as they go on behind their ends.
  bool isLong(const Place &P) const {
    SmallVector<StringRef> Lines;
    Text.slice(P.Offset, SM.getFileOffset(P.Block->getRBracLoc()))
        .split(Lines, '\n');
    return Lines.size() > MostLines + 1 || any_of(Lines, [](StringRef Line) {
             return isSpliced(Line.rtrim());
           });
  }
};

Places placesOf(const Site &S) { return Places(S); }

bool holdsSeveralStatements(const FunctionDecl &Node, ASTContext &) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Node.getBody());
  return Body && Node.doesThisDeclarationHaveABody() && Body->size() > 1;
}

bool bodyIsWritten(const Site &S) {
  SourceRange Body = S.Function.getBody()->getSourceRange();
  return Body.getBegin().isFileID() && Body.getEnd().isFileID();
}

bool returnsNothing(const Site &S) {
  return S.Function.getReturnType()->isVoidType() ||
         S.brokenBy(S.Function.getReturnTypeSourceRange());
}

/// With other options, too. A kernel returns nothing in any build.
bool alwaysReturnsNothing(const Site &S) {
  const FunctionDecl &F = S.Function;
  SourceRange Type = F.getReturnTypeSourceRange();
  return text(Type, S.Context) == "void" &&
         !holdsDirective({Type.getBegin(), F.getLocation()}, S.Context) &&
         (F.hasAttr<DeviceKernelAttr>() ||
          !holdsDirective({F.getLocation(), F.getBody()->getBeginLoc()},
                          S.Context));
}

/// The function that the guard asks: its result is never 0. Where the size is
/// required, compilers know that of the size.
StringRef conditionOf(const Site &S) {
  return S.Function.hasAttr<ReqdWorkGroupSizeAttr>() ? "get_num_groups"
                                                     : "get_local_size";
}

/// The guard of a function's outermost block.
std::string returningGuard(const Site &S) {
  return ("if (!" + conditionOf(S) + "(0)) return;").str();
}

bool nameIsFree(const Site &S) {
  return meansBuiltin(conditionOf(S), S.Context);
}

/// No earlier run, nor its author, put a guard there. One in a shelter for
/// other compilers is no statement here.
bool isNotGuarded(const Site &S) {
  std::optional<StringRef> Body =
      text(S.Function.getBody()->getSourceRange(), S.Context);
  return !firstIn<IfStmt>(S.Function.getBody(), [&](const IfStmt *If) {
    return emptinessAsked(*If) == conditionOf(S);
  }) && !(Body && Body->contains(returningGuard(S)));
}

/// There are places, or something else than \p By is in the way.
template <const Stmt *Places::*By> bool leavesPlaces(const Site &S) {
  const Places &All = S.once<placesOf>();
  return All.LeftLongBlocks || !All.Found.empty() || S.unlessBroken(All.*By);
}

bool hasPlaces(const Site &S) {
  const Places &All = S.once<placesOf>();
  return All.LeftLongBlocks || !All.Found.empty();
}

bool hasShortPlaces(const Site &S) { return !S.once<placesOf>().Found.empty(); }

/// Closes the braces that begin at \p P, and indents the lines between by
/// \p Unit.
Edits closing(const Place &P, StringRef Unit, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef Text = fileText(Context);
  unsigned Brace = SM.getFileOffset(P.Block->getRBracLoc());
  Edits Out;
  for (size_t At = P.Offset; (At = Text.find('\n', At)) < Brace;) {
    StringRef Line = Text.slice(++At, Brace);
    if (Line.find('\n') == StringRef::npos && Line.trim().empty()) {
      Out.push_back(Edit{unsigned(At), 0, P.Indent + "}\n"});
      return Out;
    }
    if (!Line.split('\n').first.trim().empty())
      Out.push_back(Edit{unsigned(At), 0, Unit.str()});
  }
  unsigned End = unsigned(Text.take_front(Brace).rtrim(" \t").size());
  Out.push_back(Edit{End, Brace - End,
                     "\n" + P.Indent + "}\n" +
                         indentation(P.Block->getRBracLoc(), Context)});
  return Out;
}

Alternative guardAt(const Place &P, size_t Number, const Site &S) {
  Alternative A;
  A.Label = "behind-" + std::to_string(Number);
  A.Remark = "no work-group is empty; loads stay below";
  A.Explains = true;
  const std::string &Unit = P.Unit;
  std::string Line = "\n" + P.Indent +
                     (P.Block ? ("if (" + conditionOf(S) + "(0)) {").str()
                              : returningGuard(S));
  if (!P.EndsLine)
    Line += "\n" + P.Indent + Unit;
  A.Changes = {Edit{P.Offset, P.Blanks, std::move(Line)}};
  if (P.Block)
    append_range(A.Changes, closing(P, Unit, S.Context));
  return A;
}

std::vector<Alternative> alternatives(const Site &S) {
  const std::vector<Place> &All = S.once<placesOf>().Found;
  size_t Count = std::min(All.size(), MostPlaces);
  std::vector<Alternative> Out;
  for (size_t I = 0; I < Count; ++I) {
    size_t At = Count == 1 ? 0 : I * (All.size() - 1) / (Count - 1);
    Out.push_back(guardAt(All[At], At + 1, S));
  }
  return Out;
}

} // namespace

const Rewrite &rewriteOpaqueGuard() {
  static const Rewrite R{
      "opaque-guard",
      "put the rest of a block behind a condition that always holds",
      Safety::Exact,
      sitesOf<FunctionDecl, holdsSeveralStatements>,
      {{"the function's body comes from a macro", bodyIsWritten, WriteItOut},
       {"the function returns a value", returnsNothing},
       {"the word void comes from a macro, or stands between directives",
        alwaysReturnsNothing, "write void itself"},
       {"get_local_size or get_num_groups is another function here", nameIsFree,
        RenameOwn},
       {"the function is guarded already", isNotGuarded},
       {"work-items may wait for each other behind each statement",
        leavesPlaces<&Places::Waits>},
       {"a jump leads into the statements that would be guarded",
        leavesPlaces<&Places::Entered>},
       {"a directive or a macro's end stands behind each statement",
        leavesPlaces<&Places::Mixed>,
        "move the directive or write the macro out"},
       {"nothing is computed behind the first statement", hasPlaces},
       {"more than 12 lines of an inner block would go into braces",
        hasShortPlaces}},
      alternatives,
      /*Phase=*/1,
      MayShelter};
  return R;
}

} // namespace clrewrite::rewrite::opaque_guard

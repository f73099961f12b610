// opaque-guard: the rest of a block goes behind a condition that always holds.
//
//   float4 v = load...;                 float4 v = load...;
//   float4 s = ...;           becomes   float4 s = ...;
//   out[i] = ...;                       if (get_local_size(0)) {
//                                         out[i] = ...;
//                                       }
//
// A work-group has at least one work-item in each dimension, but compilers do
// not use that: they see a branch, and move no load before it. So a block is
// parted on any device, where schedule-cut is for AMD's compilers alone. Which
// place helps can't be told from the source: each is an alternative. There is
// one guard at a time, as the compiler would join two of one condition.
#include "rewrite/Rewrite.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// Each alternative is compiled, so of more places some are left out.
constexpr size_t MostPlaces = 16;

/// A place for the guard: after a statement, up to the end of its block.
struct Place {
  unsigned Offset = 0;  ///< after the statement and what its line ends with
  unsigned Close = 0;   ///< of the block's brace, or of its line
  std::string Indent;   ///< of the statement
  bool OwnLine = false; ///< the brace starts its line
};

/// Such variables stand in the outermost block of a kernel only.
bool declaresShared(const Stmt *S) {
  const auto *D = dyn_cast<DeclStmt>(S);
  return D && any_of(D->decls(), [](const Decl *Each) {
           const auto *V = dyn_cast<VarDecl>(Each);
           return V && !V->hasLocalStorage();
         });
}

bool mayStandInGuard(const Stmt *S) {
  return !asksOthers(S) && !mayBeEntered(S) && !declaresShared(S);
}

/// The places in a function's body, in the order of the text.
class Places : public DynamicRecursiveASTVisitor {
public:
  explicit Places(const ASTContext &Context)
      : Context(Context), SM(Context.getSourceManager()) {}
  std::vector<Place> Found;

  bool VisitCompoundStmt(CompoundStmt *Block) override {
    ArrayRef<Stmt *> All(Block->body_begin(), Block->size());
    // From the end on: what must not be guarded ends the search.
    for (size_t I = All.size(); I-- > 1 && mayStandInGuard(All[I]);) {
      bool Rest = any_of(All.drop_front(I), [](const Stmt *S) {
        return !isIdle(S) && !isa<DeclStmt>(S);
      });
      if (!Rest || isIdle(All[I - 1]))
        continue;
      if (std::optional<Place> P = placeBehind(All[I - 1], *Block))
        Found.push_back(std::move(*P));
    }
    return true;
  }

private:
  const ASTContext &Context;
  const SourceManager &SM;

  std::optional<Place> placeBehind(const Stmt *S,
                                   const CompoundStmt &Block) const {
    SourceRange Whole = wholeStatement(S, Context);
    SourceLocation Brace = Block.getRBracLoc();
    // With other options a directive may take away one brace of the two.
    if (Whole.isInvalid() || !Whole.getEnd().isFileID() ||
        !isPlainText({Whole.getEnd(), Brace}, Context) ||
        !SM.isInMainFile(Brace))
      return std::nullopt;
    StringRef Text = SM.getBufferData(SM.getMainFileID());
    Place P;
    P.Offset = SM.getFileOffset(Whole.getEnd()) + 1;
    P.Close = SM.getFileOffset(Brace);
    P.Indent = indentation(SM.getExpansionLoc(S->getBeginLoc()), Context);
    StringRef Line = Text.drop_front(P.Offset).split('\n').first.rtrim();
    StringRef Comment = Line.ltrim();
    if (Comment.empty() ||
        (Comment.starts_with("//") && !Comment.ends_with("\\")))
      P.Offset += Line.size();
    StringRef Before = Text.slice(P.Offset, P.Close);
    P.OwnLine = Before.contains('\n') &&
                Before.drop_front(Before.rfind('\n') + 1).trim().empty();
    if (P.OwnLine)
      P.Close = Before.rfind('\n') + 1 + P.Offset;
    return P;
  }
};

std::vector<Place> placesOf(const Site &S) {
  Places P(S.Context);
  P.TraverseStmt(S.Function.getBody());
  llvm::sort(P.Found, [](const Place &A, const Place &B) {
    return A.Offset < B.Offset;
  });
  return std::move(P.Found);
}

bool holdsSeveralStatements(const FunctionDecl &Node, ASTContext &) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Node.getBody());
  return Body && Node.doesThisDeclarationHaveABody() && Body->size() > 1;
}

bool bodyIsWritten(const Site &S) {
  SourceRange Body = S.Function.getBody()->getSourceRange();
  return Body.getBegin().isFileID() && Body.getEnd().isFileID();
}

bool returnsNothing(const Site &S) {
  return S.Function.getReturnType()->isVoidType();
}

/// The function that the guard asks: its result is never 0. Where the size is
/// required, compilers know that of the size.
StringRef conditionOf(const Site &S) {
  return S.Function.hasAttr<ReqdWorkGroupSizeAttr>() ? "get_num_groups"
                                                     : "get_local_size";
}

class Search : public DynamicRecursiveASTVisitor {
public:
  explicit Search(StringRef Asked) : Asked(Asked) {}
  bool Guarded = false, Values = false;
  bool VisitStmtExpr(StmtExpr *) override {
    Values = true;
    return true;
  }
  bool VisitIfStmt(IfStmt *If) override {
    Guarded |= calleeName(If->getCond()) == Asked;
    return true;
  }

private:
  StringRef Asked;
};

Search searchIn(const Site &S) {
  Search Found(conditionOf(S));
  Found.TraverseStmt(S.Function.getBody());
  return Found;
}

bool nameIsFree(const Site &S) {
  return meansBuiltin(conditionOf(S), S.Context);
}

bool isNotGuarded(const Site &S) { return !searchIn(S).Guarded; }

bool blocksHaveNoValue(const Site &S) { return !searchIn(S).Values; }

bool hasPlaces(const Site &S) { return !placesOf(S).empty(); }

Alternative guardAt(const Place &P, size_t Number, StringRef Condition) {
  Alternative A;
  A.Label = "behind-" + std::to_string(Number);
  A.Changes.push_back(Edit{
      P.Offset, 0, ("\n" + P.Indent + "if (" + Condition + "(0)) {").str()});
  A.Changes.push_back(Edit{P.Close, 0, P.OwnLine ? P.Indent + "}\n" : "} "});
  return A;
}

std::vector<Alternative> alternatives(const Site &S) {
  std::vector<Place> All = placesOf(S);
  size_t Count = std::min(All.size(), MostPlaces);
  std::vector<Alternative> Out;
  for (size_t I = 0; I < Count; ++I) {
    size_t At = Count == 1 ? 0 : I * (All.size() - 1) / (Count - 1);
    Out.push_back(guardAt(All[At], At + 1, conditionOf(S)));
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
      {{"the function's body comes from a macro", bodyIsWritten},
       {"the function returns a value", returnsNothing},
       {"get_local_size or get_num_groups is another function here",
        nameIsFree},
       {"the function is guarded already", isNotGuarded},
       {"the function holds a block that is an expression", blocksHaveNoValue},
       {"behind each statement a jump leads in, work-items wait for each "
        "other, a directive stands, or nothing is computed",
        hasPlaces}},
      alternatives,
      /*Phase=*/1};
  return R;
}

} // namespace clrewrite::rewrite

// schedule-cut: fences between statements, which AMD's scheduler does not
// cross.
//
// The scheduler may move all loads of a block to its top, so that their results
// are all alive at once. `__builtin_amdgcn_sched_barrier(0)` between two
// statements keeps each instruction on its side; it is no instruction itself.
// Which fences help depends on the place, and a fence in the wrong one costs
// time: the alternatives put them after every statement of the function, and in
// parts of it.
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/Macro.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::schedule_cut {
namespace {

constexpr char Fence[] = "__builtin_amdgcn_sched_barrier";

/// Clang has the fence since LLVM 15. Compilers that were made on the way there
/// call themselves 15 too and may lack it, but none that is 16 does.
constexpr Hint Definition = {
    "// A fence for the scheduler of AMD's compilers; elsewhere nothing.\n"
    "#if !defined(__AMDGCN__) || __clang_major__ < 16\n"
    "#define __builtin_amdgcn_sched_barrier(mask) ((void)0)\n"
    "#endif\n",
    "#define __builtin_amdgcn_sched_barrier(mask) ((void)0)"};

/// What earlier versions defined, and fenced with.
constexpr Hint Earlier = {"#if defined(__AMDGCN__) && defined(__has_builtin)\n"
                          "#if __has_builtin(__builtin_amdgcn_sched_barrier)\n"
                          "#define @ __builtin_amdgcn_sched_barrier(0)\n"
                          "#endif\n"
                          "#endif\n"
                          "#ifndef @\n"
                          "#define @ ((void)0)\n"
                          "#endif\n",
                          "#define @ ((void)0)"};
constexpr char EarlierFence[] = "SCHEDULE_CUT";

/// A place for a fence: after a statement.
struct Boundary {
  unsigned Offset = 0; ///< after its semicolon or brace
  std::string Indent;
  bool Loads = false; ///< the statement reads memory
  bool InLoop = false;
  bool BeforeStore = false;
};

/// The end of \p S with its semicolon, as an offset. None in a macro.
std::optional<unsigned> endOf(const Stmt *S, const ASTContext &Context) {
  while (const Stmt *Part = lastPart(S))
    S = Part;
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation End = S->getEndLoc();
  SourceLocation After;
  if (isa<CompoundStmt, NullStmt, DeclStmt>(S))
    After = End.isMacroID() ? SourceLocation() : End.getLocWithOffset(1);
  else
    After = Lexer::findLocationAfterToken(
        End, tok::semi, SM, Context.getLangOpts(),
        /*SkipTrailingWhitespaceAndNewLine=*/false);
  if (After.isInvalid() || After.isMacroID() || !SM.isInMainFile(After))
    return std::nullopt;
  return SM.getFileOffset(After);
}

/// Nothing runs after it, or nothing was there.
bool needsNoFence(const Stmt *S) {
  while (const auto *Label = dyn_cast<SwitchCase>(S))
    S = Label->getSubStmt();
  if (const auto *A = dyn_cast<AttributedStmt>(S))
    S = A->getSubStmt(); // [[fallthrough]] must stay before its label
  return isIdle(S) || isa<GotoStmt>(S);
}

bool loads(const Stmt *S) { return firstIn<Expr>(S, readsMemory); }

bool stores(const Stmt *S) {
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return false;
  E = E->IgnoreParenImpCasts();
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return B->isAssignmentOp() && !storageOf(B->getLHS()).isPrivate();
  StringRef Name = calleeName(E);
  return Name.starts_with("vstore") || Name.starts_with("write_image");
}

/// The boundaries of a function's body, in order.
class Boundaries : public DynamicRecursiveASTVisitor {
public:
  static std::vector<Boundary> of(const Site &S) {
    Boundaries B(S.Context);
    B.TraverseStmt(S.Function.getBody());
    llvm::sort(B.Found, [](const Boundary &X, const Boundary &Y) {
      return X.Offset < Y.Offset;
    });
    return std::move(B.Found);
  }

  bool TraverseForStmt(ForStmt *S) override {
    return inLoop(S->getBody(), [&] {
      return DynamicRecursiveASTVisitor::TraverseForStmt(S);
    });
  }
  bool TraverseWhileStmt(WhileStmt *S) override {
    return inLoop(S->getBody(), [&] {
      return DynamicRecursiveASTVisitor::TraverseWhileStmt(S);
    });
  }
  bool TraverseDoStmt(DoStmt *S) override {
    return inLoop(S->getBody(), [&] {
      return DynamicRecursiveASTVisitor::TraverseDoStmt(S);
    });
  }

  bool VisitCompoundStmt(CompoundStmt *Block) override {
    if (Block->getLBracLoc().isMacroID() || Block->getRBracLoc().isMacroID())
      return true;
    const Stmt *const *End = Block->body_end();
    for (const Stmt *const *At = Block->body_begin(); At != End; ++At) {
      bool Last = At + 1 == End;
      // The end of a loop's body matters where the loop is unrolled.
      if ((Last && Block != Body) || needsNoFence(*At) ||
          elseBehindStatement(*At, *Block, Context).isValid())
        continue;
      if (std::optional<unsigned> Offset = endOf(*At, Context))
        Found.push_back({*Offset, indentOf(*At), loads(*At), Loops > 0,
                         !Last && stores(At[1])});
    }
    return true;
  }

private:
  explicit Boundaries(const ASTContext &Context) : Context(Context) {}

  const ASTContext &Context;
  std::vector<Boundary> Found;
  unsigned Loops = 0;
  const Stmt *Body = nullptr; ///< the innermost loop's

  bool inLoop(const Stmt *Inner, function_ref<bool()> Go) {
    const Stmt *Outer = std::exchange(Body, Inner);
    ++Loops;
    bool More = Go();
    --Loops;
    Body = Outer;
    return More;
  }

  std::string indentOf(const Stmt *S) const {
    const SourceManager &SM = Context.getSourceManager();
    return indentation(SM.getExpansionLoc(S->getBeginLoc()), Context);
  }
};

/// The fence goes on a line of its own where nothing but a comment follows the
/// statement on its line.
Edit fenceAt(const Boundary &B, StringRef Call, const ASTContext &Context) {
  StringRef Text = fileText(Context);
  StringRef Line = Text.drop_front(B.Offset).split('\n').first.rtrim();
  StringRef Rest = Line.ltrim();
  bool Comment = Rest.starts_with("//") && !Rest.ends_with("\\");
  bool Closed = Rest.starts_with("/*") && Rest.find("*/", 2) == Rest.size() - 2;
  if (Rest.empty() || Comment || Closed)
    return Edit{unsigned(B.Offset + Line.size()), 0,
                ("\n" + B.Indent + Call + ";").str()};
  return Edit{B.Offset, 0, (" " + Call + ";").str()};
}

bool bodyIsWritten(const Site &S) {
  SourceRange Body = S.Function.getBody()->getSourceRange();
  return Body.getBegin().isFileID() && Body.getEnd().isFileID();
}

/// The function does not tell the scheduler what to do by its own hand.
bool holdsNoFence(const Site &S) {
  StringRef Body =
      text(S.Function.getBody()->getSourceRange(), S.Context).value_or("");
  auto isFence = [](const CallExpr *Call) {
    StringRef Name = calleeName(Call);
    return Name.starts_with("__builtin_amdgcn_sched_") ||
           Name == "__builtin_amdgcn_iglp_opt";
  };
  // Parsed for another target, a macro of that name is no call.
  return !firstIn<CallExpr>(S.Function.getBody(), isFence) &&
         !Body.contains(Fence) && !Body.contains(EarlierFence);
}

bool hasBoundaries(const Site &S) { return !Boundaries::of(S).empty(); }

bool nameIsFree(const Site &S) {
  return !isOtherMacro(Fence, Definition.Lines, S.Context);
}

std::optional<Macro> fenceMacro(const Site &S) {
  return macroFor(S.Function, Fence, Definition.Lines, S.Context);
}

bool macroHasAPlace(const Site &S) { return fenceMacro(S).has_value(); }

/// Adds the alternative with fences at \p Where, if it is new.
class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), M(*fenceMacro(S)), All(Boundaries::of(S)) {}

  std::vector<Alternative> run() {
    add("all", [](size_t) { return true; });
    add("after-loads", [&](size_t I) { return All[I].Loads; });
    add("before-stores", [&](size_t I) { return All[I].BeforeStore; });
    add("in-loops", [&](size_t I) { return All[I].InLoop; });
    for (unsigned Parts : {2u, 4u})
      for (unsigned P = 0; P < Parts; ++P)
        add((Parts == 2 ? "half-" : "quarter-") + std::to_string(P + 1),
            [&](size_t I) { return I * Parts / All.size() == P; });
    return std::move(Out);
  }

private:
  const Site &S;
  Macro M;
  std::vector<Boundary> All;
  std::vector<Alternative> Out;

  void add(std::string Label, function_ref<bool(size_t)> Fenced) {
    Alternative A;
    A.Label = std::move(Label);
    A.Remark = "AMD's scheduler moves nothing over this";
    for (size_t I = 0; I < All.size(); ++I)
      if (Fenced(I))
        A.Changes.push_back(fenceAt(All[I], M.Name + "(0)", S.Context));
    if (A.Changes.empty())
      return;
    if (M.Definition)
      A.Changes.push_back(*M.Definition);
    bool Known = any_of(Out, [&](const Alternative &Each) {
      return Each.Changes == A.Changes;
    });
    if (!Known)
      Out.push_back(std::move(A));
  }
};

std::vector<Alternative> alternatives(const Site &S) { return Writer(S).run(); }

} // namespace

const Rewrite &rewriteScheduleCut() {
  static const Rewrite R{
      "schedule-cut",
      "part statements with fences for the scheduler of AMD's compilers",
      Safety::Exact,
      sitesOf<FunctionDecl, isDefinition>,
      {{"the function's body comes from a macro", bodyIsWritten, WriteItOut},
       {"the function holds fences for the scheduler already", holdsNoFence},
       {"no statement has another one behind it", hasBoundaries},
       {"the fence's name __builtin_amdgcn_sched_barrier is a macro of another "
        "meaning here",
        nameIsFree, RenameOwn},
       {NoPlaceForMacro, macroHasAPlace, MoveDirective}},
      alternatives,
      /*Phase=*/1,
      AmdOnly | Separable,
      /*IsSite=*/nullptr,
      {Definition, Earlier}};
  return R;
}

} // namespace clrewrite::rewrite::schedule_cut

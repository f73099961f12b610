// Overlapping loads are grouped by their addresses.
//
// vload16(0, p - 1), vload16(0, p) and vload16(0, p + 1) read 18 elements. Two
// addresses are compared as affine sums modulo 2^64, as MovedIndex does it:
// their common terms must have the same text, and numbers that differ must
// stand in the file's own text, since a macro may have another value with other
// build options.
//
// A statement is a step where it always runs and its only effect, an assignment
// or a call, comes last. Between the first load of a window and its last one
// there may only be steps that change private variables that the address does
// not depend on: then each load gives the same value at the first one's place
// as at its own. All the loads run, so that no byte is read that was not read
// before.
//
// A loop whose variable runs through numbers, and whose body consists of such
// steps, moves its loads through a window too: the elements that its iterations
// read are loaded before it.
#include "OverlappingLoads.h"
#include "VectorLoads.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::share_window {
namespace {

/// A statement that always runs: what it evaluates before its only effect.
struct Step {
  SmallVector<const Expr *, 4> Values;
  /// The private variable that changes.
  const VarDecl *Changed = nullptr;
  /// It writes memory, calls a function that may do so, or leaves.
  bool Acts = false;
};

std::optional<Step> quiet(Step S) {
  return all_of(S.Values, isPure) ? std::optional(std::move(S)) : std::nullopt;
}

std::optional<Step> stepOf(const Stmt *St) {
  Step S;
  auto changing = [&](const Expr *Target) {
    Storage Written = storageOf(Target);
    S.Changed = Written.isPrivate() ? Written.Variable : nullptr;
    S.Acts = !S.Changed;
    return quiet(std::move(S));
  };
  if (const auto *D = dyn_cast<DeclStmt>(St)) {
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each)) {
        if (V->getType().isVolatileQualified())
          return std::nullopt;
        if (V->getInit())
          S.Values.push_back(V->getInit());
      }
    return quiet(std::move(S));
  }
  if (const auto *R = dyn_cast<ReturnStmt>(St)) {
    if (R->getRetValue())
      S.Values.push_back(R->getRetValue());
    S.Acts = true;
    return quiet(std::move(S));
  }
  const auto *E = dyn_cast<Expr>(St);
  if (!E)
    return isa<NullStmt>(St) ? std::optional(std::move(S)) : std::nullopt;
  E = E->IgnoreParens();
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAssignmentOp()) {
    S.Values = {B->getLHS(), B->getRHS()};
    return changing(B->getLHS());
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->isIncrementDecrementOp()) {
    S.Values = {U->getSubExpr()};
    return changing(U->getSubExpr());
  }
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && !isPure(Call)) {
    S.Values.assign(Call->arg_begin(), Call->arg_end());
    S.Acts = true;
    return quiet(std::move(S));
  }
  S.Values = {E};
  return quiet(std::move(S));
}

/// The calls that are evaluated whenever \p E is, in order.
void callsIn(const Expr *E, std::vector<const CallExpr *> &Into) {
  E = E->IgnoreParenImpCasts();
  if (isa<UnaryExprOrTypeTraitExpr, ChooseExpr, GenericSelectionExpr>(E))
    return;
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    const auto *Binary = dyn_cast<BinaryConditionalOperator>(C);
    return callsIn(Binary ? Binary->getCommon() : C->getCond(), Into);
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isLogicalOp())
    return callsIn(B->getLHS(), Into);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    Into.push_back(Call);
  for (const Stmt *Child : E->children())
    if (const auto *Operand = dyn_cast_or_null<Expr>(Child))
      callsIn(Operand, Into);
}

/// Walks the runs of statements.
class Runs : public DynamicRecursiveASTVisitor {
public:
  Runs(const FunctionDecl &Function, const ASTContext &Context)
      : Context(Context), Known(vectorLoads(Function, Context)) {
    TraverseStmt(Function.getBody());
  }
  std::vector<Window> Windows;

  bool VisitCompoundStmt(CompoundStmt *Block) override {
    // A jump into the run would skip the declaration of the row.
    bool Entered = any_of(Block->body(), [](const Stmt *S) {
      return isa<SwitchCase, LabelStmt>(S);
    });
    if (!Entered)
      walk(SmallVector<const Stmt *>(Block->body()), /*InBlock=*/true);
    return true;
  }
  bool VisitIfStmt(IfStmt *S) override {
    return body(S->getThen()) && body(S->getElse());
  }
  bool VisitForStmt(ForStmt *S) override { return body(S->getBody()); }
  bool VisitWhileStmt(WhileStmt *S) override { return body(S->getBody()); }
  bool VisitDoStmt(DoStmt *S) override { return body(S->getBody()); }

private:
  const ASTContext &Context;
  std::vector<VectorLoad> Known;

  /// The loads that are part of the window of a loop.
  SmallPtrSet<const CallExpr *, 8> Taken;

  struct Member {
    const VectorLoad *Load;
    int64_t Offset; ///< from the group's first
    const Stmt *Statement;
  };
  /// Loads of one kind whose addresses differ by numbers; in a loop, that moves
  /// all of them by Step elements.
  struct Group {
    std::vector<Member> Members;
    LoopNumbers Numbers;
    int64_t Step = 0;

    int64_t moved() const { return Step * (Numbers.Last - Numbers.First); }
    bool mentionsAny(const VariableSet &Some) const {
      return any_of(Members, [&](const Member &M) {
        return clrewrite::rewrite::mentionsAny(
            M.Load->Access.Call,
            [&](const VarDecl *V) { return Some.contains(V); });
      });
    }
  };
  std::vector<Group> Open;

  bool body(const Stmt *S) {
    if (S && !isa<CompoundStmt>(S) && wholeStatement(S, Context).isValid())
      walk(S, /*InBlock=*/false);
    return true;
  }

  void walk(ArrayRef<const Stmt *> Statements, bool InBlock) {
    for (const Stmt *S : Statements) {
      if (const auto *Loop = dyn_cast<ForStmt>(S)) {
        close(InBlock, [](const Group &) { return true; });
        unroll(*Loop, InBlock);
        continue;
      }
      std::optional<Step> Next = stepOf(S);
      if (Next)
        for (const CallExpr *Call : callsOf(*Next))
          join(Call, S);
      close(InBlock, [&](const Group &G) {
        return !Next || Next->Acts ||
               (Next->Changed && G.mentionsAny({Next->Changed}));
      });
    }
    close(InBlock, [](const Group &) { return true; });
  }

  /// The windows through which \p Loop moves its loads.
  void unroll(const ForStmt &Loop, bool InBlock) {
    std::optional<LoopNumbers> N = loopNumbers(Loop, Context);
    if (!N || !N->Written || !wholeStatement(&Loop, Context).isValid() ||
        Context.Idents.get(N->Variable->getName()).hadMacroDefinition() ||
        standsBehindPragma(Loop.getBeginLoc(), Context))
      return;
    const Stmt *Body = Loop.getBody();
    SmallVector<const Stmt *> Statements{Body};
    if (const auto *Block = dyn_cast<CompoundStmt>(Body))
      Statements.assign(Block->body_begin(), Block->body_end());
    VariableSet Changed;
    for (const Stmt *S : Statements) {
      std::optional<Step> Next = stepOf(S);
      if (!Next || Next->Acts || Next->Changed == N->Variable) {
        Open.clear();
        return;
      }
      if (Next->Changed)
        Changed.insert(Next->Changed);
      if (const auto *D = dyn_cast<DeclStmt>(S))
        for (const Decl *Each : D->decls())
          if (const auto *V = dyn_cast<VarDecl>(Each))
            Changed.insert(V->getCanonicalDecl());
      for (const CallExpr *Call : callsOf(*Next))
        join(Call, &Loop, *N);
    }
    close(InBlock, [&](const Group &G) { return !G.mentionsAny(Changed); });
    Open.clear();
  }

  static std::vector<const CallExpr *> callsOf(const Step &S) {
    std::vector<const CallExpr *> Calls;
    for (const Expr *Value : S.Values)
      callsIn(Value, Calls);
    return Calls;
  }

  void join(const CallExpr *Call, const Stmt *S, LoopNumbers Numbers = {}) {
    auto F = find_if(Known, [&](const VectorLoad &L) {
      return L.Access.Call->getBeginLoc() == Call->getBeginLoc();
    });
    if (F == Known.end() || F->Obstacle != LoadObstacle::None ||
        Taken.contains(F->Access.Call) || isLate(Call, S))
      return;
    int64_t Moves = Numbers.Variable ? moves(*F, Numbers.Variable) : 0;
    if (Numbers.Variable && Moves == 0)
      return;
    for (Group &G : Open) {
      const VectorLoad &First = *G.Members.front().Load;
      std::optional<int64_t> D = F->At.above(First.At);
      if (D && sameKind(F->Access, First.Access)) {
        G.Members.push_back({&*F, *D, S});
        return;
      }
    }
    Open.push_back({{{&*F, 0, S}}, Numbers, Moves});
  }

  /// By how much the loop moves the load; 0 where it does not, or where its
  /// address can't be written without the variable.
  static int64_t moves(const VectorLoad &F, const VarDecl *V) {
    const CallExpr *Call = F.Access.Call;
    bool Replaceable = !mentions(Call->getArg(0), V) &&
                       all_of(namesOf(V, Call), [](const DeclRefExpr *Name) {
                         return Name->getBeginLoc().isFileID();
                       });
    return Replaceable ? F.At.stepOf(V).value_or(0) : 0;
  }

  /// The load names a variable that its own statement declares.
  static bool isLate(const CallExpr *Call, const Stmt *S) {
    const auto *D = dyn_cast<DeclStmt>(S);
    return D && mentionsAny(Call, [&](const VarDecl *V) {
             return is_contained(D->decls(), V);
           });
  }

  void close(bool InBlock, function_ref<bool(const Group &)> Ends) {
    for (const Group &G : Open)
      if (Ends(G))
        cut(G, InBlock);
    erase_if(Open, Ends);
  }

  /// Makes windows of a group, from the lowest address on.
  void cut(const Group &G, bool InBlock) {
    std::vector<Member> Sorted = G.Members;
    llvm::sort(Sorted, [](const Member &A, const Member &B) {
      return A.Offset < B.Offset;
    });
    int64_t Before = std::min<int64_t>(0, G.moved());
    int64_t After = std::max<int64_t>(0, G.moved());
    int64_t Lanes = Sorted.front().Load->Access.Lanes;
    for (ArrayRef<Member> Rest = Sorted; !Rest.empty();) {
      int64_t Lowest = Rest.front().Offset + Before;
      size_t Count = 0;
      while (Count < Rest.size() && Rest[Count].Offset + After - Lowest < Lanes)
        ++Count;
      if (Count && Lowest < Rest[Count - 1].Offset + After)
        add(G, Rest.front().Offset, Rest[Count - 1].Offset, InBlock);
      Rest = Rest.drop_front(std::max<size_t>(Count, 1));
    }
  }

  /// Adds the loads of \p G from the offset \p From to \p To as one window.
  void add(const Group &G, int64_t From, int64_t To, bool InBlock) {
    Window W;
    W.InBlock = InBlock;
    W.Numbers = G.Numbers;
    W.Step = G.Step;
    int64_t First = 0;
    for (const Member &M : G.Members) {
      if (M.Offset < From || M.Offset > To)
        continue;
      if (W.Loads.empty()) {
        First = M.Offset;
        W.Statement = M.Statement;
      }
      W.Loads.push_back({M.Load->Access, M.Offset - First});
    }
    W.Lowest = From - First + std::min<int64_t>(0, G.moved());
    W.Highest = To - First + std::max<int64_t>(0, G.moved());
    W.Begin = W.Statement->getBeginLoc();
    bool Starts =
        W.Begin.isFileID() ||
        (Lexer::isAtStartOfMacroExpansion(W.Begin, Context.getSourceManager(),
                                          Context.getLangOpts(), &W.Begin) &&
         W.Begin.isFileID());
    // A directive between them may leave out some of the loads.
    SourceLocation End = G.Step ? W.Statement->getEndLoc()
                                : W.Loads.back().Access.Call->getEndLoc();
    if (!Starts || !isCopyable({W.Begin, End}, Context))
      return;
    if (G.Step)
      for (const Window::Load &L : W.Loads)
        Taken.insert(L.Access.Call);
    Windows.push_back(std::move(W));
  }
};

} // namespace

std::vector<Window> windowsOf(const FunctionDecl &Function,
                              ASTContext &Context) {
  return std::move(Runs(Function, Context).Windows);
}

} // namespace clrewrite::rewrite::share_window

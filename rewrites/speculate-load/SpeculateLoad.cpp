// speculate-load: a load in a branch moves before it, from a safe place where
// the branch would not have been taken.
//
// `if (y > 0) north = t[i - w];` waits for its load before the next such if can
// issue its own. With `t[y > 0 ? i - w : i]` before a choice, all loads are on
// their way at once, at the price of registers: 1.20 times as fast in a stencil
// of four neighbours on an H200. The choice is written as ?:, since compilers
// move a load that only an if uses back into it. An element that the kernel has
// read on every path before is a safe place to read from; without one, the
// buffer's first element is, if there is one.
#include "GuardedLoads.h"
#include "rewrite/Rewrite.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Invariance.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/CodeVariation.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::speculate_load {
namespace {

bool guardsLoad(const Stmt &Node, ASTContext &Context) {
  if (!isa<IfStmt, DeclStmt, BinaryOperator>(Node))
    return false;
  DynTypedNodeList Parents = Context.getParents(Node);
  return Parents.size() == 1 && Parents[0].get<CompoundStmt>() &&
         guardedLoads(&Node, Context);
}

GuardedLoads foundAt(const Site &S) {
  return *guardedLoads(S.get<Stmt>(), S.Context);
}

bool isPlain(const Site &S) {
  const GuardedLoads &F = S.once<foundAt>();
  auto isText = [&](const Expr *E) {
    return isCopyable(E->getSourceRange(), S);
  };
  SourceRange Whole = wholeStatement(F.G.Whole, S.Context);
  SourceRange Directive = directiveIn(Whole, S.Context);
  if (Directive.isValid())
    return S.brokenBy(Directive);
  return (Whole.isValid() || S.brokenBy(F.G.Whole->getSourceRange())) &&
         isText(F.G.Condition) && isText(F.G.Value) &&
         (!F.G.Then || isText(F.G.Then->Target)) &&
         (!F.G.Else || isText(F.G.Else->Value)) &&
         all_of(F.G.Loads, [&](const ArraySubscriptExpr *A) {
           return isPlainText(A->getSourceRange(), S.Context) &&
                  isText(A->getIdx());
         });
}

bool isQuiet(const Site &S) {
  const GuardedLoads &F = S.once<foundAt>();
  const auto *B = dyn_cast<BinaryOperator>(F.G.Whole);
  auto isQuiet = [&](const Expr *E) { return isPure(E) || S.brokenBy(E); };
  return isQuiet(F.G.Condition) && isQuiet(F.G.Value) &&
         (!B || (isQuiet(B->getLHS()) && isQuiet(B->getRHS()))) &&
         (!F.G.Then || isQuiet(F.G.Then->Target)) &&
         (!F.G.Else || isQuiet(F.G.Else->Value));
}

bool isOneChoice(const Site &S) {
  const Expr *Condition = S.once<foundAt>().G.Condition;
  return Condition->getType()->isScalarType() || S.brokenBy(Condition);
}

bool assignsNumbers(const Site &S) {
  const GuardedLoads &F = S.once<foundAt>();
  QualType T = F.G.Then ? F.G.Then->Target->getType() : QualType();
  return T.isNull() || T->isArithmeticType() || T->isVectorType() ||
         S.brokenBy(F.G.Then->Target);
}

bool hasValueElse(const Site &S) {
  const GuardedLoads &F = S.once<foundAt>();
  if (!F.G.Then || F.G.Else)
    return true;
  const VarDecl *V = privateVariable(F.G.Then->Target, S.Function);
  return (V && isDefinitelyAssigned(V, F.G.Whole, S.Function, S.Context)) ||
         S.brokenBy(F.G.Then->Target);
}

/// No other work-item can have written what this one read before.
bool needsNobody(const Site &S) {
  const Stmt *Body = S.Function.getBody(),
             *Orders = asksOthers(Body, /*OrOrders=*/true);
  const Stmt &Branch = *S.once<foundAt>().G.Whole;
  // What comes behind the branch matters in a loop alone.
  if (Orders &&
      !standsBefore(Orders->getBeginLoc(), Branch.getEndLoc(), S.Context) &&
      !outermostLoop(Branch, S.Context))
    Orders = nullptr;
  return S.unlessBroken(asksOthers(Body)) && S.unlessBroken(Orders);
}

/// Of what \p Function declares only \p V, if anything, is called \p Name, so
/// that the name means one thing wherever it stands after V.
bool meansOne(StringRef Name, const VarDecl *V, const FunctionDecl &Function) {
  return !firstIn<NamedDecl>(&Function, [&](const NamedDecl *D) {
    return D->getIdentifier() && D->getName() == Name &&
           D->getCanonicalDecl() != V;
  });
}

/// Looks for an element of a buffer that every path to a statement has read.
class SafePlace {
public:
  SafePlace(const Site &S, const VarDecl *Buffer)
      : S(S), Buffer(Buffer),
        InFunction(S.Function.getBody(), S.Function, S.Context) {}

  const ArraySubscriptExpr *find(const Stmt *Before) const {
    if (!InFunction.keeps(Buffer) || mayBeEntered(S.Function.getBody()))
      return nullptr;
    DynTypedNode Node = DynTypedNode::create(*Before);
    while (true) {
      DynTypedNodeList Parents = S.Context.getParents(Node);
      if (Parents.size() != 1 || Parents[0].get<FunctionDecl>())
        return nullptr;
      const Stmt *Here = Node.get<Stmt>();
      Node = Parents[0];
      const auto *Block = Node.get<CompoundStmt>();
      if (!Block || mayBeEntered(Block))
        continue;
      for (const Stmt *Each : Block->body()) {
        if (Each == Here)
          break;
        // Another build may not read it, or mean another element by it.
        if (const ArraySubscriptExpr *Found = readIn(Each);
            Found && !variesButForNumbers(
                         {Each->getBeginLoc(), Before->getEndLoc()}, S.Context))
          return Found;
      }
    }
  }

private:
  const Site &S;
  const VarDecl *Buffer;
  Invariance InFunction;

  const ArraySubscriptExpr *readIn(const Stmt *St) const {
    SmallVector<const Expr *, 4> Values;
    if (const auto *D = dyn_cast<DeclStmt>(St)) {
      for (const Decl *Each : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Each); V && V->getInit())
          Values.push_back(V->getInit());
    } else if (const Expr *Value = valueIn(St)) {
      Values.push_back(Value);
    }
    for (const Expr *Value : Values)
      for (const Expr *E : memoryReads(Value, /*Always=*/true))
        if (const ArraySubscriptExpr *A = elementOf(E);
            A && isName(A->getBase(), Buffer) && isSteady(A->getIdx()))
          return A;
    return nullptr;
  }

  /// Means the same wherever it stands in the function after this.
  bool isSteady(const Expr *Index) const {
    std::optional<StringRef> Text = text(Index->getSourceRange(), S.Context);
    VariableSet Named;
    bool Kept = isPure(Index) && !readsMemory(Index) && Text &&
                !mentionsAny(Index, [&](const VarDecl *V) {
                  Named.insert(V->getCanonicalDecl());
                  return !InFunction.keeps(V);
                });
    return Kept && all_of(wordsIn(*Text), [&](StringRef Word) {
             auto V = find_if(Named, [&](const VarDecl *Each) {
               return Each->getName() == Word;
             });
             return meansOne(Word, V == Named.end() ? nullptr : *V, S.Function);
           });
  }
};

/// Writes the loads before the choice, and an if as a choice.
class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), F(S.once<foundAt>()),
        Indent(indentation(F.G.Whole->getBeginLoc(), S.Context)) {}

  Alternative all() {
    Alternative A;
    A.Label = "read-before";
    std::string Taken = Fresh.named("taken");
    std::string Before =
        "const bool " + Taken + " = " + arm(F.G.Condition) + ";\n" + Indent;
    SmallVector<std::string> Names, Assumed;
    for (const ArraySubscriptExpr *Load : F.G.Loads) {
      const ArraySubscriptExpr *Safe =
          SafePlace(S, namedVariable(Load->getBase())).find(F.G.Whole);
      std::string Buffer = spelled(Load->getBase(), S.Context);
      if (!Safe && !is_contained(Assumed, Buffer))
        Assumed.push_back(Buffer);
      Names.push_back(Fresh.named("loaded"));
      Before += "const " + spelledType(Load->getType(), S.Context) + " " +
                Names.back() + " = " + Buffer + "[" + Taken + " ? " +
                index(Load, Safe) + " : " + (Safe ? index(Safe, Load) : "0") +
                "];\n" + Indent;
    }
    if (!Assumed.empty())
      assume(A, Assumed);
    if (F.G.Then)
      writeIf(A, Before, Taken, Names);
    else
      writeChoice(A, Before, Taken, Names);
    return A;
  }

private:
  const Site &S;
  const GuardedLoads &F;
  std::string Indent;
  FreshNames Fresh{S};

  static void assume(Alternative &A, ArrayRef<std::string> Buffers) {
    A.Label = "first-element";
    A.Class = Safety::Assumes;
    A.Note = join(Buffers, ", ") +
             (Buffers.size() == 1 ? " points" : " each point") +
             " to an element, which no other work-item writes meanwhile";
  }

  /// The index of \p At beside that of \p Other, where not null: `?:` would
  /// convert one that is negative to another's unsigned type.
  std::string index(const ArraySubscriptExpr *At,
                    const ArraySubscriptExpr *Other) const {
    QualType T = At->getIdx()->getType();
    if (!Other || S.Context.hasSameUnqualifiedType(
                      T.getCanonicalType(),
                      Other->getIdx()->getType().getCanonicalType()))
      return arm(At->getIdx());
    return "(long)(" + spelled(At->getIdx(), S.Context) + ")";
  }

  /// As an operand of ?:.
  std::string arm(const Expr *E) const {
    std::string Text = spelled(E, S.Context);
    return bindsAsChoice(E) ? "(" + Text + ")" : Text;
  }

  void writeChoice(Alternative &A, const std::string &Before,
                   const std::string &Taken, ArrayRef<std::string> Names) {
    A.Changes = {
        insertion(F.G.Whole->getBeginLoc(), Before, S.Context),
        replacement(F.G.Condition->getSourceRange(), Taken, S.Context)};
    for (auto [Load, Name] : zip(F.G.Loads, Names))
      A.Changes.push_back(replacement(Load->getSourceRange(), Name, S.Context));
  }

  /// The value with the names for the loads.
  std::string value(ArrayRef<std::string> Names) const {
    Edits Parts;
    for (auto [Load, Name] : zip(F.G.Loads, Names))
      Parts.push_back(replacement(Load->getSourceRange(), Name, S.Context));
    return edited(text(F.G.Value->getSourceRange(), S.Context).value_or(""),
                  Parts, S.Context);
  }

  void writeIf(Alternative &A, const std::string &Before,
               const std::string &Taken, ArrayRef<std::string> Names) {
    const Assignment &Then = *F.G.Then;
    QualType T = Then.Target->getType(),
             From = F.G.Value->IgnoreImpCasts()->getType();
    std::string Target = spelled(Then.Target, S.Context), New = value(Names);
    bool Loose = !isa<ArraySubscriptExpr, DeclRefExpr, CallExpr, ParenExpr>(
        F.G.Value->IgnoreImplicit());
    if (Then.Op != BO_Assign) {
      From =
          cast<CompoundAssignOperator>(Then.Node)->getComputationResultType();
      New = Target + " " + BinaryOperator::getOpcodeStr(Then.Op).str() + " " +
            (Loose && !isProductInSum(Then.Op) ? "(" + New + ")" : New);
      Loose = true;
    }
    std::string Other = F.G.Else ? converted(F.G.Else->Value, T) : Target;
    if (!S.Context.hasSameUnqualifiedType(T, From))
      New = "(" + spelledType(T, S.Context) + ")(" + New + ")";
    else if (isa<AbstractConditionalOperator>(F.G.Value->IgnoreImplicit()) &&
             Then.Op == BO_Assign)
      New = "(" + New + ")";
    SourceRange Whole = wholeStatement(F.G.Whole, S.Context);
    SmallVector<SourceRange> Kept{F.G.Condition->getSourceRange(),
                                  F.G.Value->getSourceRange(),
                                  Then.Target->getSourceRange()};
    if (F.G.Else)
      Kept.push_back(F.G.Else->Value->getSourceRange());
    A.Changes = {replacement(Whole,
                             commentsIn(Whole, Kept, Indent, S.Context) +
                                 Before + Target + " = " + Taken + " ? " + New +
                                 " : " + Other + ";",
                             S.Context)};
  }

  /// `x += a * b` may be contracted, and `x + a * b` then, too.
  bool isProductInSum(BinaryOperatorKind Op) const {
    const auto *B = dyn_cast<BinaryOperator>(F.G.Value->IgnoreImplicit());
    return BinaryOperator::isAdditiveOp(Op) && B && B->isMultiplicativeOp();
  }

  std::string converted(const Expr *E, QualType T) const {
    if (S.Context.hasSameUnqualifiedType(T, E->IgnoreImpCasts()->getType()))
      return arm(E);
    return "(" + spelledType(T, S.Context) + ")(" + spelled(E, S.Context) + ")";
  }
};

std::vector<Alternative> alternatives(const Site &S) {
  return {Writer(S).all()};
}

} // namespace

const Rewrite &rewriteSpeculateLoad() {
  static const Rewrite R{
      "speculate-load",
      "load before a branch what only the branch reads",
      Safety::Exact,
      sitesOf<Stmt, guardsLoad>,
      {{"the condition or the load comes from a macro, or a preprocessor "
        "directive stands there",
        isPlain, WriteItOut},
       {"the condition, the target or the value has side effects or is "
        "volatile",
        isQuiet, "compute it in a statement before"},
       {"the condition is a vector, which chooses lane by lane", isOneChoice},
       {"what is assigned is neither a number nor a vector of numbers",
        assignsNumbers},
       {"where the branch is not taken, the target has no value that is known "
        "to be there",
        hasValueElse, "initialise the variable where it is declared"},
       {"work-items may wait for each other in the function, or order memory "
        "before the branch, so that another one may write what this one would "
        "now read",
        needsNobody}},
      alternatives,
      /*Phase=*/1};
  return R;
}

} // namespace clrewrite::rewrite::speculate_load

// Bounds are found by induction over the expression, and from a variable to
// what bounds it: the initialiser where nothing else assigns to it, the heads
// of the loops around its name, the guards around its name where nothing
// assigns to it.
#include "rewrite/affine/ValueRanges.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/WorkItemUse.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// Expressions that are nested deeper, through variables too, have the bounds
/// of their types.
constexpr unsigned MostDepth = 24;

Range both(Range A, Range B) {
  return {std::max(A.Lo, B.Lo), std::min(A.Hi, B.Hi)};
}

Range either(Range A, Range B) {
  return {std::min(A.Lo, B.Lo), std::max(A.Hi, B.Hi)};
}

/// What an operator gives that computes \p Exact in the type \p T: a sum that
/// is no int has no meaning, and unsigned ones wrap.
Range fitted(Range Exact, IntType T) {
  Range All = Range::of(T);
  if (T.Signed)
    return both(Exact, All);
  bool MayWrap = Exact.Hi == INT64_MAX; // which is no bound
  return Exact.within(All) && !MayWrap ? Exact : All;
}

/// What \p From is in the type \p T.
Range converted(Range From, IntType T) {
  return From.within(Range::of(T)) && From.Hi != INT64_MAX ? From
                                                           : Range::of(T);
}

/// \p E is the name of \p V, perhaps converted by an operator.
bool isValueOf(const Expr *E, const VarDecl *V) {
  return isName(E->IgnoreParenImpCasts(), V);
}

} // namespace

ValueRanges::ValueRanges(const FunctionDecl &Function, ASTContext &Context)
    : Function(Function), Context(Context), Group(requiredGroup(Function)),
      Addressed(addressTaken(Function)),
      Assigned(assignedIn(Function.getBody())) {}

Range ValueRanges::of(const Expr *E) {
  std::optional<IntType> T = intType(E->getType(), Context);
  if (!T)
    return {};
  if (Depth == MostDepth)
    return Range::of(*T);
  SaveAndRestore Deeper(Depth, Depth + 1);
  if (std::optional<int64_t> N = constant(E, Context))
    return *N < 0 && !T->Signed ? Range::of(*T) : Range{*N, *N};
  return both(computed(E->IgnoreParens()), Range::of(*T));
}

Range ValueRanges::computed(const Expr *E) {
  IntType T = *intType(E->getType(), Context);
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *From = Cast->getSubExpr();
    if (Cast->getCastKind() == CK_LValueToRValue) {
      const VarDecl *V = namedVariable(From);
      return V ? ofVariable(V, E) : Range();
    }
    return intType(From->getType(), Context) ? converted(of(From), T) : Range();
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return either(of(C->getTrueExpr()), of(C->getFalseExpr()));
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return ofCall(Call);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return ofBinary(B);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    switch (U->getOpcode()) {
    case UO_Plus:
      return of(U->getSubExpr());
    case UO_Minus:
      return fitted(combined(BO_Sub, {0, 0}, of(U->getSubExpr())), T);
    default:
      break;
    }
  return {};
}

Range ValueRanges::ofBinary(const BinaryOperator *B) {
  BinaryOperatorKind Op = B->getOpcode();
  if (Op == BO_Comma)
    return of(B->getRHS());
  if (B->isAssignmentOp() || !intType(B->getLHS()->getType(), Context) ||
      !intType(B->getRHS()->getType(), Context))
    return B->isComparisonOp() ? Range{0, 1} : Range();
  IntType T = *intType(B->getType(), Context);
  Range Left = of(B->getLHS()), Right = of(B->getRHS());
  // OpenCL C takes a distance modulo the width.
  if (B->isShiftOp() && !Right.within({0, int64_t(T.Bits) - 1}))
    Right = {0, int64_t(T.Bits) - 1};
  return fitted(combined(Op, Left, Right), T);
}

Range ValueRanges::ofCall(const CallExpr *Call) {
  StringRef Name = calleeName(Call);
  if (!isBuiltinCall(Call))
    return {};
  auto argument = [&](unsigned I) { return of(Call->getArg(I)); };
  if (Call->getNumArgs() == 1) {
    std::optional<int64_t> D = constant(Call->getArg(0), Context);
    bool Known = D && *D >= 0 && *D < int64_t(Group.size());
    int64_t Size = Known ? int64_t(Group[size_t(*D)]) : INT64_MAX;
    if (Name == "get_local_id")
      return {0, Known ? Size - 1 : Size};
    if (Name == "get_local_size") // the last work-groups may be smaller
      return {1, Size};
    return {};
  }
  if (Call->getNumArgs() == 2 && Name == "min")
    return {std::min(argument(0).Lo, argument(1).Lo),
            std::min(argument(0).Hi, argument(1).Hi)};
  if (Call->getNumArgs() == 2 && Name == "max")
    return {std::max(argument(0).Lo, argument(1).Lo),
            std::max(argument(0).Hi, argument(1).Hi)};
  if (Call->getNumArgs() == 3 && Name == "clamp")
    return {argument(1).Lo, argument(2).Hi};
  return {};
}

/// \p At is \p V's value.
Range ValueRanges::ofVariable(const VarDecl *V, const Expr *At) {
  Range Out;
  if (!V->hasLocalStorage() || V->getType().isVolatileQualified() ||
      Addressed.contains(V))
    return Out;
  bool IsConstant = !Assigned.contains(V);
  if (IsConstant && !isa<ParmVarDecl>(V) && V->getInit()) {
    auto Known = Initial.find(V);
    if (Known == Initial.end()) {
      Range First = of(V->getInit());
      Known = Initial.try_emplace(V, First).first;
    }
    Out = Known->second;
  }
  // What the guards around the name say; it holds where V is assigned to only
  // outside of them.
  Range Guarded;
  DynTypedNode Below = DynTypedNode::create(*At);
  for (auto Up = Context.getParents(Below); !Up.empty();
       Below = Up[0], Up = Context.getParents(Below)) {
    const auto *From = Below.get<Stmt>();
    if (const auto *Loop = Up[0].get<ForStmt>();
        Loop && Loop->getBody() == From) {
      std::optional<CountedLoop> Head = countedLoop(*Loop);
      if (Head && Head->Variable == V->getCanonicalDecl() &&
          Head->keepsVariable(Function))
        Out = both(Out, both(Guarded, inLoop(*Head)));
    } else if (const auto *If = Up[0].get<IfStmt>()) {
      if (If->getThen() == From)
        Guarded = both(Guarded, guarded(If->getCond(), V));
    } else if (const auto *C = Up[0].get<ConditionalOperator>()) {
      if (C->getTrueExpr() == From)
        Guarded = both(Guarded, guarded(C->getCond(), V));
    } else if (const auto *B = Up[0].get<BinaryOperator>()) {
      if (B->getOpcode() == BO_LAnd && B->getRHS() == From)
        Guarded = both(Guarded, guarded(B->getLHS(), V));
    }
  }
  return IsConstant ? both(Out, Guarded) : Out;
}

/// What the head says of its variable while the body runs.
Range ValueRanges::inLoop(const CountedLoop &Head) {
  std::optional<IntType> T = intType(Head.Variable->getType(), Context);
  if (!T)
    return {};
  const Expr *Condition = Head.Loop->getCond();
  Range Out = Condition ? guarded(Condition, Head.Variable) : Range();
  if (!Head.Start || !Head.Steps)
    return Out;
  Range First = converted(of(Head.Start), *T), All = Range::of(*T),
        By = Head.By ? of(Head.By) : Range{1, 1};
  auto *Inc = dyn_cast<BinaryOperator>(Head.Loop->getInc()->IgnoreParens());
  bool Falls = Inc && First.Lo >= 0 &&
               (Inc->getOpcode() == BO_ShrAssign ||
                (Inc->getOpcode() == BO_DivAssign && By.Lo > 0));
  if (Falls)
    return both(Out, {0, First.Hi});
  // A step that takes the variable over the end of its type may wrap.
  if (Head.Direction == 0 || By.Lo < 0)
    return Out;
  Range Next =
      combined(Head.Direction > 0 ? BO_Add : BO_Sub, both(Out, All), By);
  if (!Next.within(All))
    return Out;
  if (Head.Direction < 0)
    return both(Out, {INT64_MIN, First.Hi});
  // From one start by one step, it stops at the last that is in bounds.
  if (First.Lo == First.Hi && By.Lo == By.Hi && By.Lo > 0 && Out.Hi >= First.Lo)
    Out.Hi = First.Lo + (Out.Hi - First.Lo) / By.Lo * By.Lo;
  return both(Out, {First.Lo, INT64_MAX});
}

/// What \p V may be where \p Condition has held since it last changed.
Range ValueRanges::guarded(const Expr *Condition, const VarDecl *V) {
  const auto *B = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!B)
    return {};
  if (B->getOpcode() == BO_LAnd)
    return both(guarded(B->getLHS(), V), guarded(B->getRHS(), V));
  return B->isComparisonOp() ? compared(B, V) : Range();
}

/// What \p V may be where the comparison \p B holds.
Range ValueRanges::compared(const BinaryOperator *B, const VarDecl *V) {
  bool IsFirst = isValueOf(B->getLHS(), V);
  if (!IsFirst && !isValueOf(B->getRHS(), V))
    return {};
  const Expr *Value = IsFirst ? B->getLHS() : B->getRHS(),
             *Other = IsFirst ? B->getRHS() : B->getLHS();
  BinaryOperatorKind Op =
      IsFirst ? B->getOpcode()
              : BinaryOperator::reverseComparisonOp(B->getOpcode());
  std::optional<IntType> Own = intType(V->getType(), Context),
                         In = intType(Value->getType(), Context);
  if (!Own || !In || In->Bits < Own->Bits)
    return {};
  Range Limit = of(Other), Below{INT64_MIN, INT64_MAX};
  if (Op == BO_LT || Op == BO_LE || Op == BO_EQ)
    Below.Hi = Op == BO_LT && Limit.Hi != INT64_MAX ? Limit.Hi - 1 : Limit.Hi;
  // A negative value is a large one where it is compared without a sign.
  if (Own->Signed && !In->Signed)
    return Limit.Hi <= maxIntN(Own->Bits) && Limit.Hi != INT64_MAX &&
                   Below.Hi != INT64_MAX
               ? Range{0, Below.Hi}
               : Range();
  if (Op == BO_GT || Op == BO_GE || Op == BO_EQ)
    Below.Lo = Op == BO_GT && Limit.Lo != INT64_MIN ? Limit.Lo + 1 : Limit.Lo;
  return Below;
}

} // namespace clrewrite::rewrite

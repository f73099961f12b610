// Bounds are found by induction over the expression, and from a variable to
// what bounds it: the initialiser where nothing else assigns to it, the heads
// of the loops around its name, the guards around its name where nothing
// assigns to it.
#include "rewrite/affine/ValueRanges.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/WorkItemUse.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// Expressions that are nested deeper, through variables too, have the bounds
/// of their types.
constexpr unsigned MostDepth = 24;
/// And so have those that are asked for later than this many others.
constexpr unsigned MostSteps = 20000;

/// The type \p T has all values of \p R, on devices whose size_t has 32 bits,
/// too; there a type with a sign that is \p OfDevice is as narrow.
bool holds(IntType T, Range R, bool OfDevice = false) {
  Range All = Range::of(OfDevice && T.Signed ? IntType() : T);
  if (!T.Signed && T.Bits == 64)
    All.Hi = UINT32_MAX;
  bool IsBounded = R.Lo != INT64_MIN && R.Hi != INT64_MAX;
  return IsBounded && R.within(All);
}

/// What \p Exact is in the type \p T, in which it may wrap.
Range wrapped(Range Exact, IntType T, bool OfDevice = false) {
  return holds(T, Exact, OfDevice) ? Exact : Range::of(T);
}

/// The same of what an operator but `<<` computes: signed overflow is
/// undefined.
Range fitted(Range Exact, IntType T) {
  return T.Signed ? Exact.meet(Range::of(T)) : wrapped(Exact, T);
}

/// \p E is the name of \p V, perhaps converted by an operator.
bool isValueOf(const Expr *E, const VarDecl *V) {
  return isName(E->IgnoreParenImpCasts(), V);
}

/// It is bool, or an enumeration over it.
bool isBool(QualType T) {
  if (const auto *E = T->getAs<EnumType>())
    T = E->getDecl()->getIntegerType();
  return !T.isNull() && T->isBooleanType();
}

/// \p E combines a 64-bit value that has a sign with one of size_t: as one
/// without a sign where size_t has 64 bits, but not where it has 32.
bool hasSignOfDevice(const Expr *E, const ASTContext &Context) {
  E = E->IgnoreParens();
  auto isSigned = [&](const Expr *Operand) {
    std::optional<IntType> T =
        intType(Operand->IgnoreParenImpCasts()->getType(), Context);
    return T && T->Signed && T->Bits == 64;
  };
  bool Mixes = false;
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    Mixes = !B->isShiftOp() && (isSigned(B->getLHS()) || isSigned(B->getRHS()));
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    Mixes = isSigned(C->getTrueExpr()) || isSigned(C->getFalseExpr());
  return Mixes && mayHaveDevicesWidth(E);
}

/// Looks for what has another value on a device whose size_t has 32 bits:
/// sizes, behind the names of constants, too.
class SizeSearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitExpr(Expr *E) override {
    Found |= isa<UnaryExprOrTypeTraitExpr, OffsetOfExpr>(E) ||
             hasDevicesWidth(E->getType());
    return !Found;
  }
  bool VisitDeclRefExpr(DeclRefExpr *R) override {
    if (const auto *V = dyn_cast<VarDecl>(R->getDecl()))
      look(V->getAnyInitializer());
    const auto *C = dyn_cast<EnumConstantDecl>(R->getDecl());
    if (C && C->getInitExpr())
      look(C->getInitExpr());
    else if (C) // one more than the one before, whichever has a value
      for (const Decl *Each : C->getDeclContext()->decls())
        if (const auto *Other = dyn_cast<EnumConstantDecl>(Each))
          look(Other->getInitExpr());
    return !Found;
  }

private:
  SmallPtrSet<const Expr *, 4> Looked;
  void look(const Expr *Value) {
    if (Value && !Found && Looked.insert(Value).second)
      TraverseStmt(const_cast<Expr *>(Value));
  }
};

bool dependsOnSizes(const Expr *E) { return searched(SizeSearch(), E).Found; }

} // namespace

ValueRanges::ValueRanges(const FunctionDecl &Function, ASTContext &Context)
    : Function(Function), Context(Context), Group(requiredGroup(Function)),
      Addressed(addressTaken(Function)),
      Assigned(assignedIn(Function.getBody())) {}

Range ValueRanges::of(const Expr *E) {
  std::optional<IntType> T = intType(E->getType(), Context);
  if (!T)
    return {};
  if (Depth == MostDepth || Steps == MostSteps)
    return Range::of(*T);
  ++Steps;
  SaveAndRestore Deeper(Depth, Depth + 1);
  if (hasSignOfDevice(E, Context))
    return {};
  if (std::optional<int64_t> N = constant(E, Context)) {
    bool IsKnown = *N != INT64_MIN && *N != INT64_MAX &&
                   (*N >= 0 || T->Signed) && !dependsOnSizes(E);
    if (IsKnown)
      return {*N, *N};
  }
  Range Out = computed(E->IgnoreParens()).meet(Range::of(*T));
  bool IsEmpty = Out.Lo == INT64_MAX || Out.Hi == INT64_MIN;
  return IsEmpty ? Range::of(*T) : Out;
}

Range ValueRanges::computed(const Expr *E) {
  IntType T = *intType(E->getType(), Context);
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *From = Cast->getSubExpr();
    if (Cast->getCastKind() == CK_LValueToRValue) {
      const VarDecl *V = namedVariable(From);
      return V ? ofVariable(V, E) : Range();
    }
    if (!intType(From->getType(), Context))
      return {};
    if (Cast->getCastKind() == CK_IntegralToBoolean || isBool(E->getType()))
      return {0, 1};
    // What its type does not hold is cut off.
    return wrapped(of(From), T, hasDevicesWidth(E->getType()));
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return of(C->getTrueExpr()).join(of(C->getFalseExpr()));
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
    case UO_LNot:
      return {0, 1};
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
  bool OfDevice = B->isShiftOp() && mayHaveDevicesWidth(B->getLHS());
  int64_t Width = OfDevice ? 32 : T.Bits;
  if (B->isShiftOp() && !Right.within({0, Width - 1}))
    Right = {0, int64_t(T.Bits) - 1};
  Range Exact = combined(Op, Left, Right);
  return Op == BO_Shl ? wrapped(Exact, T, OfDevice) : fitted(Exact, T);
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
    // Where the bounds are in the wrong order, one of them.
    return argument(1).join(argument(2));
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
    const Expr *Guard = nullptr;
    if (const auto *Loop = Up[0].get<ForStmt>();
        Loop && Loop->getBody() == From) {
      std::optional<CountedLoop> Head = countedLoop(*Loop);
      if (Head && Head->Variable == V->getCanonicalDecl() &&
          Head->keepsVariable(Function) && !isEntered(*From))
        Out = Out.meet(Guarded).meet(inLoop(*Head));
    } else if (const auto *If = Up[0].get<IfStmt>()) {
      if (If->getThen() == From)
        Guard = If->getCond();
    } else if (const auto *C = Up[0].get<ConditionalOperator>()) {
      if (C->getTrueExpr() == From)
        Guard = C->getCond();
    } else if (const auto *B = Up[0].get<BinaryOperator>()) {
      if (B->getOpcode() == BO_LAnd && B->getRHS() == From &&
          B->getType()->isScalarType())
        Guard = B->getLHS();
    }
    if (Guard && !isEntered(*From))
      Guarded = Guarded.meet(guarded(Guard, V));
  }
  return IsConstant ? Out.meet(Guarded) : Out;
}

/// Code may jump into \p S, past what guards it.
bool ValueRanges::isEntered(const Stmt &S) {
  auto [Known, New] = Entered.try_emplace(&S);
  if (New)
    Known->second = mayBeEntered(&S) != nullptr;
  return Known->second;
}

/// What the head says of its variable while the body runs.
Range ValueRanges::inLoop(const CountedLoop &Head) {
  if (auto Known = Loops.find(Head.Loop); Known != Loops.end())
    return Known->second;
  Range Out = ofHead(Head);
  Loops.try_emplace(Head.Loop, Out);
  return Out;
}

Range ValueRanges::ofHead(const CountedLoop &Head) {
  std::optional<IntType> T = intType(Head.Variable->getType(), Context);
  if (!T)
    return {};
  const Expr *Condition = Head.Loop->getCond();
  Range Out = Condition ? guarded(Condition, Head.Variable) : Range();
  if (!Head.Start || !Head.Steps)
    return Out;
  Range First = wrapped(of(Head.Start), *T),
        By = Head.By ? of(Head.By) : Range{1, 1};
  auto *Inc = dyn_cast<BinaryOperator>(Head.Loop->getInc()->IgnoreParens());
  bool Falls = Inc && First.Lo >= 0 &&
               (Inc->getOpcode() == BO_ShrAssign ||
                (Inc->getOpcode() == BO_DivAssign && By.Lo > 0));
  if (Falls)
    return Out.meet({0, First.Hi});
  std::optional<BinaryOperatorKind> Op;
  if (Head.Direction != 0 && By.Lo >= 0)
    Op = Head.Direction > 0 ? BO_Add : BO_Sub;
  else if (Inc && First.Lo >= 0 && Inc->getOpcode() == BO_MulAssign &&
           By.Lo > 0)
    Op = BO_Mul;
  else if (Inc && First.Lo >= 0 && Inc->getOpcode() == BO_ShlAssign &&
           By.within({0, 31}))
    Op = BO_Shl;
  Range Now = Out.meet(Range::of(*T));
  if (Op == BO_Mul || Op == BO_Shl) // from 0 or more, upwards
    Now.Lo = std::max<int64_t>(Now.Lo, 0);
  // A step that takes the variable over the end of its type may wrap.
  if (!Op || !holds(*T, combined(*Op, Now, By)))
    return Out;
  if (Head.Direction < 0)
    return Out.meet({INT64_MIN, First.Hi});
  // From one start by one step, it stops at the last that is in bounds.
  if (Op == BO_Add && First.Lo == First.Hi && By.Lo == By.Hi && By.Lo > 0 &&
      Out.Hi >= First.Lo) {
    uint64_t Way = uint64_t(Out.Hi) - uint64_t(First.Lo);
    Out.Hi =
        int64_t(uint64_t(First.Lo) + Way / uint64_t(By.Lo) * uint64_t(By.Lo));
  }
  return Out.meet({First.Lo, INT64_MAX});
}

/// What \p V may be where \p Condition has held since it last changed.
Range ValueRanges::guarded(const Expr *Condition, const VarDecl *V) {
  const auto *B = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  // With a vector both sides are evaluated.
  if (!B || !Condition->getType()->isScalarType() ||
      !B->getType()->isScalarType())
    return {};
  if (B->getOpcode() == BO_LAnd)
    return guarded(B->getLHS(), V).meet(guarded(B->getRHS(), V));
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
  if (!Own || !In || In->Bits < Own->Bits || hasSignOfDevice(B, Context))
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

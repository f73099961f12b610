// A data-flow analysis over the whole program: for each variable, the
// parameters that it is computed from where it may become a constant.
//
// The lattice of a variable is "never a constant" below the sets of chosen
// parameters, ordered by inclusion; assignments join. A value is a constant if
// all that it is computed from may be, or where one operand may decide alone,
// as a factor of zero does. What comes from memory or from ids of work-items is
// none. Where some assignment makes a variable a constant, the conditions of
// all its assignments count: they decide whether it stays the only one. A
// literal zero of a floating-point type does not count either: whatever zero is
// multiplied with or divided by, the result is exact, and `sum = 0` would make
// every sum a possible constant.
#include "FoldedArithmetic.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/PointsTo.h"
#include "rewrite/text/Unify.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetOperations.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::specialise_arguments {
namespace {

/// None: never a constant.
using Origin = std::optional<ParameterSet>;

bool isFloating(const Expr *E) {
  return E->getType()->hasFloatingRepresentation();
}

bool isFloatingZero(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *F = dyn_cast<FloatingLiteral>(E))
    return F->getValue().isZero();
  if (const auto *I = dyn_cast<IntegerLiteral>(E))
    return I->getValue() == 0;
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return all_of(List->inits(), isFloatingZero);
  return false;
}

/// Something that a variable, or a function's result, may get.
struct Assignment {
  const Decl *To;
  const Expr *Value; ///< null for a value that changes by a constant (++)
  /// Conditions of the loops and branches that it stands in.
  std::vector<const Expr *> Under;
};

class Assignments : public DynamicRecursiveASTVisitor {
public:
  explicit Assignments(const ASTContext &Context) {
    Anything = Context.getTranslationUnitDecl();
    TraverseDecl(Context.getTranslationUnitDecl());
  }
  /// Stands for what a pointer leads to where it is not seen which variable
  /// that is: each of Pointed may hold what is assigned to it.
  const Decl *Anything = nullptr;
  VariableSet Pointed;
  std::vector<Assignment> All;
  std::vector<const Expr *> Arithmetic; ///< what may round in several ways

  bool TraverseFunctionDecl(FunctionDecl *F) override {
    Function = F->getCanonicalDecl();
    if (F->doesThisDeclarationHaveABody())
      for (const VarDecl *V : addressTaken(*F))
        Pointed.insert(V->getCanonicalDecl());
    const size_t First = All.size();
    Returns.clear();
    Gotos.clear();
    bool Go = DynamicRecursiveASTVisitor::TraverseFunctionDecl(F);
    // What stands behind a return or a goto is done where its condition does
    // not hold. A return ends all of the function, so that its own variables
    // are read by nobody behind it.
    for (Assignment &A : MutableArrayRef<Assignment>(All).drop_front(First)) {
      append_range(A.Under, Gotos);
      if (A.To == Function || A.To == Anything)
        append_range(A.Under, Returns);
    }
    return Go;
  }
  bool TraverseIfStmt(IfStmt *S) override {
    return under({S->getCond()},
                 [&] { return DynamicRecursiveASTVisitor::TraverseIfStmt(S); });
  }
  bool TraverseSwitchStmt(SwitchStmt *S) override {
    return under({S->getCond()}, [&] {
      return DynamicRecursiveASTVisitor::TraverseSwitchStmt(S);
    });
  }
  bool TraverseForStmt(ForStmt *S) override {
    return under(conditionsIn(S), [&] {
      return DynamicRecursiveASTVisitor::TraverseForStmt(S);
    });
  }
  bool TraverseWhileStmt(WhileStmt *S) override {
    return under(conditionsIn(S), [&] {
      return DynamicRecursiveASTVisitor::TraverseWhileStmt(S);
    });
  }
  bool TraverseDoStmt(DoStmt *S) override {
    return under(conditionsIn(S),
                 [&] { return DynamicRecursiveASTVisitor::TraverseDoStmt(S); });
  }

  bool TraverseConditionalOperator(ConditionalOperator *E) override {
    return under({E->getCond()}, [&] {
      return DynamicRecursiveASTVisitor::TraverseConditionalOperator(E);
    });
  }
  bool
  TraverseBinaryConditionalOperator(BinaryConditionalOperator *E) override {
    return under({E->getCond()}, [&] {
      return DynamicRecursiveASTVisitor::TraverseBinaryConditionalOperator(E);
    });
  }
  bool TraverseBinaryOperator(BinaryOperator *B) override {
    auto inside = [&] {
      return DynamicRecursiveASTVisitor::TraverseBinaryOperator(B);
    };
    return B->isLogicalOp() ? under({B->getLHS()}, inside) : inside();
  }

  bool VisitVarDecl(VarDecl *V) override {
    if (V->hasInit())
      add(V, V->getInit());
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *R) override {
    if (R->getRetValue() && Function)
      add(Function, R->getRetValue());
    append_range(Returns, Under);
    return true;
  }
  bool VisitGotoStmt(GotoStmt *) override {
    append_range(Gotos, Under);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (B->isAssignmentOp())
      addTo(B->getLHS(), B->getRHS());
    if ((B->isMultiplicativeOp() || B->getOpcode() == BO_MulAssign ||
         B->getOpcode() == BO_DivAssign) &&
        isFloating(B))
      Arithmetic.push_back(B);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      addTo(U->getSubExpr(), nullptr);
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee(), *Body = nullptr;
    if (F && F->hasBody(Body)) {
      for (unsigned I = 0; I < Body->getNumParams() && I < Call->getNumArgs();
           ++I)
        add(Body->getParamDecl(I), Call->getArg(I));
      addWritten(*Call);
      return true;
    }
    if (roundsFreely(Call))
      Arithmetic.push_back(Call);
    addWritten(*Call);
    return true;
  }

private:
  const FunctionDecl *Function = nullptr;
  std::vector<const Expr *> Under;
  /// The conditions of Function's statements of these kinds.
  std::vector<const Expr *> Returns, Gotos;

  void add(const Decl *To, const Expr *Value) {
    All.push_back({To, Value, Under});
  }
  void addTo(const Expr *LValue, const Expr *Value) {
    if (const VarDecl *V = storageOf(LValue).Variable)
      add(V, Value);
    else if (mayBeOwn(LValue->getType()))
      add(Anything, Value);
  }
  /// What lies in other memory than a work-item's own is not followed.
  static bool mayBeOwn(QualType Pointee) {
    LangAS Space = Pointee.getAddressSpace();
    return isPrivateSpace(Space) || Space == LangAS::opencl_generic;
  }

  /// A call may write what depends on its other arguments through a pointer,
  /// as sincos does.
  void addWritten(const CallExpr &Call) {
    bool AnyPointer = false;
    for (const Expr *To : Call.arguments()) {
      if (!To->getType()->isPointerType())
        continue;
      const Expr *Pointer = To->IgnoreParenCasts();
      const auto *Address = dyn_cast<UnaryOperator>(Pointer);
      const VarDecl *V = Address && Address->getOpcode() == UO_AddrOf
                             ? storageOf(Address->getSubExpr()).Variable
                         : Pointer->getType()->isArrayType()
                             ? storageOf(Pointer).Variable
                             : nullptr;
      AnyPointer |= !V && mayBeOwn(To->getType()->getPointeeType());
      if (V)
        for (const Expr *From : Call.arguments())
          add(V, From);
    }
    if (AnyPointer)
      for (const Expr *From : Call.arguments())
        add(Anything, From);
  }

  template <typename Walk>
  bool under(const std::vector<const Expr *> &Conditions, Walk Inside) {
    size_t Before = Under.size();
    append_range(Under, Conditions);
    bool Go = Inside();
    Under.resize(Before);
    return Go;
  }

  /// What decides how often \p Loop is executed: its own condition, and those
  /// of what may leave it.
  static std::vector<const Expr *> conditionsIn(Stmt *Loop) {
    std::vector<const Expr *> Out;
    for (const Stmt *S : allIn<Stmt>(Loop))
      if (const Expr *C = conditionOf(S))
        Out.push_back(C);
    return Out;
  }
};

class Origins {
public:
  Origins(const ParameterSet &Chosen, const Assignments &Program)
      : Program(Program) {
    for (const ParmVarDecl *P : Chosen) {
      ParameterSet Itself;
      Itself.insert(P);
      Known[P] = std::move(Itself);
    }
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const Assignment &A : Program.All)
        Changed |= join(A);
    }
  }

  /// Of an expression's value.
  Origin of(const Expr *E) const {
    E = E->IgnoreParens();
    if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral,
            UnaryExprOrTypeTraitExpr>(E))
      return ParameterSet{};
    if (const auto *Name = dyn_cast<DeclRefExpr>(E)) {
      if (isa<EnumConstantDecl>(Name->getDecl()))
        return ParameterSet{};
      return ofDecl(Name->getDecl());
    }
    if (const auto *Call = dyn_cast<CallExpr>(E)) {
      const FunctionDecl *F = Call->getDirectCallee(), *Body = nullptr;
      if (F && F->hasBody(Body))
        return ofDecl(F->getCanonicalDecl());
      if (!F || F->getName().starts_with("get_"))
        return std::nullopt;
      // One that selects an operand, or that gets a zero, needs no other.
      return ofAny({Call->getArgs(), Call->getNumArgs()});
    }
    if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(E)) {
      Origin Out = ofAny({Choice->getTrueExpr(), Choice->getFalseExpr()});
      if (Out)
        addDeciding(Choice->getCond(), *Out);
      return Out;
    }
    if (const auto *List = dyn_cast<InitListExpr>(E))
      return ofAny(List->inits());
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return B->isAssignmentOp() || mayAbsorb(*B)
                 ? ofAny({B->getLHS(), B->getRHS()})
             : B->isCommaOp()
                 ? of(B->getRHS())
                 : ofAll(ArrayRef<const Expr *>{B->getLHS(), B->getRHS()});
    std::vector<const Expr *> Below = operandsOf(E);
    return Below.empty() ? std::nullopt : ofAll(Below);
  }

  /// One operand may decide the result, as zero does of a product of integers,
  /// or the least unsigned number of a comparison.
  static bool mayAbsorb(const BinaryOperator &B) {
    return !isFloating(&B) && !B.isAdditiveOp() && B.getOpcode() != BO_Xor &&
           !B.isCommaOp();
  }

  /// Parameters that decide the value of \p Condition, if only in part.
  void addDeciding(const Expr *Condition, ParameterSet &Into) const {
    if (Origin O = of(Condition))
      set_union(Into, *O);
    for (const Expr *Below : operandsOf(Condition))
      addDeciding(Below, Into);
  }

private:
  const Assignments &Program;
  DenseMap<const Decl *, Origin> Known;
  /// What decides which of its assignments a variable gets.
  DenseMap<const Decl *, ParameterSet> Deciding;

  Origin knownOf(const Decl *D) const {
    auto It = Known.find(D);
    Origin Out = It == Known.end() ? std::nullopt : It->second;
    if (auto By = Deciding.find(D); Out && By != Deciding.end())
      set_union(*Out, By->second);
    return Out;
  }
  Origin ofDecl(const Decl *D) const {
    Origin Out = knownOf(D);
    const auto *V = dyn_cast<VarDecl>(D);
    if (Origin More = V && Program.Pointed.contains(V->getCanonicalDecl())
                          ? knownOf(Program.Anything)
                          : std::nullopt) {
      Out = Out.value_or(ParameterSet{});
      set_union(*Out, *More);
    }
    return Out;
  }

  template <typename Range> Origin ofAll(const Range &Parts) const {
    ParameterSet Out;
    for (const Expr *Each : Parts) {
      Origin O = of(Each);
      if (!O)
        return std::nullopt;
      set_union(Out, *O);
    }
    return Out;
  }
  Origin ofAny(ArrayRef<const Expr *> Parts) const {
    Origin Out;
    for (const Expr *Each : Parts)
      if (Origin O = of(Each)) {
        Out = Out.value_or(ParameterSet{});
        set_union(*Out, *O);
      }
    return Out;
  }

  bool join(const Assignment &A) {
    ParameterSet By;
    for (const Expr *Condition : A.Under)
      addDeciding(Condition, By);
    bool Changed = set_union(Deciding[A.To], By);
    if (A.Value && isFloating(A.Value) && isFloatingZero(A.Value))
      return Changed;
    Origin New = A.Value ? of(A.Value) : ParameterSet{};
    if (!New)
      return Changed;
    Origin &Old = Known[A.To];
    bool First = !Old;
    Old = Old.value_or(ParameterSet{});
    return set_union(*Old, *New) || First || Changed;
  }
};

/// The parameters that may make the compiler do \p E itself.
ParameterSet foldedBy(const Expr *E, const Origins &All) {
  ParameterSet Out;
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    Origin Left = All.of(B->getLHS()), Right = All.of(B->getRHS());
    bool Divides = B->getOpcode() == BO_Div || B->getOpcode() == BO_DivAssign;
    for (const Origin &O : {Left, Right})
      if (O && (Divides || (Left && Right)))
        set_union(Out, *O);
    return Out;
  }
  // A function may be cheaper, and round otherwise, where one operand is known.
  for (const Expr *Argument : cast<CallExpr>(E)->arguments())
    if (Origin O = All.of(Argument))
      set_union(Out, *O);
  return Out;
}

} // namespace

ParameterSet foldExactly(ParameterSet Chosen, const FunctionDecl &Kernel,
                         const ASTContext &Context) {
  Assignments Program(Context);
  // A value that is written through a pointer is not followed.
  for (const VarDecl *V : addressTaken(Kernel))
    if (const auto *P = dyn_cast<ParmVarDecl>(V))
      Chosen.erase(P);
  for (;;) {
    Origins All(Chosen, Program);
    ParameterSet Folded;
    for (const Expr *E : Program.Arithmetic)
      set_union(Folded, foldedBy(E, All));
    if (none_of(Folded,
                [&](const ParmVarDecl *P) { return Chosen.contains(P); }))
      return Chosen;
    set_subtract(Chosen, Folded);
  }
}

} // namespace clrewrite::rewrite::specialise_arguments

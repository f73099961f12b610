// The conditions on single expressions: purity, reads of memory, and the
// storage that an lvalue names.
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/CalledBodies.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

// Clang marks the functions that compute alone, except some that tell a
// work-item where it is.
bool hasEffects(const CallExpr *Call) {
  const FunctionDecl *F = Call->getDirectCallee();
  bool Computes = F->hasAttr<ConstAttr>() || F->hasAttr<PureAttr>() ||
                  is_contained({"get_global_linear_id", "get_local_linear_id",
                                "get_enqueued_local_size", "get_num_sub_groups",
                                "get_enqueued_num_sub_groups",
                                "get_max_sub_group_size", "get_sub_group_size",
                                "get_sub_group_id", "get_sub_group_local_id"},
                               F->getName());
  // What other lanes hold depends on which of them take part; Clang does not
  // say which of a target's own functions ask for it.
  unsigned Id = F->getBuiltinID();
  if (!Computes || F->hasAttr<ConvergentAttr>() ||
      (Id && F->getASTContext().BuiltinInfo.isTSBuiltin(Id)))
    return true;
  for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
    if (!Call->getArg(I)->getType()->isPointerType())
      continue;
    QualType T =
        I < F->getNumParams() ? F->getParamDecl(I)->getType() : QualType();
    if (T.isNull() || !T->isPointerType() ||
        !T->getPointeeType().isConstQualified())
      return true; // It may be written: fract, sincos, frexp, remquo, ...
  }
  return false;
}

bool isOrdinary(const Expr *E) {
  return isa<DeclRefExpr, IntegerLiteral, FloatingLiteral, CharacterLiteral,
             clang::StringLiteral, CXXBoolLiteralExpr, ConstantExpr, ParenExpr,
             ParenListExpr, UnaryOperator, BinaryOperator,
             AbstractConditionalOperator, OpaqueValueExpr, ArraySubscriptExpr,
             MemberExpr, ExtVectorElementExpr, CallExpr, CastExpr, InitListExpr,
             ImplicitValueInitExpr, DesignatedInitExpr, CompoundLiteralExpr,
             AsTypeExpr, ConvertVectorExpr, ShuffleVectorExpr,
             UnaryExprOrTypeTraitExpr, OffsetOfExpr, ChooseExpr,
             GenericSelectionExpr>(E);
}

namespace {

/// Looks for something that disqualifies an expression or a function body.
class Search : public DynamicRecursiveASTVisitor {
public:
  enum What { Effects, Reads };
  explicit Search(What Want, SmallPtrSetImpl<const FunctionDecl *> &Seen)
      : Want(Want), Seen(Seen) {}
  bool Found = false;

  bool VisitUnaryOperator(UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      return effect(U->getSubExpr());
    if (U->getOpcode() == UO_Deref)
      return access(U);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) override {
    return B->isAssignmentOp() ? effect(B->getLHS()) : true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *S) override {
    return access(S);
  }
  bool VisitMemberExpr(MemberExpr *M) override {
    return M->isArrow() ? access(M) : volatility(M);
  }
  bool VisitExtVectorElementExpr(ExtVectorElementExpr *X) override {
    return X->isArrow() ? access(X) : true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) override {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
        V && V->hasGlobalStorage() && Want == Reads)
      return stop();
    return volatility(D);
  }
  bool VisitExpr(Expr *E) override { return isOrdinary(E) ? true : stop(); }
  bool VisitAsmStmt(AsmStmt *) override { return stop(); }
  bool VisitGotoStmt(GotoStmt *) override {
    return Want == Effects ? stop() : true;
  }
  bool VisitIndirectGotoStmt(IndirectGotoStmt *) override { return stop(); }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F || !F->getIdentifier())
      return stop();
    if (isBuiltinCall(Call)) {
      if (Want == Effects)
        return hasEffects(Call) ? stop() : true;
      return readsByPointer(F) ? stop() : true;
    }
    const FunctionDecl *Body = nullptr;
    if (!F->hasBody(Body))
      return stop();
    // A recursive function is not valid OpenCL C; a seen one was searched.
    if (Seen.insert(Body).second) {
      Search Inner(Want, Seen);
      Inner.InFunction = true;
      Inner.TraverseStmt(Body->getBody());
      if (Inner.Found)
        return stop();
    }
    return true;
  }

private:
  What Want;
  SmallPtrSetImpl<const FunctionDecl *> &Seen;
  bool InFunction = false;

  bool stop() {
    Found = true;
    return false;
  }
  /// A write: within a called function, one to its own variable is no effect.
  bool effect(const Expr *Target) {
    if (Want != Effects)
      return true;
    if (InFunction && storageOf(Target).isPrivate())
      return true;
    return stop();
  }
  bool access(const Expr *E) { return Want == Reads ? stop() : volatility(E); }
  bool volatility(const Expr *E) {
    return E->getType().isVolatileQualified() && Want == Effects ? stop()
                                                                 : true;
  }
  static bool readsByPointer(const FunctionDecl *F) {
    for (const ParmVarDecl *P : F->parameters())
      if (P->getType()->isPointerType() || P->getType()->isImageType())
        return true;
    return false;
  }
};

} // namespace

static bool holds(const Expr *E, Search::What Want) {
  SmallPtrSet<const FunctionDecl *, 8> Seen;
  return searched(Search(Want, Seen), E).Found;
}

std::vector<const Expr *> outputsOf(const AsmStmt *A) {
  std::vector<const Expr *> Out;
  for (unsigned I = 0; I < A->getNumOutputs(); ++I)
    Out.push_back(A->getOutputExpr(I));
  return Out;
}

bool isPure(const Expr *E) { return !holds(E, Search::Effects); }

bool readsMemory(const Expr *E) { return holds(E, Search::Reads); }

namespace {

class DivisionSearch : public SearchWithCallees {
  const ASTContext &Context;

public:
  explicit DivisionSearch(const ASTContext &Context) : Context(Context) {}
  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (B->getOpcode() != BO_Div && B->getOpcode() != BO_Rem &&
        B->getOpcode() != BO_DivAssign && B->getOpcode() != BO_RemAssign)
      return true;
    if (B->getType()->hasFloatingRepresentation())
      return true;
    const auto *Literal =
        dyn_cast<IntegerLiteral>(B->getRHS()->IgnoreParenImpCasts());
    // Another build may give a macro the value 0.
    Found |=
        !Literal || Literal->getValue() == 0 || !isStableText(Literal, Context);
    return !Found;
  }
};

/// Adds the variable that the lvalue \p E is a part of. Of a form that
/// storageOf does not know, as the arms of `?:`, it adds all that \p E names.
void addVariable(const Expr *E, VariableSet &Found) {
  Storage S = storageOf(E);
  if (S.Variable)
    Found.insert(S.Variable);
  else if (const Expr *Object = S.Inputs.back();
           !Object->getType()->isPointerType())
    mentionsAny(Object, [&](const VarDecl *V) {
      Found.insert(V->getCanonicalDecl());
      return false;
    });
}

class AddressSearch : public DynamicRecursiveASTVisitor {
public:
  VariableSet Found;
  bool VisitUnaryOperator(UnaryOperator *U) override {
    return U->getOpcode() == UO_AddrOf ? add(U->getSubExpr()) : true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *S) override {
    Subscripted.insert(S->getBase()->IgnoreParens());
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *C) override {
    return C->getCastKind() == CK_ArrayToPointerDecay &&
                   !Subscripted.contains(C)
               ? add(C->getSubExpr())
               : true;
  }
  bool VisitAsmStmt(AsmStmt *A) override {
    for (const Expr *Output : outputsOf(A))
      add(Output);
    return true;
  }
  // References of C++ for OpenCL: parameters, objects of calls, variables, what
  // a lambda captures.
  bool VisitLambdaExpr(LambdaExpr *L) override {
    for (const LambdaCapture &C : L->captures())
      if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
        if (const auto *V = dyn_cast<VarDecl>(C.getCapturedVar()))
          Found.insert(V->getCanonicalDecl());
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    for (const Expr *Arg : Call->arguments())
      bind(Arg);
    const auto *OfMember = dyn_cast<CXXMemberCallExpr>(Call);
    return !OfMember || bind(OfMember->getImplicitObjectArgument());
  }
  bool VisitVarDecl(VarDecl *V) override {
    return !V->getInit() || bind(V->getInit());
  }
  bool VisitInitListExpr(InitListExpr *L) override {
    for (const Expr *Each : L->inits())
      bind(Each);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *C) override {
    for (const Expr *Each : C->arguments())
      bind(Each);
    return true;
  }

private:
  SmallPtrSet<const Expr *, 8> Subscripted;
  bool bind(const Expr *E) {
    return E->isGLValue() ? add(E->IgnoreParenCasts()) : true;
  }
  bool add(const Expr *E) {
    addVariable(E, Found);
    return true;
  }
};

} // namespace

Storage storageOf(const Expr *E) {
  Storage S;
  /// The object is what the pointer Base leads to.
  auto behind = [&](const Expr *Base) {
    S.Inputs.push_back(Base);
    return S;
  };
  while (true) {
    E = E->IgnoreParens();
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      const auto *Field = dyn_cast<FieldDecl>(M->getMemberDecl());
      S.InUnion |= Field && Field->getParent()->isUnion();
      E = M->getBase();
      if (M->isArrow())
        return behind(E);
    } else if (const auto *X = dyn_cast<ExtVectorElementExpr>(E)) {
      E = X->getBase();
      if (X->isArrow())
        return behind(E);
    } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      S.Inputs.push_back(A->getIdx());
      E = A->getBase()->IgnoreParens();
      const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
      if (Cast && Cast->getCastKind() == CK_ArrayToPointerDecay)
        E = Cast->getSubExpr();
      else if (!E->getType()->isVectorType())
        return behind(E);
    } else {
      break;
    }
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl())) {
      S.Variable = V->getCanonicalDecl();
      return S;
    }
  const auto *U = dyn_cast<UnaryOperator>(E);
  return behind(U && U->getOpcode() == UO_Deref ? U->getSubExpr() : E);
}

bool Storage::isPrivate() const {
  if (!Variable || !Variable->hasLocalStorage())
    return false;
  LangAS Space = Variable->getType().getAddressSpace();
  return Space == LangAS::Default || Space == LangAS::opencl_private;
}

const VarDecl *Storage::ownVariable() const {
  return Inputs.empty() && isPrivate() &&
                 !Variable->getType().isVolatileQualified()
             ? Variable
             : nullptr;
}

VariableSet addressTaken(const FunctionDecl &Function) {
  return searched(AddressSearch(), Function.getBody()).Found;
}

const Expr *conditionOf(const Stmt *S) {
  if (const auto *If = dyn_cast<IfStmt>(S))
    return If->getCond();
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return Switch->getCond();
  if (const auto *For = dyn_cast<ForStmt>(S))
    return For->getCond();
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return While->getCond();
  const auto *Do = dyn_cast<DoStmt>(S);
  return Do ? Do->getCond() : nullptr;
}

const VarDecl *loopVariable(const ForStmt &Loop) {
  const auto *Init = dyn_cast_or_null<DeclStmt>(Loop.getInit());
  return Init && Init->isSingleDecl() ? dyn_cast<VarDecl>(Init->getSingleDecl())
                                      : nullptr;
}

bool isIdle(const Stmt *S) {
  if (const auto *D = dyn_cast<DeclStmt>(S))
    return none_of(D->decls(), [](const Decl *Each) {
      const auto *V = dyn_cast<VarDecl>(Each);
      return V && V->hasInit();
    });
  return isa<NullStmt, ReturnStmt, BreakStmt, ContinueStmt>(S);
}

VariableSet assignedIn(const Stmt *S) {
  VariableSet Out;
  for (const Stmt *Each : allIn<Stmt>(S))
    if (const auto *B = dyn_cast<BinaryOperator>(Each)) {
      if (B->isAssignmentOp())
        addVariable(B->getLHS(), Out);
    } else if (const auto *U = dyn_cast<UnaryOperator>(Each)) {
      if (U->isIncrementDecrementOp())
        addVariable(U->getSubExpr(), Out);
    } else if (const auto *A = dyn_cast<AsmStmt>(Each)) {
      for (const Expr *Output : outputsOf(A))
        addVariable(Output, Out);
    }
  return Out;
}

bool mayDivideByZero(const Expr *E, const ASTContext &Context) {
  return searched(DivisionSearch(Context), E).Found;
}

bool mentionsAny(const Stmt *E, function_ref<bool(const VarDecl *)> Is) {
  return firstIn<DeclRefExpr>(E, [&](const DeclRefExpr *D) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V && Is(V->getCanonicalDecl());
  });
}

const VarDecl *namedVariable(const Expr *E) {
  const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *V = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  return V ? V->getCanonicalDecl() : nullptr;
}

bool isName(const Expr *E, const VarDecl *V) {
  return V && namedVariable(E) == V->getCanonicalDecl();
}

bool mentions(const Stmt *E, const VarDecl *V) {
  return mentionsAny(
      E, [&](const VarDecl *Other) { return Other == V->getCanonicalDecl(); });
}

const VarDecl *privateVariable(const Expr *E, const FunctionDecl &Function) {
  return isa<DeclRefExpr>(E->IgnoreParens()) ? privateRoot(E, Function)
                                             : nullptr;
}

// Equality: two expressions are the same where their nodes are, operand by
// operand.

/// Clang makes a new declaration of a built-in function whenever it looks one
/// up, so those are the same by name and type.
static bool sameCallee(const CallExpr *A, const CallExpr *B,
                       const ASTContext &Context) {
  const FunctionDecl *X = A->getDirectCallee(), *Y = B->getDirectCallee();
  if (!X || !Y || A->getNumArgs() != B->getNumArgs())
    return false;
  if (X->getCanonicalDecl() == Y->getCanonicalDecl())
    return true;
  return isBuiltinCall(A) && isBuiltinCall(B) &&
         X->getDeclName() == Y->getDeclName() &&
         Context.hasSameType(X->getType(), Y->getType());
}

bool sameNode(const Expr *A, const Expr *B, const ASTContext &Context) {
  if (A->getStmtClass() != B->getStmtClass())
    return false;
  if (const auto *X = dyn_cast<BinaryOperator>(A))
    return X->getOpcode() == cast<BinaryOperator>(B)->getOpcode();
  if (const auto *X = dyn_cast<UnaryOperator>(A))
    return X->getOpcode() == cast<UnaryOperator>(B)->getOpcode();
  if (const auto *X = dyn_cast<CallExpr>(A))
    return sameCallee(X, cast<CallExpr>(B), Context);
  if (const auto *X = dyn_cast<MemberExpr>(A))
    return X->getMemberDecl() == cast<MemberExpr>(B)->getMemberDecl();
  if (isa<CastExpr>(A))
    return Context.hasSameType(A->getType(), B->getType());
  return isa<ArraySubscriptExpr, ConditionalOperator, ParenExpr>(A);
}

std::vector<const Expr *> operandsOf(const Expr *E) {
  std::vector<const Expr *> Out;
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    Out.assign(Call->arg_begin(), Call->arg_end());
    return Out;
  }
  for (const Stmt *Child : E->children())
    if (const auto *Operand = dyn_cast_or_null<Expr>(Child))
      Out.push_back(Operand);
  return Out;
}

/// The macros at whose places the literals of an expression stand, one for each
/// literal; empty for one that is written out.
static std::vector<StringRef> literalOrigins(const Expr *E,
                                             const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  std::vector<StringRef> Out;
  for (const Expr *Literal : allIn<Expr>(E, [](const Expr *Each) {
         return isa<IntegerLiteral, FloatingLiteral, CharacterLiteral>(Each);
       })) {
    SourceLocation At = Literal->getBeginLoc();
    while (At.isMacroID() && SM.getImmediateMacroCallerLoc(At).isMacroID())
      At = SM.getImmediateMacroCallerLoc(At);
    Out.push_back(At.isMacroID() ? Lexer::getImmediateMacroName(
                                       At, SM, Context.getLangOpts())
                                 : "");
  }
  return Out;
}

/// Numbers that are the same here may be others in another build.
bool haveSameOrigins(const Expr *A, const Expr *B, const ASTContext &Context) {
  return literalOrigins(A, Context) == literalOrigins(B, Context);
}

bool sameExpression(const Expr *A, const Expr *B, const ASTContext &Context) {
  A = A->IgnoreParens();
  B = B->IgnoreParens();
  llvm::FoldingSetNodeID IdA, IdB;
  A->Profile(IdA, Context, /*Canonical=*/true);
  B->Profile(IdB, Context, /*Canonical=*/true);
  if (IdA == IdB)
    return haveSameOrigins(A, B, Context);
  if (!sameNode(A, B, Context))
    return false;
  std::vector<const Expr *> X = operandsOf(A), Y = operandsOf(B);
  if (X.empty() || X.size() != Y.size())
    return false;
  for (size_t I = 0; I < X.size(); ++I)
    if (!sameExpression(X[I], Y[I], Context))
      return false;
  return true;
}

// Flow: what runs before a statement, and whether a value is defined and used.

const VarDecl *privateRoot(const Expr *E, const FunctionDecl &Function) {
  const VarDecl *V = storageOf(E).ownVariable();
  return V && !addressTaken(Function).contains(V) ? V : nullptr;
}

namespace {

/// Whether a statement assigns to all of a variable whenever it runs.
class Assigns {
public:
  explicit Assigns(const VarDecl *V) : V(V) {}

  bool always(const Stmt *S) const {
    if (!S)
      return false;
    if (const auto *E = dyn_cast<Expr>(S))
      return inExpression(E->IgnoreParenImpCasts());
    if (const auto *D = dyn_cast<DeclStmt>(S))
      return any_of(D->decls(), [&](const Decl *X) {
        const auto *Other = dyn_cast<VarDecl>(X);
        return Other && Other->getInit() &&
               (Other == V || always(Other->getInit()));
      });
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      return any_of(Block->body(), [&](const Stmt *X) { return always(X); });
    if (const auto *If = dyn_cast<IfStmt>(S))
      return always(If->getThen()) && always(If->getElse());
    if (const auto *For = dyn_cast<ForStmt>(S))
      return always(For->getInit());
    return false;
  }

private:
  const VarDecl *V;

  bool inExpression(const Expr *E) const {
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B)
      return false;
    if (B->getOpcode() == BO_Comma)
      return always(B->getLHS()) || always(B->getRHS());
    if (B->getOpcode() != BO_Assign)
      return false;
    const auto *D = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens());
    return (D && D->getDecl() == V) || always(B->getRHS());
  }
};

/// A case label stands in a statement, but not the switch that it belongs to.
class CaseSearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool TraverseSwitchStmt(SwitchStmt *) override { return true; }
  bool VisitSwitchCase(SwitchCase *) override {
    Found = true;
    return false;
  }
};

/// A switch may jump into the middle of \p S.
bool isJumpedInto(const Stmt *S) { return searched(CaseSearch(), S).Found; }

} // namespace

bool isDefinitelyAssigned(const VarDecl *V, const Stmt *Before,
                          const FunctionDecl &Function, ASTContext &Context) {
  if (isa<ParmVarDecl>(V))
    return true;
  // A jump may pass over what stands before.
  if (firstIn<LabelStmt>(Function.getBody()))
    return false;
  Assigns A(V);
  DynTypedNode Node = DynTypedNode::create(*Before);
  while (true) {
    DynTypedNodeList Parents = Context.getParents(Node);
    if (Parents.empty() || Parents[0].get<FunctionDecl>())
      return false;
    const Stmt *Here = Node.get<Stmt>();
    Node = Parents[0];
    if (const auto *For = Node.get<ForStmt>(); For && Here != For->getInit() &&
                                               A.always(For->getInit()) &&
                                               !isJumpedInto(For))
      return true;
    const auto *Block = Node.get<CompoundStmt>();
    if (!Block || isJumpedInto(Block))
      continue;
    for (const Stmt *S : Block->body()) {
      if (S == Here)
        break;
      if (A.always(S))
        return true;
    }
  }
}

/// Fits 16 bits, so that a sum of two fits an int.
static bool isSmall(const Expr *E, const ASTContext &Context) {
  E = E->IgnoreParenImpCasts();
  if (const auto *L = dyn_cast<IntegerLiteral>(E))
    return L->getValue().getActiveBits() <= 15;
  return E->getType()->isIntegerType() &&
         Context.getTypeSize(E->getType()) <= 16;
}

/// The operation that \p E is, its operands aside, may be undefined.
static bool mayBeUndefinedItself(const Expr *E, const ASTContext &Context) {
  auto isSigned = [](QualType T) {
    return !T->hasFloatingRepresentation() &&
           !T->hasUnsignedIntegerRepresentation();
  };
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    QualType T = B->getType();
    if (const auto *C = dyn_cast<CompoundAssignOperator>(B)) {
      T = C->getComputationResultType();
      if (T->hasFloatingRepresentation() &&
          !B->getType()->hasFloatingRepresentation())
        return true;
    }
    if (!isSigned(T))
      return false;
    if (B->isAdditiveOp() || B->getOpcode() == BO_AddAssign ||
        B->getOpcode() == BO_SubAssign)
      return !isSmall(B->getLHS(), Context) || !isSmall(B->getRHS(), Context);
    return B->isMultiplicativeOp() || B->getOpcode() == BO_MulAssign ||
           B->getOpcode() == BO_DivAssign || B->getOpcode() == BO_RemAssign;
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return (U->isIncrementDecrementOp() || U->getOpcode() == UO_Minus) &&
           isSigned(U->getType()) && !isSmall(U->getSubExpr(), Context);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->getCastKind() == CK_FloatingToIntegral;
  const auto *Call = dyn_cast<CallExpr>(E);
  return Call && !isBuiltinCall(Call);
}

bool mayBeUndefined(const Expr *E, const ASTContext &Context) {
  return firstIn<Expr>(E,
                       [&](const Expr *Each) {
                         return mayBeUndefinedItself(Each, Context);
                       }) ||
         mayDivideByZero(E, Context);
}

namespace {

class LoopSearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee(), *Body = nullptr;
    if (F && F->hasBody(Body) && Seen.insert(Body).second) {
      const Stmt *S = Body->getBody();
      Found |=
          firstIn<ForStmt>(S) || firstIn<WhileStmt>(S) || firstIn<DoStmt>(S);
      TraverseStmt(const_cast<Stmt *>(S));
    }
    return !Found;
  }

private:
  SmallPtrSet<const FunctionDecl *, 4> Seen;
};

} // namespace

bool mayNotEnd(const Expr *E) { return searched(LoopSearch(), E).Found; }

bool isValueUnused(const Expr *E, ASTContext &Context) {
  const Stmt *Here = E;
  while (true) {
    DynTypedNodeList Parents = Context.getParents(*Here);
    const Stmt *Up = Parents.empty() ? nullptr : Parents[0].get<Stmt>();
    if (!Up)
      return false;
    if (const auto *B = dyn_cast<BinaryOperator>(Up)) {
      if (B->getOpcode() != BO_Comma)
        return false;
      if (Here == B->getLHS())
        return true;
    } else if (isa<IfStmt, ForStmt, WhileStmt, DoStmt>(Up)) {
      return Here != conditionOf(Up);
    } else if (const auto *Case = dyn_cast<CaseStmt>(Up)) {
      if (Here != Case->getSubStmt())
        return false;
    } else if (const auto *Block = dyn_cast<CompoundStmt>(Up)) {
      // The last statement of ({ ... }) is its value.
      DynTypedNodeList Above = Context.getParents(*Block);
      return Block->body_back() != Here || Above.empty() ||
             !Above[0].get<StmtExpr>();
    } else if (!isa<ParenExpr, DefaultStmt, LabelStmt>(Up)) {
      return false;
    }
    Here = Up;
  }
}

} // namespace clrewrite::rewrite

// Finding the chain, and what stands against taking it apart.
#include "rewrite/text/LoadChain.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/text/Text.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

bool containsLoad(const Stmt *S, LoadTest IsLoad) {
  if (!S)
    return false;
  if (const auto *E = dyn_cast<Expr>(S); E && IsLoad(E))
    return true;
  return any_of(S->children(),
                [&](const Stmt *Child) { return containsLoad(Child, IsLoad); });
}

bool isSharedLoad(const Expr *E) {
  if (isVload(E) ||
      (isa<CallExpr>(E) && calleeName(E).starts_with("read_image") &&
       isBuiltinCall(cast<CallExpr>(E))))
    return true;
  const auto *C = dyn_cast<ImplicitCastExpr>(E);
  if (!C || C->getCastKind() != CK_LValueToRValue)
    return false;
  const Expr *From = C->getSubExpr()->IgnoreParens();
  LangAS Space = From->getType().getAddressSpace();
  return !isa<DeclRefExpr>(From) &&
         (Space == LangAS::opencl_global || Space == LangAS::opencl_constant ||
          Space == LangAS::opencl_local);
}

static bool combines(const BinaryOperator *B) {
  return is_contained({BO_Add, BO_Sub, BO_Mul, BO_Div, BO_And, BO_Or, BO_Xor},
                      B->getOpcode());
}

static bool isConversion(const CallExpr *Call) {
  return calleeName(Call).starts_with("convert_") && isBuiltinCall(Call);
}

/// The expressions whose value \p E may hand on as it is, or with another sign:
/// compilers contract a product through these. Of a choice they take one arm
/// alone where the condition is a constant; two conversions may undo each
/// other, and a lane may be that of a vector that is put together.
static SmallVector<const Expr *, 2> handedOn(const Expr *E) {
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && (U->getOpcode() == UO_Minus || U->getOpcode() == UO_Plus))
    return {U->getSubExpr()};
  if (const auto *C = dyn_cast<ExplicitCastExpr>(E))
    return {C->getSubExpr()};
  if (const auto *A = dyn_cast<AsTypeExpr>(E))
    return {A->getSrcExpr()};
  if (const auto *L = dyn_cast<ExtVectorElementExpr>(E))
    return {L->getBase()};
  if (const auto *L = dyn_cast<CompoundLiteralExpr>(E))
    return {L->getInitializer()};
  if (const auto *L = dyn_cast<InitListExpr>(E))
    return {L->inits().begin(), L->inits().end()};
  if (const auto *Call = dyn_cast<CallExpr>(E);
      Call && isConversion(Call) && Call->getNumArgs() == 1)
    return {Call->getArg(0)};
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isCommaOp())
    return {B->getRHS()};
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E))
    return {C->getTrueExpr(), C->getFalseExpr()};
  return {};
}

bool isFloatProduct(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *B = dyn_cast<BinaryOperator>(E);
      B && B->getOpcode() == BO_Mul &&
      B->getType()->hasFloatingRepresentation())
    return true;
  return any_of(handedOn(E), isFloatProduct);
}

/// Walks down the left operands while the type stays the same. A product at
/// the start of a float sum stays with its neighbour, because compilers
/// contract `a * b + c * d` from the left: taken apart, the other product
/// would be the contracted one, and the last bit could differ.
Chain chainOf(const BinaryOperator *Root, LoadTest IsLoad,
              const ASTContext &Context) {
  Chain C;
  const Expr *At = Root;
  while (true) {
    const auto *B = dyn_cast<BinaryOperator>(At->IgnoreParens());
    if (!B || !combines(B) || !containsLoad(B->getLHS(), IsLoad) ||
        !Context.hasSameUnqualifiedType(B->getType(), Root->getType()) ||
        !Context.hasSameUnqualifiedType(B->getLHS()->getType(),
                                        Root->getType()))
      break;
    if (Root->getType()->hasFloatingRepresentation() && B->isAdditiveOp() &&
        isFloatProduct(B->getLHS()))
      break;
    C.Steps.push_back({B->getOpcode(), B->getRHS()});
    At = B->getLHS();
  }
  std::reverse(C.Steps.begin(), C.Steps.end());
  C.First = At;
  return C;
}

Place placeOf(const Expr *E, ASTContext &Context) {
  Place P;
  DynTypedNode Node = DynTypedNode::create(*E);
  while (true) {
    DynTypedNodeList Parents = Context.getParents(Node);
    if (Parents.empty())
      return P;
    DynTypedNode Up = Parents[0];
    const Stmt *Here = Node.get<Stmt>();
    if (Up.get<AbstractConditionalOperator>() ||
        Up.get<UnaryExprOrTypeTraitExpr>() || Up.get<StmtExpr>())
      P.Conditional = true;
    if (const auto *B = Up.get<BinaryOperator>(); B && B->isLogicalOp())
      P.Conditional = true;
    if (Up.get<CompoundStmt>()) {
      P.Statement = Here;
      P.InBlock = true;
      return P;
    }
    const auto *If = Up.get<IfStmt>();
    const auto *For = Up.get<ForStmt>();
    const auto *While = Up.get<WhileStmt>();
    const auto *Do = Up.get<DoStmt>();
    if (If || For || While || Do || Up.get<SwitchStmt>() ||
        Up.get<CaseStmt>() || Up.get<LabelStmt>() || Up.get<FunctionDecl>()) {
      if ((If && (Here == If->getThen() || Here == If->getElse())) ||
          (For && Here == For->getBody()) ||
          (While && Here == While->getBody()) || (Do && Here == Do->getBody()))
        P.Statement = Here;
      return P;
    }
    Node = Up;
  }
}

bool isWholeChain(const BinaryOperator &Node, LoadTest IsLoad,
                  ASTContext &Context) {
  if (!combines(&Node))
    return false;
  // The outermost operator of a chain stands for all of it.
  DynTypedNode Up = DynTypedNode::create(Node);
  do {
    DynTypedNodeList Parents = Context.getParents(Up);
    if (Parents.empty())
      return false;
    Up = Parents[0];
  } while (Up.get<ParenExpr>() || Up.get<ImplicitCastExpr>());
  if (const auto *B = Up.get<BinaryOperator>(); B && combines(B)) {
    if (!containsLoad(B->getLHS(), IsLoad) ||
        !containsLoad(B->getRHS(), IsLoad))
      return false; // B's chain holds this one, or B adds nothing to load.
    if (B->getLHS()->IgnoreParenImpCasts() == &Node)
      return false;
  }
  return containsLoad(Node.getLHS(), IsLoad) &&
         (containsLoad(Node.getRHS(), IsLoad) ||
          any_of(chainOf(&Node, IsLoad, Context).Steps,
                 [&](const ChainStep &S) {
                   return containsLoad(S.Term, IsLoad);
                 }));
}

static const BinaryOperator &rootOf(const Site &S) {
  return *S.get<BinaryOperator>();
}

bool chainIsText(const Site &S, LoadTest IsLoad) {
  Place P = placeOf(&rootOf(S), S.Context);
  auto plain = [&](const Stmt *E) {
    return isPlainText(E->getSourceRange(), S);
  };
  auto isText = [&](const Expr *E) {
    return text(E->getSourceRange(), S.Context) || S.brokenBy(E);
  };
  // A term may be a part of a macro's expansion although the ends of the
  // whole are not.
  Chain C = chainOf(&rootOf(S), IsLoad, S.Context);
  return plain(&rootOf(S)) && (!P.Statement || plain(P.Statement)) &&
         isText(C.First) &&
         all_of(C.Steps, [&](const ChainStep &St) { return isText(St.Term); });
}

bool chainAlwaysRuns(const Site &S) {
  Place P = placeOf(&rootOf(S), S.Context);
  return (P.Statement && !P.Conditional) || S.brokenBy(&rootOf(S));
}

bool chainIsPure(const Site &S) {
  return isPure(&rootOf(S)) || S.brokenBy(&rootOf(S));
}

bool restOfStatementIsPure(const Site &S) {
  const Stmt *Statement = placeOf(&rootOf(S), S.Context).Statement;
  auto pure = [&](const Expr *E) { return isPure(E) || S.brokenBy(E); };
  if (const auto *D = dyn_cast<DeclStmt>(Statement)) {
    const auto *V = dyn_cast<VarDecl>(*D->decl_begin());
    // A later declarator may use an earlier one.
    if (!D->isSingleDecl())
      return S.brokenBy((*std::next(D->decl_begin()))->getLocation());
    return V && V->getInit() && pure(V->getInit());
  }
  const Expr *E = dyn_cast<Expr>(Statement);
  if (const auto *R = dyn_cast<ReturnStmt>(Statement))
    return R->getRetValue() && pure(R->getRetValue());
  if (!E)
    return S.unlessBroken(Statement);
  E = E->IgnoreParenImpCasts();
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAssignmentOp())
    return pure(B->getLHS()) && pure(B->getRHS());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return all_of(Call->arguments(), pure);
  return S.brokenBy(E);
}

bool feedsASum(const Expr *Value, ASTContext &Context) {
  DynTypedNode Node = DynTypedNode::create(*Value);
  while (true) {
    DynTypedNodeList Parents = Context.getParents(Node);
    if (Parents.empty())
      return false;
    Node = Parents[0];
    const auto *E = Node.get<Expr>();
    if (const auto *B = dyn_cast_or_null<BinaryOperator>(E);
        B && !B->isCommaOp())
      return B->getType()->hasFloatingRepresentation() &&
             (B->isAdditiveOp() || B->getOpcode() == BO_AddAssign ||
              B->getOpcode() == BO_SubAssign);
    const auto *Call = dyn_cast_or_null<CallExpr>(E);
    if (!E || isa<ArraySubscriptExpr>(E) || (Call && !isConversion(Call)))
      return false;
  }
}

bool chainMayBeTakenApart(const Site &S, LoadTest IsLoad) {
  return (!chainOf(&rootOf(S), IsLoad, S.Context).Steps.empty() &&
          !(isFloatProduct(&rootOf(S)) && feedsASum(&rootOf(S), S.Context))) ||
         S.brokenBy(&rootOf(S));
}

} // namespace clrewrite::rewrite

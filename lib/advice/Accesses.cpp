// Accesses are gathered from subscripts, dereferences and vector loads and
// stores.
#include "advice/Accesses.h"
#include "advice/Strides.h"
#include "rewrite/affine/CountedLoop.h"
#include "rewrite/ast/Builtins.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace clrewrite::advice {

namespace {

class Gatherer : public DynamicRecursiveASTVisitor {
public:
  Gatherer(LangAS Space, ASTContext &Context)
      : Space(Space), Context(Context) {}
  std::vector<Access> Found;

  bool TraverseStmt(Stmt *S) override {
    if (!S)
      return true;
    Around.push_back(S);
    bool Go = DynamicRecursiveASTVisitor::TraverseStmt(S);
    Around.pop_back();
    return Go;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *A) override {
    note(A);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) override {
    if (U->getOpcode() == UO_Deref)
      note(U);
    return true;
  }
  /// What sizeof asks about is not evaluated.
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool VisitCallExpr(CallExpr *C) override {
    llvm::StringRef Name = rewrite::calleeName(C);
    bool Stores = Name.consume_front("vstore");
    unsigned Lanes = 0;
    if ((!Stores && !Name.consume_front("vload")) ||
        Name.getAsInteger(10, Lanes) || !rewrite::isBuiltinCall(C))
      return true;
    unsigned First = Stores ? 1 : 0;
    if (C->getNumArgs() != First + 2)
      return true;
    const Expr *Pointer = C->getArg(First + 1);
    QualType To = Pointer->getType()->getPointeeType();
    if (To.isNull() || !isInSpace(To))
      return true;
    Access A;
    A.At = C;
    A.Offset = C->getArg(First);
    A.Pointer = Pointer;
    A.ElementBytes = Context.getTypeSizeInChars(To).getQuantity();
    A.Bytes = A.ElementBytes * Lanes;
    A.Writes = Stores;
    add(std::move(A));
    return true;
  }

private:
  LangAS Space;
  ASTContext &Context;
  std::vector<const Stmt *> Around;

  /// Through a pointer that has lost its address space on the way, too.
  bool isInSpace(QualType T) const { return T.getAddressSpace() == Space; }

  void note(const Expr *E) {
    QualType T = E->getType();
    if (!isInSpace(T) || T->isArrayType() || T->isStructureType() ||
        T->isUnionType() || T->isIncompleteType())
      return;
    Access A;
    A.At = E;
    A.Bytes = A.ElementBytes = Context.getTypeSizeInChars(T).getQuantity();
    A.Writes = isWritten(E);
    A.OfAddress = hasAddressTaken(E);
    add(std::move(A));
  }

  /// What \p E, or a component of it, is an operand of; null where there is
  /// nothing.
  const Stmt *userOf(const Expr *E) const {
    for (const Stmt *S : llvm::reverse(Around))
      if (S != E && !isa<ParenExpr, ExtVectorElementExpr>(S))
        return S;
    return nullptr;
  }

  bool hasAddressTaken(const Expr *E) const {
    const auto *U = dyn_cast_or_null<UnaryOperator>(userOf(E));
    return U && U->getOpcode() == UO_AddrOf;
  }

  bool isWritten(const Expr *E) const {
    const Stmt *User = userOf(E);
    if (const auto *B = dyn_cast_or_null<BinaryOperator>(User))
      return B->isAssignmentOp() && isWithin(E, B->getLHS()->IgnoreParens());
    const auto *U = dyn_cast_or_null<UnaryOperator>(User);
    return U && (U->isIncrementDecrementOp() || U->getOpcode() == UO_AddrOf);
  }
  static bool isWithin(const Expr *E, const Expr *Place) {
    while (const auto *V = dyn_cast<ExtVectorElementExpr>(Place))
      Place = V->getBase()->IgnoreParens();
    return Place == E;
  }

  void add(Access A) {
    A.Around = Around;
    Found.push_back(std::move(A));
  }
};

} // namespace

std::vector<Access> accessesOf(const FunctionDecl &F, LangAS Space,
                               ASTContext &Context) {
  Gatherer G(Space, Context);
  G.TraverseStmt(F.getBody());
  return std::move(G.Found);
}

const VarDecl *variableOf(const Stmt *Loop) {
  const auto *For = dyn_cast<ForStmt>(Loop);
  std::optional<rewrite::CountedLoop> L =
      For ? rewrite::countedLoop(*For) : std::nullopt;
  return L ? L->Variable : nullptr;
}

std::string bufferOf(const Access &A, const ASTContext &Context) {
  const Expr *E = A.Pointer ? A.Pointer : A.At;
  while (true) {
    E = E->IgnoreParenCasts();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
      E = S->getBase();
    else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf))
      E = U->getSubExpr();
    else if (const auto *B = dyn_cast<BinaryOperator>(E);
             B && B->isAdditiveOp())
      E = B->getLHS()->getType()->isPointerType() ? B->getLHS() : B->getRHS();
    else if (const auto *D = dyn_cast<DeclRefExpr>(E))
      return D->getDecl()->getNameAsString();
    else
      return textOf(E, Context);
  }
}

} // namespace clrewrite::advice

// Accesses are gathered from subscripts, dereferences and vector loads and
// stores, and what makes few lanes come to one from the conditions around it.
#include "lanes/Accesses.h"
#include "lanes/Strides.h"
#include "rewrite/affine/CountedLoop.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Nodes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace clrewrite::lanes {

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
  return rewrite::searched(Gatherer(Space, Context), F.getBody()).Found;
}

std::optional<Stride> strideOf(const Access &A, const Program &Code, Mover By,
                               const Frame *In) {
  Strides S(Code, By, In);
  if (!A.Pointer)
    return S.ofAddress(A.At);
  std::optional<Stride> Base = S.of(A.Pointer), Offset = S.of(A.Offset);
  if (!Base || !Offset)
    return std::nullopt;
  Base->Constant += Offset->Constant * A.Bytes;
  for (const auto &[Name, Factor] : Offset->Terms)
    Base->Terms[Name] += Factor * A.Bytes;
  return Base;
}

bool isStepOf(const std::optional<Stride> &S, const Access &A) {
  constexpr int64_t WidestVector = 16;
  return S && S->isNumber() && S->Constant != 0 &&
         std::abs(S->Constant) <= std::max(WidestVector, A.Bytes);
}

namespace {

/// Conditions that hold for few lanes of a wave.
class FewLanes {
public:
  FewLanes(const Program &Code, const Frame *In)
      : Code(Code), Lane(Code, {Mover::Lane}, In) {}

  /// \p E is true, or else \p IsTrue says that it is false, for few.
  bool hold(const Expr *E, bool IsTrue) {
    E = Code.meaning(E);
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_LNot)
      return hold(U->getSubExpr(), !IsTrue);
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B)
      return !Lane.isSame(E); // a mask, a call: who knows
    if (B->isLogicalOp())
      return hold(B->getLHS(), IsTrue) || hold(B->getRHS(), IsTrue);
    const Expr *L = B->getLHS(), *R = B->getRHS();
    if (B->isEqualityOp())
      return (IsTrue || B->getOpcode() == BO_NE) &&
             !(Lane.isSame(L) && Lane.isSame(R));
    if (!B->isRelationalOp())
      return false;
    bool IsBelow = B->getOpcode() == BO_LT || B->getOpcode() == BO_LE;
    if (Lane.isSame(L)) {
      std::swap(L, R);
      IsBelow = !IsBelow;
    }
    std::optional<int64_t> Bound = constantOf(Code.meaning(R), Code.Context);
    return IsBelow == IsTrue && !Lane.isSame(L) && Bound && *Bound <= Few;
  }

private:
  static constexpr int64_t Few = 8;
  const Program &Code;
  Strides Lane;
};

/// What \p S ends with.
const Stmt *lastOf(const Stmt *S) {
  const auto *Block = dyn_cast_or_null<CompoundStmt>(S);
  return Block ? Block->body_back() : S;
}

} // namespace

bool isForFew(const Access &A, const Program &Code, const Frame *In) {
  FewLanes Lanes(Code, In);
  for (size_t I = 0; I < A.Around.size(); ++I) {
    const Stmt *S = A.Around[I];
    const Expr *Condition = nullptr;
    if (const auto *If = dyn_cast<IfStmt>(S))
      Condition = If->getCond();
    else if (const auto *C = dyn_cast<ConditionalOperator>(S))
      Condition = C->getCond();
    else if (const auto *For = dyn_cast<ForStmt>(S))
      Condition = For->getCond();
    if (Condition && Lanes.hold(Condition, true))
      return true;
    const auto *Block = dyn_cast<CompoundStmt>(S);
    if (!Block || I + 1 == A.Around.size())
      continue;
    // if (get_local_id(0) != 0) return;
    for (const Stmt *Before : Block->body()) {
      if (Before == A.Around[I + 1])
        break;
      if (const auto *If = dyn_cast<IfStmt>(Before);
          If && isa_and_nonnull<ReturnStmt>(lastOf(If->getThen())) &&
          Lanes.hold(If->getCond(), false))
        return true;
    }
  }
  return false;
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

} // namespace clrewrite::lanes

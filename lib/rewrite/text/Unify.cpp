// Anti-unification of expressions and statements: the places where they differ.
//
// vload8(x, p + a) * 3, vload8(x, p + b) * 5 differ in `a` and `b` and in 3 and
// 5, so both are vload8(x, p + (i ? b : a)) * (i ? 5 : 3). The search walks all
// pieces in step from the root; where nodes have nothing in common, the place
// around them that a select can choose is what differs. The deepest such place
// wins, since it leaves most text shared. A variable that each piece declares
// for itself stands for the others' at the same place.
#include "rewrite/text/Unify.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

using Row = std::vector<const Stmt *>;

/// Global or local memory, which a compiler knows nothing about.
bool isShared(QualType Pointer) {
  if (!Pointer->isPointerType())
    return false;
  LangAS Space = Pointer->getPointeeType().getAddressSpace();
  return Space == LangAS::opencl_global || Space == LangAS::opencl_local;
}

bool sameProfile(const Expr *A, const Expr *B, const ASTContext &Context) {
  FoldingSetNodeID IdA, IdB;
  A->Profile(IdA, Context, /*Canonical=*/true);
  B->Profile(IdB, Context, /*Canonical=*/true);
  return IdA == IdB;
}

/// No product or sum that a select would take from its neighbours.
bool isFloatLeaf(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && (U->getOpcode() == UO_Minus || U->getOpcode() == UO_Plus))
    E = U->getSubExpr()->IgnoreParenImpCasts();
  return isa<FloatingLiteral, DeclRefExpr, MemberExpr, ExtVectorElementExpr>(E);
}

class Walk {
public:
  Walk(size_t Pieces, bool OnlyText, const ASTContext &Context)
      : Context(Context), OnlyText(OnlyText), Own(Pieces) {}

  Similarity Out;

  bool statement(const Row &T) {
    if (!T.front() || is_contained(T, nullptr))
      return all_of(T, [](const Stmt *S) { return !S; });
    // What a statement does can't be chosen, only what it works on.
    if (isa<Expr>(T.front()))
      return all_of(T, [](const Stmt *S) { return isa<Expr>(S); }) &&
             alike(T) && children(T, /*InAddress=*/false);
    if (any_of(T, [&](const Stmt *S) {
          return S->getStmtClass() != T.front()->getStmtClass();
        }))
      return false;
    if (isa<DeclStmt>(T.front()))
      return declarations(T);
    if (!isa<CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, NullStmt>(
            T.front()))
      return false;
    std::vector<Row> Parts;
    for (const Stmt *S : T) {
      Row Inner(S->child_begin(), S->child_end());
      Parts.push_back(std::move(Inner));
    }
    for (const Row &R : Parts)
      if (R.size() != Parts.front().size())
        return false;
    for (size_t I = 0; I < Parts.front().size(); ++I) {
      Row Next;
      for (const Row &R : Parts)
        Next.push_back(R[I]);
      // A condition is a value; the steps of a loop are statements.
      bool Value = I == conditionOf(T.front());
      if (!(Value && Next.front() ? expression(Next, false) : statement(Next)))
        return false;
    }
    return true;
  }

  bool expression(Row T, bool InAddress) {
    for (const Stmt *&S : T) {
      if (!S || !isa<Expr>(S))
        return false;
      S = cast<Expr>(S)->IgnoreParens();
    }
    size_t Before = Out.Places.size();
    // p + w and p + w + 1 differ by 1, not in both operands of the last sum.
    if (place(T, InAddress) && inEvenSteps(Out.Places.back(), Context))
      return true;
    Out.Places.resize(Before);
    if (alike(T) && children(T, InAddress))
      return true;
    Out.Places.resize(Before);
    return place(T, InAddress);
  }

  /// A value names no variable of its piece, nor one that is hidden there.
  bool mayMove(const Expr *Value) const {
    return !mentionsAny(Value, [&](const VarDecl *V) {
      return any_of(Out.Declared, [&](const VarDecl *D) {
        return D == V || D->getDeclName() == V->getDeclName();
      });
    });
  }

private:
  const ASTContext &Context;
  bool OnlyText;
  /// For each piece, the variables that it declares, in order.
  std::vector<std::vector<const VarDecl *>> Own;

  static size_t conditionOf(const Stmt *S) {
    const Stmt *Condition = nullptr;
    if (const auto *If = dyn_cast<IfStmt>(S))
      Condition = If->getCond();
    else if (const auto *For = dyn_cast<ForStmt>(S))
      Condition = For->getCond();
    else if (const auto *While = dyn_cast<WhileStmt>(S))
      Condition = While->getCond();
    else if (const auto *Do = dyn_cast<DoStmt>(S))
      Condition = Do->getCond();
    size_t I = 0;
    for (const Stmt *Child : S->children()) {
      if (Condition && Child == Condition)
        return I;
      ++I;
    }
    return ~size_t(0);
  }

  bool declarations(const Row &T) {
    const auto *First = cast<DeclStmt>(T.front());
    size_t Count = std::distance(First->decl_begin(), First->decl_end());
    for (const Stmt *S : T) {
      const auto *D = cast<DeclStmt>(S);
      if (size_t(std::distance(D->decl_begin(), D->decl_end())) != Count)
        return false;
    }
    for (size_t I = 0; I < Count; ++I) {
      std::vector<const VarDecl *> Each;
      Row Values;
      for (const Stmt *S : T) {
        const auto *V =
            dyn_cast<VarDecl>(*(cast<DeclStmt>(S)->decl_begin() + I));
        if (!V || !isPrivate(V) || !V->hasLocalStorage() ||
            V->isStaticLocal() || V->hasAttrs() || !V->getIdentifier())
          return false;
        if (!Each.empty() &&
            !Context.hasSameType(V->getType(), Each.front()->getType()))
          return false;
        Each.push_back(V);
        Values.push_back(V->getInit());
      }
      bool None = all_of(Values, [](const Stmt *S) { return !S; });
      if (!None && !expression(Values, false))
        return false;
      for (size_t P = 0; P < Each.size(); ++P) {
        Own[P].push_back(Each[P]->getCanonicalDecl());
        Out.Declared.push_back(Each[P]->getCanonicalDecl());
      }
    }
    return true;
  }

  bool isDeclared(const ValueDecl *D) const {
    const auto *V = dyn_cast<VarDecl>(D);
    return V && is_contained(Out.Declared, V->getCanonicalDecl());
  }

  bool sameName(const Row &T) const {
    const ValueDecl *First = cast<DeclRefExpr>(T.front())->getDecl();
    if (!isDeclared(First))
      return all_of(T, [&](const Stmt *S) {
        return cast<DeclRefExpr>(S)->getDecl()->getCanonicalDecl() ==
               First->getCanonicalDecl();
      });
    auto At = find(Own.front(), cast<VarDecl>(First)->getCanonicalDecl());
    if (At == Own.front().end())
      return false;
    size_t Index = At - Own.front().begin();
    for (size_t P = 0; P < T.size(); ++P)
      if (Index >= Own[P].size() ||
          cast<DeclRefExpr>(T[P])->getDecl()->getCanonicalDecl() !=
              Own[P][Index])
        return false;
    return true;
  }

  /// The nodes are the same but for their operands.
  bool alike(const Row &T) const {
    const auto *A = cast<Expr>(T.front());
    for (const Stmt *S : T) {
      const auto *B = cast<Expr>(S);
      if (A->getStmtClass() != B->getStmtClass() ||
          A->isPRValue() != B->isPRValue() ||
          !Context.hasSameType(A->getType(), B->getType()))
        return false;
    }
    if (isa<DeclRefExpr>(A))
      return sameName(T);
    return all_of(T, [&](const Stmt *S) { return like(A, cast<Expr>(S)); });
  }

  bool like(const Expr *A, const Expr *B) const {
    if (const auto *X = dyn_cast<CastExpr>(A))
      return X->getCastKind() == cast<CastExpr>(B)->getCastKind();
    if (const auto *X = dyn_cast<ExtVectorElementExpr>(A))
      return &X->getAccessor() == &cast<ExtVectorElementExpr>(B)->getAccessor();
    if (isa<InitListExpr, CompoundLiteralExpr, ParenListExpr, AsTypeExpr>(A))
      return operandsOf(A).size() == operandsOf(B).size();
    if (operandsOf(A).empty() && !isa<CallExpr>(A))
      return sameProfile(A, B, Context);
    if (isa<BinaryOperator, UnaryOperator, CallExpr, MemberExpr,
            ArraySubscriptExpr, ConditionalOperator>(A))
      return sameNode(A, B, Context);
    // Anything else only as it stands.
    return sameProfile(A, B, Context) &&
           !mentionsAny(A, [&](const VarDecl *V) { return isDeclared(V); });
  }

  bool children(const Row &T, bool InAddress) {
    std::vector<std::vector<const Expr *>> Parts;
    for (const Stmt *S : T)
      Parts.push_back(operandsOf(cast<Expr>(S)));
    for (size_t I = 0; I < Parts.front().size(); ++I) {
      Row Next;
      for (const auto &Each : Parts) {
        if (Each.size() != Parts.front().size())
          return false;
        Next.push_back(Each[I]);
      }
      if (!expression(Next, InAddress || isAddress(T.front(), I)))
        return false;
    }
    return true;
  }

  /// Operand \p I of \p S says which element of shared memory is meant.
  static bool isAddress(const Stmt *S, size_t I) {
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(S))
      return isShared(A->getBase()->getType());
    if (const auto *U = dyn_cast<UnaryOperator>(S))
      return U->getOpcode() == UO_Deref && isShared(U->getSubExpr()->getType());
    const auto *Call = dyn_cast<CallExpr>(S);
    std::optional<LaneName> Name =
        Call ? laneName(calleeName(Call)) : std::nullopt;
    if (!Name || !(Name->loads() || Name->stores()) ||
        !isShared(Call->getArg(Call->getNumArgs() - 1)->getType()))
      return false;
    return Name->loads() || I > 0;
  }

  /// What differs is chosen here, if a select can.
  bool place(const Row &T, bool InAddress) {
    Varied V;
    V.InAddress = InAddress;
    for (const Stmt *S : T) {
      const auto *E = cast<Expr>(S);
      if (!E->isPRValue())
        return false;
      V.Values.push_back(E->IgnoreParenImpCasts());
    }
    QualType Type = V.Values.front()->getType();
    bool Float = Type->isSpecificBuiltinType(BuiltinType::Float) ||
                 Type->isSpecificBuiltinType(BuiltinType::Double);
    // ?: promotes narrow integers, which would change overloads and shifts.
    bool Scalar = Float || Type->isPointerType() ||
                  (Type->isIntegerType() && !Type->isBooleanType() &&
                   !Context.isPromotableIntegerType(Type));
    if (!Scalar || !all_of(V.Values, [&](const Expr *E) {
          return Context.hasSameUnqualifiedType(E->getType(), Type) &&
                 (!Float || isFloatLeaf(E)) && isPure(E) && !readsMemory(E) &&
                 (!OnlyText || text(E->getSourceRange(), Context));
        }))
      return false;
    Out.Places.push_back(std::move(V));
    return true;
  }
};

} // namespace

std::optional<Similarity> similarity(ArrayRef<Piece> Pieces, bool OnlyText,
                                     const ASTContext &Context) {
  Walk W(Pieces.size(), OnlyText, Context);
  for (size_t I = 0; I < Pieces.front().size(); ++I) {
    Row T;
    for (const Piece &P : Pieces)
      T.push_back(P[I]);
    if (!W.statement(T))
      return std::nullopt;
  }
  for (const Varied &V : W.Out.Places)
    if (!all_of(V.Values, [&](const Expr *E) { return W.mayMove(E); }))
      return std::nullopt;
  return std::move(W.Out);
}

std::optional<std::string> unified(ArrayRef<const Expr *> Terms,
                                   StringRef Counter,
                                   const ASTContext &Context) {
  if (Terms.size() < 2)
    return std::nullopt;
  Walk W(Terms.size(), /*OnlyText=*/true, Context);
  if (!W.expression(Row(Terms.begin(), Terms.end()), /*InAddress=*/false) ||
      W.Out.Places.empty())
    return std::nullopt;
  bool Values =
      any_of(W.Out.Places, [](const Varied &V) { return !V.InAddress; });
  if (Values && any_of(Terms, roundsFreely))
    return std::nullopt;
  Edit Whole = replacement(Terms.front()->getSourceRange(), "", Context);
  Tables None;
  return chosenText(Whole.Offset, Whole.end(), W.Out.Places, Counter, None,
                    Context);
}

} // namespace clrewrite::rewrite

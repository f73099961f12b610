// Anti-unification of expressions and statements: the places where they differ.
//
// vload8(x, p + a) * 3, vload8(x, p + b) * 5 differ in `a` and `b` and in 3 and
// 5, so both are vload8(x, p + (i ? b : a)) * (i ? 5 : 3). The search walks all
// pieces in step from the root; where nodes have nothing in common, the place
// around them that a select can choose is what differs. The deepest such place
// wins, since it leaves most text shared. A variable that each piece declares
// for itself stands for the others' at the same place.
#include "rewrite/text/Unify.h"
#include "rewrite/ast/CalledBodies.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

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
  return IdA == IdB && haveSameOrigins(A, B, Context);
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
      bool Value = Next.front() && Next.front() == conditionOf(T.front());
      if (!(Value ? expression(Next, false) : statement(Next)))
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
    if (alike(T) && children(T, InAddress) &&
        (Out.Places.size() == Before || !isFolded(T)))
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

  /// Clang computes one of \p T itself, or chooses one of its operands, which a
  /// counter would leave to the device: a product of floats could be contracted
  /// then with the sum around it, and one behind the choice no longer.
  bool isFolded(const Row &T) const {
    auto condition = [](const Stmt *S) {
      return cast<AbstractConditionalOperator>(S)->getCond();
    };
    if (isa<AbstractConditionalOperator>(T.front()))
      return any_of(T,
                    [&](const Stmt *S) {
                      return condition(S)->isEvaluatable(Context);
                    }) &&
             any_of(T, [&](const Stmt *S) {
               return !sameProfile(condition(S), condition(T.front()), Context);
             });
    return any_of(T, [&](const Stmt *S) {
      const auto *B = dyn_cast<BinaryOperator>(S);
      return B && B->getOpcode() == BO_Mul &&
             B->getType()->hasFloatingRepresentation() &&
             B->isEvaluatable(Context);
    });
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
            V->isStaticLocal() || V->hasAttrs() || !V->getIdentifier() ||
            // A constant of the outermost block.
            V->getType()->isSamplerT())
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

// The text of the places that differ, as an expression of a counter. Numbers in
// arithmetic progression are linear in the counter, and so are sums that differ
// by such numbers; other numbers may go into a constant table; the rest is
// chosen by a chain of selects. A private array is not used: compilers may keep
// it in memory.

namespace {

/// The value of a literal of type int or uint, perhaps with a sign.
std::optional<int64_t> wholeNumber(const Expr *E) {
  E = E->IgnoreParens();
  bool Minus = false;
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Minus &&
      U->getType()->isSpecificBuiltinType(BuiltinType::Int)) {
    Minus = true;
    E = U->getSubExpr()->IgnoreParens();
  }
  const auto *L = dyn_cast<IntegerLiteral>(E);
  if (!L || L->getValue().getActiveBits() > 30 ||
      !(L->getType()->isSpecificBuiltinType(BuiltinType::Int) ||
        L->getType()->isSpecificBuiltinType(BuiltinType::UInt)))
    return std::nullopt;
  int64_t Value = int64_t(L->getValue().getZExtValue());
  return Minus ? -Value : Value;
}

/// first + step * Counter.
struct Steps {
  int64_t First = 0, Step = 0;
};

std::optional<Steps> evenSteps(ArrayRef<int64_t> Values) {
  Steps S{Values[0], Values[1] - Values[0]};
  for (size_t I = 1; I < Values.size(); ++I)
    if (Values[I] - Values[I - 1] != S.Step)
      return std::nullopt;
  return S;
}

std::string spelledSteps(const Steps &S, StringRef Counter) {
  std::string Product =
      S.Step == 1 ? Counter.str() : (Twine(S.Step) + " * " + Counter).str();
  return S.First ? (Twine(S.First) + " + " + Product).str() : Product;
}

/// A sum as something and a number that is added to it.
struct Shifted {
  const Expr *Base;
  int64_t By;
};

Shifted shifted(const Expr *E) {
  const Expr *Inner = E->IgnoreParenImpCasts();
  const auto *B = dyn_cast<BinaryOperator>(Inner);
  if (!B || !B->isAdditiveOp())
    return {Inner, 0};
  std::optional<int64_t> By = wholeNumber(B->getRHS()->IgnoreImpCasts());
  const Expr *Base = B->getLHS()->IgnoreParenImpCasts();
  // A sum of another type may wrap around elsewhere.
  if (!By ||
      !B->getRHS()->IgnoreParenImpCasts()->getType()->isSpecificBuiltinType(
          BuiltinType::Int))
    return {Inner, 0};
  return {Base, B->getOpcode() == BO_Add ? *By : -*By};
}

/// It holds a macro that differs each time it is expanded.
bool variesByPlace(StringRef Text) {
  return Text.contains("__LINE__") || Text.contains("__COUNTER__");
}

/// A literal, not negative, times something; or something alone.
Shifted multiple(const Expr *E) {
  const Expr *Inner = E->IgnoreParenImpCasts();
  const auto *B = dyn_cast<BinaryOperator>(Inner);
  if (!B || B->getOpcode() != BO_Mul)
    return {Inner, 1};
  for (bool Left : {true, false}) {
    const Expr *Number = Left ? B->getLHS() : B->getRHS();
    const Expr *Base = Left ? B->getRHS() : B->getLHS();
    std::optional<int64_t> By = wholeNumber(Number->IgnoreImpCasts());
    if (By && *By >= 0 &&
        Number->IgnoreParenImpCasts()->getType()->isSpecificBuiltinType(
            BuiltinType::Int))
      return {Base->IgnoreParenImpCasts(), *By};
  }
  return {Inner, 1};
}

class Chooser {
public:
  Chooser(const Varied &V, StringRef Counter, const ASTContext &Context)
      : V(V), Counter(Counter), Context(Context),
        Type(V.Values.front()->getType().getCanonicalType()) {}

  /// Empty where the values are in no even steps.
  std::string steps() const {
    std::string Out = linear();
    if (Out.empty())
      Out = offset();
    if (Out.empty())
      Out = scaled(V.Values);
    return Out.empty() ? offsetScaled() : Out;
  }

  std::string text(Tables &T) const {
    std::string Out = steps();
    if (Out.empty() && !T.Name.empty())
      Out = element(T);
    return "(" + (Out.empty() ? selects() : Out) + ")";
  }

private:
  const Varied &V;
  StringRef Counter;
  const ASTContext &Context;
  QualType Type;

  /// Numbers in even steps.
  std::string linear() const {
    std::vector<int64_t> Values;
    for (const Expr *E : V.Values) {
      std::optional<int64_t> N = wholeNumber(E);
      if (!N)
        return "";
      Values.push_back(*N);
    }
    std::optional<Steps> S = evenSteps(Values);
    if (!S || !S->Step)
      return "";
    bool Unsigned = Type->isSpecificBuiltinType(BuiltinType::UInt);
    std::string Out = spelledSteps(*S, Counter);
    return Unsigned ? "(uint)(" + Out + ")" : Out;
  }

  /// x - 1, x, x + 1.
  std::string offset() const {
    std::vector<int64_t> Values;
    const Expr *Base = shifted(V.Values.front()).Base;
    if (wholeNumber(Base) ||
        !Context.hasSameUnqualifiedType(Base->getType(), Type))
      return "";
    for (const Expr *E : V.Values) {
      Shifted S = shifted(E);
      if (!sameExpression(S.Base, Base, Context))
        return "";
      Values.push_back(S.By);
    }
    std::optional<Steps> S = evenSteps(Values);
    if (!S || !S->Step)
      return "";
    std::string By = spelledSteps(*S, Counter);
    bool Sum = S->First || S->Step < 0;
    return spelledOperand(Base, Context) + " + " + (Sum ? "(" + By + ")" : By);
  }

  /// w, 2 * w, 3 * w: each product is one that the original computes, so that
  /// none overflows that did not before.
  std::string scaled(ArrayRef<const Expr *> Terms) const {
    const Expr *Base = multiple(Terms.back()).Base;
    QualType BaseType = Base->getType();
    std::vector<int64_t> Values;
    for (const Expr *E : Terms) {
      Shifted M = E ? multiple(E) : Shifted{Base, 0};
      bool Integer = !E || Context.hasSameUnqualifiedType(
                               E->IgnoreParenImpCasts()->getType(), BaseType);
      if (!Integer || !sameExpression(M.Base, Base, Context))
        return "";
      Values.push_back(M.By);
    }
    std::optional<Steps> S = evenSteps(Values);
    if (!S || !S->Step || wholeNumber(Base) || !BaseType->isIntegerType() ||
        Context.isPromotableIntegerType(BaseType))
      return "";
    std::string By = spelledSteps(*S, Counter);
    bool Sum = S->First || S->Step < 0;
    return (Sum ? "(" + By + ")" : By) + " * " + spelledOperand(Base, Context);
  }

  /// p, p + w, p + 2 * w.
  std::string offsetScaled() const {
    auto sum = [](const Expr *E) {
      const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
      return B && B->getOpcode() == BO_Add ? B : nullptr;
    };
    const auto *Last = sum(V.Values.back());
    if (!Last)
      return "";
    const Expr *Base = Last->getLHS()->IgnoreParenImpCasts();
    std::vector<const Expr *> Terms;
    for (const Expr *E : V.Values) {
      const auto *B = sum(E);
      bool Alone = sameExpression(E->IgnoreParenImpCasts(), Base, Context);
      if (!Alone && (!B || !sameExpression(B->getLHS()->IgnoreParenImpCasts(),
                                           Base, Context)))
        return "";
      Terms.push_back(Alone ? nullptr : B->getRHS());
    }
    // The sum's own type, so that no operand is converted otherwise.
    if (!Context.hasSameUnqualifiedType(Base->getType(), Type))
      return "";
    std::string By = scaled(Terms);
    return By.empty() ? "" : spelledOperand(Base, Context) + " + " + By;
  }

  std::string element(Tables &T) const {
    // What a macro is defined as may not be known before the function.
    const SourceManager &SM = Context.getSourceManager();
    if (V.Values.size() < 3 || !all_of(V.Values, [&](const Expr *E) {
          return isNumber(E) && !SM.isMacroBodyExpansion(E->getBeginLoc()) &&
                 !SM.isMacroBodyExpansion(E->getEndLoc());
        }))
      return "";
    std::string Name =
        T.Name + std::to_string(StringRef(T.Text).count('=') + 1);
    T.Text += "__constant " + spelledType(Type, Context) + " " + Name + "[" +
              std::to_string(V.Values.size()) + "] = {";
    size_t Column = 0;
    for (const Expr *E : V.Values) {
      std::string Value = spelled(E, Context);
      bool First = E == V.Values.front();
      bool Break = First || Column + Value.size() + 2 > 78;
      T.Text += (First ? "\n    " : Break ? ",\n    " : ", ") + Value;
      Column = (Break ? 4 : Column + 2) + Value.size();
    }
    T.Text += "};\n\n";
    return Name + "[" + Counter.str() + "]";
  }

  std::string selects() const {
    auto value = [&](size_t I) { return spelledOperand(V.Values[I], Context); };
    size_t Count = V.Values.size();
    if (Count == 2)
      return Counter.str() + " ? " + value(1) + " : " + value(0);
    std::string Out;
    for (size_t I = 0; I + 1 < Count; ++I) {
      // Equal neighbours share a test.
      if (value(I) == value(I + 1))
        continue;
      bool Shares = I && value(I) == value(I - 1);
      Out += Counter.str() + (Shares ? " <= " : " == ") + std::to_string(I) +
             " ? " + value(I) + " : ";
    }
    return Out + value(Count - 1);
  }
};

} // namespace

bool isNumber(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Minus)
    E = U->getSubExpr()->IgnoreParenImpCasts();
  return isa<IntegerLiteral, FloatingLiteral>(E);
}

bool inEvenSteps(const Varied &V, const ASTContext &Context) {
  return !Chooser(V, "i", Context).steps().empty();
}

std::optional<std::string> chosenText(unsigned Begin, unsigned End,
                                      ArrayRef<Varied> Places,
                                      StringRef Counter, Tables &T,
                                      const ASTContext &Context) {
  if (Begin >= End)
    return std::nullopt;
  std::vector<Edit> Changes;
  std::vector<std::vector<std::string>> Spelled;
  for (const Varied &V : Places) {
    std::vector<std::string> Each;
    for (const Expr *E : V.Values) {
      std::optional<StringRef> Text = text(E->getSourceRange(), Context);
      if (!Text || variesByPlace(*Text))
        return std::nullopt;
      Each.push_back(Text->str());
    }
    Edit New = replacement(V.Values.front()->getSourceRange(), "", Context);
    if (New.Offset < Begin || New.end() > End)
      return std::nullopt;
    // A macro's argument may stand for several places.
    bool Known = false;
    for (size_t I = 0; I < Changes.size(); ++I) {
      if (New.end() <= Changes[I].Offset || Changes[I].end() <= New.Offset)
        continue;
      if (New.Offset != Changes[I].Offset || New.Length != Changes[I].Length ||
          Each != Spelled[I])
        return std::nullopt;
      Known = true;
    }
    if (Known)
      continue;
    New.Text = Chooser(V, Counter, Context).text(T);
    Changes.push_back(std::move(New));
    Spelled.push_back(std::move(Each));
  }
  return edited(fileText(Context).slice(Begin, End), Changes, Context);
}

// Rounding: operations on floats whose last bits depend on what a compiler
// knows of their operands.

namespace {

/// Built-in functions on floats whose result is exact, or rounded in one way.
bool isExactBuiltin(StringRef Name) {
  if (laneName(Name) || Name.starts_with("read_image") ||
      Name.starts_with("write_image") || Name.starts_with("get_"))
    return true;
  return is_contained({"fmin", "fmax", "fabs", "floor", "ceil", "trunc", "rint",
                       "round", "min", "max", "clamp", "fma", "copysign",
                       "select", "bitselect", "vload_half", "vstore_half"},
                      Name);
}

class RoundingSearch : public SearchWithCallees {
public:
  bool VisitBinaryOperator(BinaryOperator *B) override {
    Found |= (B->getOpcode() == BO_Div || B->getOpcode() == BO_DivAssign) &&
             (B->getType()->hasFloatingRepresentation() ||
              B->getRHS()->getType()->hasFloatingRepresentation());
    return !Found;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    if (F && F->hasBody())
      return SearchWithCallees::VisitCallExpr(Call);
    Found |= !F || (!isExactBuiltin(calleeName(Call)) &&
                    any_of(Call->arguments(), [](const Expr *E) {
                      return E->getType()->hasFloatingRepresentation();
                    }));
    return !Found;
  }
};

} // namespace

bool roundsFreely(const Stmt *S) { return searched(RoundingSearch(), S).Found; }

} // namespace clrewrite::rewrite

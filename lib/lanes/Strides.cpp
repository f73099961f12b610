// An index is differentiated by the id or the variable: sums and products of
// affine expressions have known strides.
#include "lanes/Strides.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Constants.h"
#include "source/Words.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;

namespace clrewrite::lanes {

static constexpr unsigned MostTermDepth = 40;
static constexpr int64_t Most = int64_t(1) << 40;

std::string textOf(const Expr *E, const ASTContext &Context) {
  if (E->getBeginLoc().isMacroID() || E->getEndLoc().isMacroID()) {
    std::string Out; // What the macro makes of it, not all of the macro's use.
    llvm::raw_string_ostream OS(Out);
    E->printPretty(OS, nullptr, PrintingPolicy(Context.getLangOpts()));
    return Out;
  }
  const SourceManager &SM = Context.getSourceManager();
  CharSourceRange Range = SM.getExpansionRange(E->getSourceRange());
  StringRef Text = Lexer::getSourceText(Range, SM, Context.getLangOpts());
  std::string Out;
  for (char C : Text)
    if (!llvm::isSpace(C))
      Out += C;
    else if (!Out.empty() && Out.back() != ' ')
      Out += ' ';
  return Out;
}

std::optional<int64_t> constantOf(const Expr *E, const ASTContext &Context) {
  std::optional<int64_t> N = rewrite::constant(E, Context);
  return N && llvm::isInt<62>(*N) ? N : std::nullopt;
}

std::optional<unsigned> idDimension(const Expr *E, const ASTContext &Context) {
  const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
  StringRef Name = Call ? rewrite::calleeName(Call) : "";
  if (Name == "get_global_linear_id" || Name == "get_local_linear_id")
    return 0;
  if ((Name != "get_global_id" && Name != "get_local_id") ||
      Call->getNumArgs() != 1)
    return std::nullopt;
  std::optional<int64_t> D = constantOf(Call->getArg(0), Context);
  return D && *D >= 0 && *D < 3 ? std::optional(unsigned(*D)) : std::nullopt;
}

std::string Stride::text() const {
  std::vector<std::string> Parts;
  for (const auto &[Name, Factor] : Terms) {
    bool Plain = llvm::all_of(Name, isInWord);
    std::string Text = Plain || Factor == 1 ? Name : "(" + Name + ")";
    Parts.push_back((Factor == 1 ? "" : std::to_string(Factor) + "*") + Text);
  }
  if (Constant || Parts.empty())
    Parts.push_back(std::to_string(Constant));
  return llvm::join(Parts, " + ");
}

static std::optional<Stride> scaled(std::optional<Stride> S, int64_t By) {
  if (!S || std::abs(By) > Most)
    return std::nullopt;
  auto Scale = [&](int64_t &N) {
    if (N && std::abs(By) > Most / std::abs(N))
      return false;
    N *= By;
    return true;
  };
  if (!Scale(S->Constant))
    return std::nullopt;
  for (auto &Term : S->Terms)
    if (!Scale(Term.second))
      return std::nullopt;
  if (By == 0)
    S->Terms.clear();
  return S;
}

Strides::Known Strides::sum(Known A, const Known &B, int64_t Sign) const {
  if (!A || !B)
    return std::nullopt;
  A->Constant += Sign * B->Constant;
  for (const auto &[Name, Factor] : B->Terms) {
    int64_t &At = A->Terms[Name];
    At += Sign * Factor;
    if (At == 0)
      A->Terms.erase(Name);
  }
  return std::abs(A->Constant) <= Most ? A : std::nullopt;
}

int64_t Strides::bytesBehind(QualType Pointer) const {
  QualType To = Pointer->getPointeeType();
  if (To.isNull() || To->isIncompleteType() || To->isFunctionType())
    return 0;
  return P.Context.getTypeSizeInChars(To).getQuantity();
}

Strides::Known Strides::product(const Expr *A, const Expr *B, const Frame *F,
                                unsigned Depth) {
  Known Left = value(A, F, Depth), Right = value(B, F, Depth);
  if (!Left || !Right)
    return std::nullopt;
  if (Left->isZero() && Right->isZero())
    return Stride();
  if (!Left->isZero() && !Right->isZero())
    return std::nullopt;
  const Expr *Factor = Left->isZero() ? A : B;
  const Stride &Moves = Left->isZero() ? *Right : *Left;
  Factor = Factor->IgnoreParenCasts();
  std::optional<int64_t> N = constantOf(P.meaning(Factor), P.Context);
  if (N)
    return scaled(Moves, *N);
  std::string Name = textOf(Factor, P.Context);
  Stride Out;
  if (Moves.Constant)
    Out.Terms[Name] = Moves.Constant;
  for (const auto &[Other, Times] : Moves.Terms)
    Out.Terms[Other + "*" + Name] = Times;
  return Out;
}

/// The first of \p Args where the others stay the same.
Strides::Known Strides::bounded(llvm::ArrayRef<const Expr *> Args,
                                const Frame *F, unsigned Depth) {
  Known Moving = Stride();
  for (const Expr *A : Args) {
    Known S = value(A, F, Depth);
    if (!S || (!S->isZero() && !Moving->isZero()))
      return std::nullopt;
    if (!S->isZero())
      Moving = S;
  }
  return Moving;
}

Strides::Known Strides::call(const CallExpr *C, const Frame *F,
                             unsigned Depth) {
  StringRef Name = rewrite::calleeName(C);
  if (std::optional<unsigned> D = idDimension(C, P.Context)) {
    bool Moves = (By.Kind == Mover::Lane && *D == 0) ||
                 (By.Kind == Mover::Row && *D == 1);
    Stride S;
    S.Constant = Moves;
    return S;
  }
  if (Name == "get_global_id" || Name == "get_local_id")
    return std::nullopt; // Of a dimension that is computed.
  if (Name.starts_with("get_") && rewrite::isBuiltinCall(C))
    return Stride();
  std::vector<const Expr *> Args(C->arg_begin(), C->arg_end());
  if (rewrite::isBuiltinCall(C)) {
    if (Name == "mul24" && Args.size() == 2)
      return product(Args[0], Args[1], F, Depth);
    if (Name == "mad24" && Args.size() == 3)
      return sum(product(Args[0], Args[1], F, Depth), value(Args[2], F, Depth),
                 1);
    if (Name == "min" || Name == "max" || Name == "clamp")
      return bounded(Args, F, Depth);
    if (Name.starts_with("convert_") && Args.size() == 1 &&
        Args[0]->getType()->isIntegerType())
      return value(Args[0], F, Depth);
    bool Same = llvm::all_of(Args, [&](const Expr *A) {
      Known S = value(A, F, Depth);
      return S && S->isZero();
    });
    return Same ? Known(Stride()) : std::nullopt;
  }
  // A function that only returns an expression.
  const FunctionDecl *Body =
      C->getDirectCallee() ? P.definition(C->getDirectCallee()) : nullptr;
  const auto *Block =
      Body ? dyn_cast_or_null<CompoundStmt>(Body->getBody()) : nullptr;
  const auto *Return = Block && Block->size() == 1
                           ? dyn_cast<ReturnStmt>(*Block->body_begin())
                           : nullptr;
  if (!Return || !Return->getRetValue())
    return std::nullopt;
  Frame Inner{Body->getCanonicalDecl(), C, F};
  return value(Return->getRetValue(), &Inner, Depth);
}

Strides::Known Strides::binary(const BinaryOperator *B, const Frame *F,
                               unsigned Depth) {
  const Expr *L = B->getLHS(), *R = B->getRHS();
  switch (B->getOpcode()) {
  case BO_Add:
  case BO_Sub: {
    Known A = value(L, F, Depth), C = value(R, F, Depth);
    bool Left = L->getType()->isPointerType();
    bool Right = R->getType()->isPointerType();
    if (Left && !Right)
      C = scaled(C, bytesBehind(L->getType()));
    if (Right && !Left)
      A = scaled(A, bytesBehind(R->getType()));
    if (Left && Right)
      return std::nullopt;
    return sum(A, C, B->getOpcode() == BO_Sub ? -1 : 1);
  }
  case BO_Mul:
    return product(L, R, F, Depth);
  case BO_Shl:
    if (std::optional<int64_t> N = constantOf(R, P.Context);
        N && *N >= 0 && *N < 32)
      return scaled(value(L, F, Depth), int64_t(1) << *N);
    break;
  case BO_Comma:
    return value(R, F, Depth);
  default:
    break;
  }
  if (B->isAssignmentOp())
    return std::nullopt;
  Known A = value(L, F, Depth), C = value(R, F, Depth);
  return A && C && A->isZero() && C->isZero() ? Known(Stride()) : std::nullopt;
}

/// One component of a vector that was put together from its components.
Strides::Known Strides::component(const ExtVectorElementExpr *E, const Frame *F,
                                  unsigned Depth) {
  if (E->isArrow() || E->getNumElements() != 1)
    return std::nullopt;
  llvm::SmallVector<uint32_t, 4> Which;
  E->getEncodedElementAccess(Which);
  const Expr *Whole = P.meaning(E->getBase());
  if (const auto *C = dyn_cast<CompoundLiteralExpr>(Whole))
    Whole = C->getInitializer()->IgnoreParenImpCasts();
  const auto *List = dyn_cast<InitListExpr>(Whole);
  // (int2)(a, b): a component for each, and no vector among them.
  const auto *Type = E->getBase()->getType()->getAs<ExtVectorType>();
  if (List && Type && List->getNumInits() == Type->getNumElements())
    return value(List->getInit(Which.front()), F, Depth);
  Known S = value(E->getBase(), F, Depth);
  return S && S->isZero() ? S : std::nullopt;
}

Strides::Known Strides::variable(const VarDecl *V, const Frame *F,
                                 unsigned Depth) {
  V = V->getCanonicalDecl();
  if (By.Kind == Mover::Variable && V == By.V) {
    Stride S;
    S.Constant = 1;
    return S;
  }
  const Values &Of = P.valuesOf(V);
  Known Start;
  if (const auto *Param = dyn_cast<ParmVarDecl>(V)) {
    const auto *Owner = dyn_cast<FunctionDecl>(Param->getDeclContext());
    unsigned I = Param->getFunctionScopeIndex();
    if (Owner && isKernel(*Owner) && !F)
      Start = Stride();
    else if (Owner && F && F->Callee == Owner->getCanonicalDecl() &&
             I < F->Call->getNumArgs())
      Start = value(F->Call->getArg(I), F->Outer, Depth);
    else
      return std::nullopt;
  } else if (!V->isLocalVarDecl() || V->isStaticLocal()) {
    return Stride(); // One for all.
  } else if (Of.Initial) {
    Start = llvm::is_contained(Busy, V) ? std::nullopt
                                        : value(Of.Initial, F, Depth);
  } else if (Of.Assigned.empty()) {
    return std::nullopt;
  }
  if (Of.Otherwise || llvm::is_contained(Busy, V))
    return std::nullopt;
  Busy.push_back(V);
  bool First = !Of.Initial && !isa<ParmVarDecl>(V);
  for (const Expr *E : Of.Assigned) {
    Known Next = value(E, F, Depth);
    bool Fits = First || (Start && Next && Start->Constant == Next->Constant &&
                          Start->Terms == Next->Terms);
    Start = Fits ? Next : std::nullopt;
    First = false;
  }
  for (const Expr *E : Of.Steps)
    if (Known Step = E ? value(E, F, Depth) : Known(Stride());
        !Step || !Step->isZero())
      Start = std::nullopt;
  // A pointer's steps may depend on the loop's variable.
  Busy.pop_back();
  if (By.Kind == Mover::Variable && !Of.Steps.empty())
    return std::nullopt;
  return Start;
}

Strides::Known Strides::cast(const CastExpr *C, const Frame *F,
                             unsigned Depth) {
  const Expr *From = C->getSubExpr();
  switch (C->getCastKind()) {
  case CK_ArrayToPointerDecay:
    return address(From, F, Depth);
  case CK_LValueToRValue: {
    const Expr *Place = From->IgnoreParens();
    if (isa<DeclRefExpr>(Place) || isa<ExtVectorElementExpr>(Place))
      return value(Place, F, Depth);
    // What is loaded from one address is the same for all.
    Known At = address(Place, F, Depth);
    return At && At->isZero() ? At : std::nullopt;
  }
  case CK_IntegralCast:
  case CK_NoOp:
  case CK_BitCast:
  case CK_AddressSpaceConversion:
    return value(From, F, Depth);
  default: {
    Known S = value(From, F, Depth);
    return S && S->isZero() ? S : std::nullopt;
  }
  }
}

Strides::Known Strides::unary(const UnaryOperator *U, const Frame *F,
                              unsigned Depth) {
  if (U->getOpcode() == UO_AddrOf)
    return address(U->getSubExpr(), F, Depth);
  if (U->isIncrementDecrementOp())
    return U->getType()->isIntegerType() ? value(U->getSubExpr(), F, Depth)
                                         : std::nullopt;
  Known S = value(U->getSubExpr(), F, Depth);
  return U->getOpcode() == UO_Plus    ? S
         : U->getOpcode() == UO_Minus ? scaled(S, -1)
         : S && S->isZero()           ? S
                                      : std::nullopt;
}

Strides::Known Strides::value(const Expr *E, const Frame *F, unsigned Depth) {
  if (++Depth > MostTermDepth)
    return std::nullopt;
  E = E->IgnoreParens();
  if (constantOf(E, P.Context))
    return Stride();
  if (const auto *C = dyn_cast<CastExpr>(E))
    return cast(C, F, Depth);
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V ? variable(V, F, Depth) : Known(Stride());
  }
  if (const auto *C = dyn_cast<CallExpr>(E))
    return call(C, F, Depth);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return binary(B, F, Depth);
  if (const auto *V = dyn_cast<ExtVectorElementExpr>(E))
    return component(V, F, Depth);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return unary(U, F, Depth);
  if (isa<FloatingLiteral>(E))
    return Stride();
  return std::nullopt;
}

Strides::Known Strides::address(const Expr *E, const Frame *F, unsigned Depth) {
  if (++Depth > MostTermDepth)
    return std::nullopt;
  E = E->IgnoreParens();
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    Known Index = value(A->getIdx(), F, Depth);
    return sum(value(A->getBase(), F, Depth),
               scaled(Index, bytesBehind(A->getBase()->getType())), 1);
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Deref)
    return value(U->getSubExpr(), F, Depth);
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->isArrow() ? value(M->getBase(), F, Depth)
                        : address(M->getBase(), F, Depth);
  if (const auto *C = dyn_cast<CastExpr>(E); C && C->getCastKind() == CK_NoOp)
    return address(C->getSubExpr(), F, Depth);
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    // A variable of the work-item's own: where it lies is the same for all,
    // what it holds need not be.
    if (V && V->getType().getAddressSpace() != LangAS::opencl_private &&
        V->getType().getAddressSpace() != LangAS::Default)
      return Stride();
  }
  return std::nullopt;
}

} // namespace clrewrite::lanes

// A loaded value is a variable whose initialiser is a load and all of whose
// other references are reads; or an array whose only write is `A[i] = load` in
// a loop in which i takes the number of each element. All elements have to be
// written: a kernel may read one that is not, and multiply it by 0, where the
// load in its place would lie outside of the buffer.
#include "LoadedValues.h"
#include "rewrite/affine/CountedLoop.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Text.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::reload {
namespace {

/// The value of the lvalue \p E, or of some lanes of it, is read.
bool isRead(const Expr *E, ASTContext &Context) {
  while (const Expr *Parent = parentExpr(E, Context)) {
    if (const auto *C = dyn_cast<ImplicitCastExpr>(Parent))
      return C->getCastKind() == CK_LValueToRValue;
    if (!isa<ParenExpr, ExtVectorElementExpr>(Parent))
      return false;
    E = Parent;
  }
  return false;
}

/// The element A[x] where \p Name is A; null for any other use of an array.
const ArraySubscriptExpr *elementAt(const DeclRefExpr *Name,
                                    ASTContext &Context) {
  const Expr *Decay = parentExpr(Name, Context);
  const Expr *Parent = Decay && isa<ImplicitCastExpr>(Decay)
                           ? parentExpr(Decay, Context)
                           : nullptr;
  const auto *Element = dyn_cast_or_null<ArraySubscriptExpr>(Parent);
  return Element && Element->getLHS() == Decay ? Element : nullptr;
}

/// \p E without the conversions of the value that it loads.
const Expr *withoutConversions(const Expr *E) {
  while (true) {
    E = E->IgnoreParenImpCasts();
    if (const auto *C = dyn_cast<CStyleCastExpr>(E))
      E = C->getSubExpr();
    else if (const auto *V = dyn_cast<ExtVectorElementExpr>(E))
      E = V->getBase();
    else if (const auto *Call = dyn_cast<CallExpr>(E);
             Call && calleeName(E).starts_with("convert_") &&
             isBuiltinCall(Call) && Call->getNumArgs() == 1)
      E = Call->getArg(0);
    else
      return E;
  }
}

} // namespace

const Expr *pointerOf(const Expr *E) {
  if (!isPure(E))
    return nullptr;
  E = withoutConversions(E);
  const Expr *Pointer = nullptr, *Index = nullptr;
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
    Pointer = S->getBase();
    Index = S->getIdx();
  } else if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    Pointer = U->getOpcode() == UO_Deref ? U->getSubExpr() : nullptr;
  } else if (isVload(E)) {
    Index = cast<CallExpr>(E)->getArg(0);
    Pointer = cast<CallExpr>(E)->getArg(1);
  }
  if (!Pointer || readsMemory(Pointer) || (Index && readsMemory(Index)))
    return nullptr;
  LangAS Space = Pointer->getType()->isPointerType()
                     ? Pointer->getType()->getPointeeType().getAddressSpace()
                     : LangAS::Default;
  bool Shared = Space == LangAS::opencl_global ||
                Space == LangAS::opencl_constant ||
                Space == LangAS::opencl_local;
  return Shared ? Pointer : nullptr;
}

const Expr *placeOf(const Expr *E) {
  E = withoutConversions(E);
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
    return S->getIdx();
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getSubExpr();
  return cast<CallExpr>(E)->getArg(0);
}

namespace {

bool isValue(QualType T) {
  return !T.isVolatileQualified() &&
         (T->isArithmeticType() || T->isVectorType());
}

/// The assignment of `A[i] = load`, where \p Element is A[i]; null for anything
/// else.
const BinaryOperator *fillOf(const ArraySubscriptExpr *Element,
                             ASTContext &Context) {
  const auto *B =
      dyn_cast_or_null<BinaryOperator>(parentExpr(Element, Context));
  return B && B->getOpcode() == BO_Assign && B->getLHS() == Element ? B
                                                                    : nullptr;
}

/// The statement that always runs \p E; null where an operator may leave it
/// out.
const Stmt *statementOf(const Expr *E, ASTContext &Context) {
  const Stmt *At = E;
  while (true) {
    DynTypedNodeList Parents = Context.getParents(*At);
    const Stmt *Up = Parents.empty() ? nullptr : Parents[0].get<Stmt>();
    const auto *B = dyn_cast_or_null<BinaryOperator>(Up);
    if (!isa_and_nonnull<ParenExpr, CastExpr>(Up) && !(B && !B->isLogicalOp()))
      return isa_and_nonnull<Expr>(Up) ? nullptr : At;
    At = Up;
  }
}

/// The block that declares \p Array holds a loop that always runs after that,
/// in which \p Fill always runs, and \p Counter takes the number of each
/// element.
bool fillsAll(const VarDecl *Array, const ConstantArrayType &Type,
              const BinaryOperator *Fill, const VarDecl *Counter,
              const FunctionDecl &Function, ASTContext &Context) {
  const Stmt *S = statementOf(Fill, Context);
  const CompoundStmt *Body = S ? blockOf(*S, Context) : nullptr;
  DynTypedNodeList Parents = Context.getParents(Body ? *Body : *(S ? S : Fill));
  const ForStmt *For = Parents.empty() ? nullptr : Parents[0].get<ForStmt>();
  const DeclStmt *Declares = declarationOf(Array, Context);
  if (!For || !Declares || For->getBody() != (Body ? Body : S) ||
      mayEndTurn(For->getBody()) || mayBeEntered(For))
    return false;
  const CompoundStmt *Block = blockOf(*Declares, Context);
  std::optional<CountedLoop> L = countedLoop(*For);
  if (!Block || blockOf(*For, Context) != Block || mayBeEntered(Block) || !L ||
      L->Variable != Counter->getCanonicalDecl() ||
      constant(L->Start, Context) != 0 || !isStableText(L->Start, Context) ||
      !L->countsUp(Context) || !L->keepsVariable(Function))
    return false;
  // Both are numbers of the text, or one macro.
  const auto Written = Array->getTypeSourceInfo()
                           ->getTypeLoc()
                           .getUnqualifiedLoc()
                           .getAs<ArrayTypeLoc>();
  const Expr *Size = Written ? Written.getSizeExpr() : nullptr;
  if (!Size)
    return false;
  const std::optional<StringRef> Said = text(L->End->getSourceRange(), Context);
  const bool SameInAll =
      (isWrittenNumber(L->End) && isWrittenNumber(Size)) ||
      (Said && Said == text(Size->getSourceRange(), Context));
  std::optional<int64_t> End = constant(L->End, Context);
  return SameInAll && End && *End >= 0 &&
         uint64_t(*End) + L->isInclusive() >= Type.getZExtSize();
}

std::optional<LoadedValue> loadedScalar(const VarDecl *V,
                                        const FunctionDecl &Function,
                                        ASTContext &Context) {
  LoadedValue K{V, V->getInit(), nullptr, V->getType(), {}};
  for (const DeclRefExpr *Name : namesOf(V, Function.getBody())) {
    if (!isRead(Name, Context))
      return std::nullopt;
    K.Reads.push_back({Name, nullptr});
  }
  return K;
}

std::optional<LoadedValue> loadedArray(const VarDecl *V,
                                       const FunctionDecl &Function,
                                       ASTContext &Context) {
  const auto *Array = Context.getAsConstantArrayType(V->getType());
  LoadedValue K{V, nullptr, nullptr, Array->getElementType(), {}};
  for (const DeclRefExpr *Name : namesOf(V, Function.getBody())) {
    const ArraySubscriptExpr *Element = elementAt(Name, Context);
    if (!Element || !isPure(Element->getIdx()))
      return std::nullopt;
    if (const BinaryOperator *Fill = fillOf(Element, Context)) {
      const VarDecl *Counter = namedVariable(Element->getIdx());
      if (K.Load || !Counter || !Counter->getType()->isIntegerType() ||
          !fillsAll(V, *Array, Fill, Counter, Function, Context))
        return std::nullopt;
      K.Load = Fill->getRHS();
      K.Counter = Counter;
      continue;
    }
    if (!isRead(Element, Context))
      return std::nullopt;
    K.Reads.push_back({Element, Element->getIdx()});
  }
  return K.Load ? std::optional(K) : std::nullopt;
}

} // namespace

std::optional<LoadedValue> loadedValue(const VarDecl *V,
                                       const FunctionDecl &Function,
                                       ASTContext &Context) {
  if (!V->hasLocalStorage() || isa<ParmVarDecl>(V))
    return std::nullopt;
  std::optional<LoadedValue> K;
  if (V->getInit() && isValue(V->getType()))
    K = loadedScalar(V, Function, Context);
  else if (const auto *A = Context.getAsConstantArrayType(V->getType());
           A && !V->getInit() && isValue(A->getElementType()))
    K = loadedArray(V, Function, Context);
  return K && pointerOf(K->Load) ? K : std::nullopt;
}

} // namespace clrewrite::rewrite::reload

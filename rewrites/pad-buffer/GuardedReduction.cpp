// A guarded reduction is taken apart into its guard, which gives the buffer's
// length, and its index, an affine expression in the loop's induction variable,
// the global id and values that are the same for all work-items.
#include "GuardedReduction.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/PointerUses.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::pad_buffer {
namespace {

/// The pointer whose element \p E is, where that is a parameter.
const ParmVarDecl *pointerOf(const ArraySubscriptExpr *E) {
  return dyn_cast_or_null<ParmVarDecl>(namedVariable(E->getBase()));
}

const ArraySubscriptExpr *elementOfParameter(const Expr *E) {
  const auto *A = dyn_cast<ArraySubscriptExpr>(E->IgnoreParenCasts());
  return A && pointerOf(A) ? A : nullptr;
}

/// The only statement of \p S where it is a block of one statement, else \p S.
const Stmt *only(const Stmt *S) {
  const auto *Block = dyn_cast<CompoundStmt>(S);
  return Block && Block->size() == 1 ? only(Block->body_back()) : S;
}

bool isNumber(QualType T) {
  return T->isArithmeticType() && !T->isBooleanType() && !T->isEnumeralType();
}

bool holdsCall(const Stmt *S) {
  return S && (isa<CallExpr>(S) || any_of(S->children(), holdsCall));
}

} // namespace

std::vector<GuardedTerm> guardedTerms(const ForStmt &Loop,
                                      const GuardedBody &Body) {
  const Stmt *Last = Loop.getBody();
  if (const auto *Block = dyn_cast<CompoundStmt>(Last))
    Last = Block->body_empty() ? nullptr : Block->body_back();
  for (const Guard &G : Body.Guards) {
    if (!Last || G.Continues || only(Last) != G.If)
      return {};
    Last = G.If->getThen();
  }
  const auto *Sum = Last && !Body.Guards.empty()
                        ? dyn_cast<CompoundAssignOperator>(only(Last))
                        : nullptr;
  if (!Sum || Sum->getOpcode() != BO_AddAssign)
    return {};
  std::vector<GuardedTerm> Out;
  const Expr *Added = Sum->getRHS()->IgnoreParenCasts();
  if (const auto *Element = elementOfParameter(Added))
    Out.push_back({Sum, Element, nullptr});
  const auto *Product = dyn_cast<BinaryOperator>(Added);
  if (!Product || Product->getOpcode() != BO_Mul)
    return Out;
  const Expr *Left = Product->getLHS(), *Right = Product->getRHS();
  if (const auto *Element = elementOfParameter(Left))
    Out.push_back({Sum, Element, Right});
  if (const auto *Element = elementOfParameter(Right))
    Out.push_back({Sum, Element, Left});
  return Out;
}

GuardedReduction::GuardedReduction(const ForStmt &Loop,
                                   const FunctionDecl &Function,
                                   const ASTContext &Context)
    : Function(Function), Context(Context), A(Loop, Function, Context),
      InFunction(Function.getBody(), Function, Context) {
  std::vector<GuardedTerm> Readings = guardedTerms(Loop, A.Body);
  The = Readings.front();
  for (const GuardedTerm &Reading : Readings)
    if (A.Head && guardedLength(Reading))
      The = Reading;
}

const ParmVarDecl *GuardedReduction::buffer() const {
  return pointerOf(The.Element);
}

bool GuardedReduction::counts() const {
  return A.Head && isPure(A.Head->Start) && isPure(A.Head->End) &&
         A.Head->keepsVariable(Function);
}

bool GuardedReduction::followsId() const {
  return id() && before() && iterations() && isVisible() &&
         isShared(A.Head->Start) && isShared(A.Head->End) &&
         all_of(before()->Parts,
                [&](const auto &P) { return isShared(P.Term); });
}

bool GuardedReduction::startsBefore() const {
  return !before()->Parts.empty() || before()->Constant >= 0;
}

/// The global id that the index follows, as an int of its own.
const VarDecl *GuardedReduction::id() const {
  std::optional<LinearForm> F = offset(The);
  if (!F)
    return nullptr;
  const VarDecl *Found = nullptr;
  for (const LinearForm::Part &P : F->Parts)
    if (const VarDecl *V = globalId(P.Term)) {
      if (Found || P.Factor != 1)
        return nullptr;
      Found = V;
    }
  return Found;
}

std::optional<LinearForm> GuardedReduction::before() const {
  LinearForm Rest = *offset(The), Out;
  erase_if(Rest.Parts, [&](const LinearForm::Part &P) {
    return globalId(P.Term) != nullptr;
  });
  std::optional<LinearForm> Start = A.formOf(A.Head->Start);
  bool Good =
      Start && Out.add(Rest, -1, Context) && Out.add(*Start, -1, Context);
  return Good ? std::optional(Out) : std::nullopt;
}

std::optional<LinearForm> GuardedReduction::iterations() const {
  std::optional<LinearForm> Start = A.formOf(A.Head->Start),
                            Out = A.formOf(A.Head->End);
  if (!Start || !Out || !Out->add(*Start, -1, Context))
    return std::nullopt;
  Out->Constant += A.Head->isInclusive() ? 1 : 0;
  return Out;
}

bool GuardedReduction::sumIsPlain() const {
  QualType T = The.Sum->getLHS()->getType();
  QualType Added = The.Sum->getRHS()->getType();
  return privateVariable(The.Sum->getLHS(), Function) && isNumber(T) &&
         !T.isVolatileQualified() &&
         (T->isIntegerType() ? Added->isIntegerType() : isNumber(Added));
}

bool GuardedReduction::factorIsSafe() const {
  if (!The.Factor)
    return true;
  const Expr *F = The.Factor->IgnoreParenImpCasts();
  if (!isNumber(F->getType()))
    return false;
  if (isa<IntegerLiteral, FloatingLiteral>(F))
    return true;
  if (const auto *D = dyn_cast<DeclRefExpr>(F)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V && A.isSteady(F) && (isa<ParmVarDecl>(V) || V->getInit());
  }
  const auto *E = dyn_cast<ArraySubscriptExpr>(F);
  return E && isConstantElement(E) && isTap(E->getIdx());
}

bool GuardedReduction::bufferIsPlain() const {
  const ParmVarDecl *P = buffer();
  QualType Element = P->getType()->getPointeeType();
  return P->getDeclContext() == &Function &&
         Function.hasAttr<DeviceKernelAttr>() && isNumber(Element) &&
         !Element.isVolatileQualified() &&
         !P->getType().isVolatileQualified() &&
         Element.getAddressSpace() == LangAS::opencl_global &&
         namesOf(P, Function.getBody()).size() == 1;
}

/// The index less the loop's variable; none where that variable's factor is not
/// 1.
std::optional<LinearForm>
GuardedReduction::offset(const GuardedTerm &Reading) const {
  std::optional<LinearForm> F = A.formOf(Reading.Element->getIdx());
  if (!F)
    return std::nullopt;
  auto *Mine = find_if(F->Parts, [&](const auto &P) {
    return isName(P.Term, A.Head->Variable);
  });
  if (Mine == F->Parts.end() || Mine->Factor != 1)
    return std::nullopt;
  F->Parts.erase(Mine);
  return F;
}

/// The upper bound of the index by the guard; none unless the guard says that
/// the index is below it and at least 0, and nothing else.
std::optional<LinearForm>
GuardedReduction::guardedLength(const GuardedTerm &Reading) const {
  std::optional<LinearForm> Low, High, Index = offset(Reading);
  unsigned Leaves = 0;
  for (const Guard &G : A.Body.Guards)
    for (const GuardLeaf &L : G.Leaves) {
      std::optional<Bound> B = A.boundOf(L);
      if (!B)
        return std::nullopt;
      ++Leaves;
      (B->Lower ? Low : High) = B->Limit;
    }
  // The bounds are those of the loop's variable.
  if (Leaves != 2 || !Low || !High || !Index || !Low->add(*Index, 1, Context) ||
      Low->Constant != 0 || !Low->Parts.empty() ||
      !High->add(*Index, 1, Context) ||
      !all_of(High->Parts, [&](const auto &P) { return isShared(P.Term); }))
    return std::nullopt;
  return High;
}

const VarDecl *GuardedReduction::globalId(const Expr *E) const {
  const VarDecl *V = namedVariable(E);
  if (!V || !V->getInit() || !V->hasLocalStorage() || !InFunction.keeps(V) ||
      !Context.hasSameUnqualifiedType(V->getType(), Context.IntTy))
    return nullptr;
  const auto *Call = dyn_cast<CallExpr>(V->getInit()->IgnoreParenCasts());
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && F->getIdentifier() && isBuiltinCall(Call) &&
                 F->getName() == "get_global_id"
             ? V
             : nullptr;
}

/// The value of \p E is the same for all work-items of a launch.
bool GuardedReduction::isShared(const Expr *E) const {
  if (constant(E, Context))
    return true;
  return isPure(E) && !readsMemory(E) && !holdsCall(E) &&
         !mentionsAny(E, [&](const VarDecl *V) {
           bool Given = isa<ParmVarDecl>(V) && V->getType()->isIntegerType();
           bool Made = V->hasLocalStorage() && V->getInit() &&
                       V->getType()->isIntegerType();
           return !InFunction.keeps(V) ||
                  !(Given || (Made && isShared(V->getInit())));
         });
}

/// \p Index is made of the loop's variable and of values that are the same for
/// all work-items.
bool GuardedReduction::isTap(const Expr *Index) const {
  return isPure(Index) && !readsMemory(Index) && !holdsCall(Index) &&
         !mayDivideByZero(Index, Context) &&
         !mentionsAny(Index, [&](const VarDecl *V) {
           bool Local = V->hasLocalStorage() && !isa<ParmVarDecl>(V) &&
                        !(V->getInit() && isShared(V->getInit()));
           return V->getCanonicalDecl() != A.Head->Variable &&
                  (!InFunction.keeps(V) || Local ||
                   !V->getType()->isIntegerType());
         });
}

/// \p E is an element of a buffer that is not written through this name, or of
/// a constant of the program.
bool GuardedReduction::isConstantElement(const ArraySubscriptExpr *E) const {
  const VarDecl *V = namedVariable(E->getBase());
  QualType T = E->getType();
  bool Constant = T.getAddressSpace() == LangAS::opencl_constant;
  bool Given = V && isa<ParmVarDecl>(V) && InFunction.keeps(V) &&
               V != buffer() && T.getAddressSpace() == LangAS::opencl_global &&
               T.isConstQualified();
  return V && isNumber(T) && !T.isVolatileQualified() && (Constant || Given);
}

/// No variable of the body hides a name that the new index needs.
bool GuardedReduction::isVisible() const {
  return none_of(A.Body.Locals, [&](const VarDecl *Local) {
    auto hides = [&](const VarDecl *V) {
      return V->getName() == Local->getName();
    };
    return hides(id()) || hides(A.Head->Variable) ||
           mentionsAny(A.Head->Start, hides);
  });
}

} // namespace clrewrite::rewrite::pad_buffer

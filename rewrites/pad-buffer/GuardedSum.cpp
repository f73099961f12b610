// Loops that add elements of a buffer where a guard says that there are some.
#include "GuardedSum.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Elements.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// The pointer whose element \p E is, where that is a parameter.
const ParmVarDecl *pointerOf(const ArraySubscriptExpr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->getBase()->IgnoreParenImpCasts());
  return D ? dyn_cast<ParmVarDecl>(D->getDecl()) : nullptr;
}

const ArraySubscriptExpr *elementOfParameter(const Expr *E) {
  const auto *A = dyn_cast<ArraySubscriptExpr>(E->IgnoreParenCasts());
  return A && pointerOf(A) ? A : nullptr;
}

/// The statement that a block of one statement is.
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

GuardedSum::GuardedSum(const ForStmt &Loop, const FunctionDecl &Function,
                       const ASTContext &Context)
    : Function(Function), Context(Context), A(Loop, Function, Context),
      Assigned(assignedIn(Function.getBody())) {
  std::vector<GuardedTerm> Ways = guardedTerms(Loop, A.Body);
  The = Ways.front();
  for (const GuardedTerm &Way : Ways)
    if (A.Head && guardedLength(Way))
      The = Way;
}

const ParmVarDecl *GuardedSum::buffer() const { return pointerOf(The.Element); }

bool GuardedSum::counts() const {
  return A.Head && isPure(A.Head->Start) && isPure(A.Head->End) &&
         !A.Addressed.contains(A.Head->Variable) &&
         !A.Head->Variable->getType().isVolatileQualified() &&
         !assignedIn(A.Loop.getBody()).contains(A.Head->Variable);
}

bool GuardedSum::followsId() const {
  return id() && before() && iterations() && isVisible() &&
         isShared(A.Head->Start) && isShared(A.Head->End) &&
         all_of(before()->Parts,
                [&](const auto &P) { return isShared(P.Term); });
}

bool GuardedSum::startsBefore() const {
  return !before()->Parts.empty() || before()->Constant >= 0;
}

/// The global id that the index follows, as an int of its own.
const VarDecl *GuardedSum::id() const {
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

std::optional<LinearForm> GuardedSum::before() const {
  LinearForm Rest = *offset(The), Out;
  erase_if(Rest.Parts, [&](const LinearForm::Part &P) {
    return globalId(P.Term) != nullptr;
  });
  std::optional<LinearForm> Start = A.formOf(A.Head->Start);
  bool Good =
      Start && Out.add(Rest, -1, Context) && Out.add(*Start, -1, Context);
  return Good ? std::optional(Out) : std::nullopt;
}

std::optional<LinearForm> GuardedSum::iterations() const {
  std::optional<LinearForm> Start = A.formOf(A.Head->Start),
                            Out = A.formOf(A.Head->End);
  if (!Start || !Out || !Out->add(*Start, -1, Context))
    return std::nullopt;
  Out->Constant += A.Head->Inclusive ? 1 : 0;
  return Out;
}

bool GuardedSum::sumIsPlain() const {
  QualType T = The.Sum->getLHS()->getType();
  QualType Added = The.Sum->getRHS()->getType();
  return privateVariable(The.Sum->getLHS(), Function) && isNumber(T) &&
         !T.isVolatileQualified() &&
         (T->isIntegerType() ? Added->isIntegerType() : isNumber(Added));
}

bool GuardedSum::factorIsSafe() const {
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

bool GuardedSum::bufferIsPlain() const {
  const ParmVarDecl *P = buffer();
  QualType Element = P->getType()->getPointeeType();
  return P->getDeclContext() == &Function &&
         Function.hasAttr<DeviceKernelAttr>() && isNumber(Element) &&
         !Element.isVolatileQualified() &&
         !P->getType().isVolatileQualified() &&
         Element.getAddressSpace() == LangAS::opencl_global &&
         namesOf(P, Function.getBody()).size() == 1;
}

bool GuardedSum::isFixed(const VarDecl *V) const {
  return !Assigned.contains(V) && !A.Addressed.contains(V) &&
         !V->getType().isVolatileQualified();
}

/// The index without the loop's variable; none where its factor is not 1.
std::optional<LinearForm> GuardedSum::offset(const GuardedTerm &Way) const {
  std::optional<LinearForm> F = A.formOf(Way.Element->getIdx());
  if (!F)
    return std::nullopt;
  auto *Mine =
      find_if(F->Parts, [&](const auto &P) { return A.isVariable(P.Term); });
  if (Mine == F->Parts.end() || Mine->Factor != 1)
    return std::nullopt;
  F->Parts.erase(Mine);
  return F;
}

/// What the index is below, by the guard, which says else that the index is
/// at least 0, and no more.
std::optional<LinearForm>
GuardedSum::guardedLength(const GuardedTerm &Way) const {
  std::optional<LinearForm> Low, High, Index = offset(Way);
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

const VarDecl *GuardedSum::globalId(const Expr *E) const {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!V || !V->getInit() || !V->hasLocalStorage() || !isFixed(V) ||
      !Context.hasSameUnqualifiedType(V->getType(), Context.IntTy))
    return nullptr;
  const auto *Call = dyn_cast<CallExpr>(V->getInit()->IgnoreParenCasts());
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && F->getIdentifier() && isBuiltinCall(Call) &&
                 F->getName() == "get_global_id"
             ? V
             : nullptr;
}

/// Every work-item of a launch has the same value.
bool GuardedSum::isShared(const Expr *E) const {
  Expr::EvalResult R;
  if (E->EvaluateAsInt(R, Context, Expr::SE_NoSideEffects))
    return true;
  return isPure(E) && !readsMemory(E) && !holdsCall(E) &&
         !mentionsAny(E, [&](const VarDecl *V) {
           bool Given = isa<ParmVarDecl>(V) && V->getType()->isIntegerType();
           bool Made = V->hasLocalStorage() && V->getInit() &&
                       V->getType()->isIntegerType();
           return !isFixed(V) || !(Given || (Made && isShared(V->getInit())));
         });
}

/// An index that the loop's variable and shared values make up.
bool GuardedSum::isTap(const Expr *Index) const {
  return isPure(Index) && !readsMemory(Index) && !holdsCall(Index) &&
         !mayDivideByZero(Index) && !mentionsAny(Index, [&](const VarDecl *V) {
           bool Local = V->hasLocalStorage() && !isa<ParmVarDecl>(V) &&
                        !(V->getInit() && isShared(V->getInit()));
           return V->getCanonicalDecl() != A.Head->Variable &&
                  (!isFixed(V) || Local || !V->getType()->isIntegerType());
         });
}

/// Of a buffer that the kernel can't write through this name, or of a
/// program's constants.
bool GuardedSum::isConstantElement(const ArraySubscriptExpr *E) const {
  const auto *D = dyn_cast<DeclRefExpr>(E->getBase()->IgnoreParenImpCasts());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  QualType T = E->getType();
  bool Constant = T.getAddressSpace() == LangAS::opencl_constant;
  bool Given = V && isa<ParmVarDecl>(V) && isFixed(V) && V != buffer() &&
               T.getAddressSpace() == LangAS::opencl_global &&
               T.isConstQualified();
  return V && isNumber(T) && !T.isVolatileQualified() && (Constant || Given);
}

/// No variable of the body hides a name that the new index needs.
bool GuardedSum::isVisible() const {
  return none_of(A.Body.Locals, [&](const VarDecl *Local) {
    auto hides = [&](const VarDecl *V) {
      return V->getName() == Local->getName();
    };
    return hides(id()) || hides(A.Head->Variable) ||
           mentionsAny(A.Head->Start, hides);
  });
}

} // namespace clrewrite::rewrite

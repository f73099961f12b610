// What the conditions of split-array and what it writes share.
#include "Splits.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/Text.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/TypeLoc.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::split_array {

const VarDecl *vectorsIn(const Decl *D) {
  const auto *V = dyn_cast<VarDecl>(D);
  return V && isPrivate(V) &&
                 isa<ConstantArrayType>(
                     V->getType().getCanonicalType().getTypePtr()) &&
                 variableLanes(V->getType())
             ? V
             : nullptr;
}

static std::vector<Split> splitsOf(const Site &S) {
  std::vector<Split> Out;
  for (const Decl *D : S.get<DeclStmt>()->decls())
    if (const VarDecl *V = vectorsIn(D))
      Out.push_back({V, elementUsesOf(V, S.Function, S.Context)});
  return Out;
}

const std::vector<Split> &splits(const Site &S) { return S.once<splitsOf>(); }

std::vector<const CallExpr *> callsOf(const Site &S) {
  std::vector<const CallExpr *> Out;
  for (const Split &Each : splits(S))
    for (const ArrayCall &C : Each.Uses.Calls)
      if (!is_contained(Out, C.Call))
        Out.push_back(C.Call);
  return Out;
}

const Stmt *around(const Stmt *E, ASTContext &Context) {
  DynTypedNodeList Parents = Context.getParents(*E);
  return Parents.size() == 1 ? Parents[0].get<Stmt>() : nullptr;
}

TypeText typeTextOf(const VarDecl *V) {
  TypeText Out;
  SourceLocation End;
  TypeLoc T = V->getTypeSourceInfo()->getTypeLoc();
  while (auto Array = T.getAs<ArrayTypeLoc>()) {
    if (!Out.Bound)
      Out.Bound = Array.getSizeExpr();
    End = Array.getRBracketLoc();
    T = Array.getElementLoc();
  }
  if (laneCount(T.getType()) && Out.Bound) {
    Out.Vector = T.getUnqualifiedLoc().getSourceRange();
    Out.Name = {V->getLocation(), End};
  }
  return Out;
}

static bool isZero(const APValue &V) {
  switch (V.getKind()) {
  case APValue::Int:
    return V.getInt() == 0;
  case APValue::Float:
    return V.getFloat().isPosZero();
  case APValue::Vector:
    for (unsigned I = 0; I < V.getVectorLength(); ++I)
      if (!isZero(V.getVectorElt(I)))
        return false;
    return true;
  case APValue::Array:
    for (unsigned I = 0; I < V.getArrayInitializedElts(); ++I)
      if (!isZero(V.getArrayInitializedElt(I)))
        return false;
    return !V.hasArrayFiller() || isZero(V.getArrayFiller());
  default:
    return false;
  }
}

bool isOfNumbers(const Expr *E) {
  return !firstIn<DeclRefExpr>(E) && !firstIn<UnaryExprOrTypeTraitExpr>(E);
}

bool isZero(const VarDecl *V) {
  const APValue *Value =
      V->getInit() && isOfNumbers(V->getInit()) ? V->evaluateValue() : nullptr;
  return Value && isZero(*Value);
}

bool isSplit(const VarDecl *V, const Site &S) {
  return any_of(splits(S), [&](const Split &Each) {
    return Each.Array->getCanonicalDecl() == V;
  });
}

std::optional<std::vector<const Expr *>> firstVectors(const VarDecl *V,
                                                      const Site &S) {
  const auto *List = dyn_cast<InitListExpr>(V->getInit());
  const auto *Array = S.Context.getAsConstantArrayType(V->getType());
  if (!List || !laneCount(Array->getElementType()))
    return std::nullopt;
  std::vector<const Expr *> Out;
  for (const Expr *Each : List->inits()) {
    bool IsZero = isa<ImplicitValueInitExpr>(Each);
    if (!IsZero &&
        (isa<InitListExpr>(Each) ||
         !laneCount(Each->IgnoreImplicit()->getType()) || !isPure(Each) ||
         !isCopyable(Each->getSourceRange(), S.Context) ||
         mentionsAny(Each, [&](const VarDecl *N) { return isSplit(N, S); })))
      return std::nullopt;
    Out.push_back(IsZero ? nullptr : Each);
  }
  return Out;
}

Edit withSemicolon(const Expr *E, const ASTContext &Context) {
  Edit Whole = replacement(E->getSourceRange(), "", Context, true);
  StringRef File = fileText(Context);
  return Whole.Length && File[Whole.end() - 1] == ';' ? Whole : Edit{};
}

QualType vectorOf(const Site &S) {
  return S.Context.getBaseElementType(splits(S).front().Array->getType())
      .getUnqualifiedType();
}

} // namespace clrewrite::rewrite::split_array

// A region is searched once for the variables that it changes.
#include "rewrite/ast/Invariance.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

Invariance::Invariance(const Stmt *Region, const FunctionDecl &Function,
                       const ASTContext &Context)
    : Region(Region), Context(Context), Changing(addressTaken(Function)) {
  VariableSet Assigned = assignedIn(Region);
  Changing.insert(Assigned.begin(), Assigned.end());
}

/// Functions that are called, and other work-items, may assign to \p V.
static bool isOpenToOthers(const VarDecl *V) {
  QualType T = V->getType();
  return !V->hasLocalStorage() && !T->isArrayType() && !T.isConstQualified() &&
         T.getAddressSpace() != LangAS::opencl_constant;
}

bool Invariance::keeps(const VarDecl *V) const {
  return !Changing.contains(V->getCanonicalDecl()) &&
         !V->getType().isVolatileQualified() && !isOpenToOthers(V);
}

bool Invariance::declares(const VarDecl *V) const {
  return !standsBefore(V->getLocation(), Region->getBeginLoc(), Context) &&
         !standsBefore(Region->getEndLoc(), V->getLocation(), Context);
}

bool Invariance::isInvariant(const Expr *E) const {
  return isPure(E) && !readsMemory(E) && !mentionsAny(E, [&](const VarDecl *V) {
           return !keeps(V) || declares(V);
         });
}

} // namespace clrewrite::rewrite

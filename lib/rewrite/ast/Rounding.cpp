// Operations on floats whose last bits depend on what a compiler knows of their
// operands.
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/text/Unify.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// Built-in functions on floats whose result is exact, or rounded in one way.
bool isExactBuiltin(StringRef Name) {
  if (laneName(Name) || Name.starts_with("read_image") ||
      Name.starts_with("write_image") || Name.starts_with("get_"))
    return true;
  return StringSwitch<bool>(Name)
      .Cases({"fmin", "fmax", "fabs", "floor", "ceil", "trunc", "rint"}, true)
      .Cases({"round", "min", "max", "clamp", "fma", "copysign"}, true)
      .Cases({"select", "bitselect", "vload_half", "vstore_half"}, true)
      .Default(false);
}

class RoundingSearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitBinaryOperator(BinaryOperator *B) override {
    Found |= (B->getOpcode() == BO_Div || B->getOpcode() == BO_DivAssign) &&
             (B->getType()->hasFloatingRepresentation() ||
              B->getRHS()->getType()->hasFloatingRepresentation());
    return !Found;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee(), *Body = nullptr;
    if (F && F->hasBody(Body)) {
      if (Seen.insert(Body).second)
        TraverseStmt(Body->getBody());
      return !Found;
    }
    Found |= !F || (!isExactBuiltin(calleeName(Call)) &&
                    any_of(Call->arguments(), [](const Expr *E) {
                      return E->getType()->hasFloatingRepresentation();
                    }));
    return !Found;
  }

private:
  SmallPtrSet<const FunctionDecl *, 4> Seen;
};

} // namespace

bool roundsFreely(const Stmt *S) {
  RoundingSearch R;
  R.TraverseStmt(const_cast<Stmt *>(S));
  return R.Found;
}

} // namespace clrewrite::rewrite

// serialise-loads: an expression that combines three or more values from memory
// or images becomes a chain that loads and combines one at a time.
//
// serialise-vload does this for vloadN; here it is for elements of buffers,
// `in[i - 1] + in[i] + in[i + 1]`, and pixels of images. LoadChain.h has what
// both share.
#include "rewrite/Conditions.h"
#include "rewrite/LoadChain.h"

using namespace llvm;
using namespace clang;
using namespace clang::ast_matchers;

namespace clrewrite {
namespace {

/// A value from memory that other work-items may see, or from an image.
bool isLoad(const Expr *E) {
  if (isVload(E) ||
      (isa<CallExpr>(E) && calleeName(E).starts_with("read_image") &&
       isBuiltinCall(cast<CallExpr>(E))))
    return true;
  const auto *C = dyn_cast<ImplicitCastExpr>(E);
  if (!C || C->getCastKind() != CK_LValueToRValue)
    return false;
  const Expr *From = C->getSubExpr()->IgnoreParens();
  LangAS Space = From->getType().getAddressSpace();
  return !isa<DeclRefExpr>(From) &&
         (Space == LangAS::opencl_global || Space == LangAS::opencl_constant ||
          Space == LangAS::opencl_local);
}

AST_MATCHER(BinaryOperator, combinesSeveralLoads) {
  ASTContext &Context = Finder->getASTContext();
  // With several vloadN it is serialise-vload's.
  if (!isWholeChain(Node, isLoad, Context) ||
      isWholeChain(Node, isVload, Context))
    return false;
  // Two loads are held at once in any order.
  Chain C = chainOf(&Node, isLoad, Context);
  return count_if(C.Steps, [](const ChainStep &S) {
           return containsLoad(S.Term, isLoad);
         }) >= 2;
}

} // namespace

const Rewrite &rewriteSerialiseLoads() {
  static const Rewrite R = serialising<isLoad>(
      "serialise-loads", "load and combine values from memory one at a time",
      combinesSeveralLoads());
  return R;
}

} // namespace clrewrite

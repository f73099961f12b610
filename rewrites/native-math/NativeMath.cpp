// native-math: calls of float functions become calls of their native_ or half_
// forms.
//
// `exp(x)` for float is a sequence that is right to 3 units in the last place,
// with registers of its own; `native_exp(x)` is an instruction or two of
// the GPU, as exact as that is. All calls of one function in a body change
// together: each alone seldom reaches a step, and a kernel that is content with
// one is content with all.
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::native_math {
namespace {

/// The largest error of a half_ function that OpenCL C allows (OpenCL C 3.0,
/// section 6.15.2, table of half_ and native_ functions).
constexpr unsigned HalfUlps = 8192;

/// The functions that have a half_ and a native_ form with the same arguments.
/// pow has none: powr is for a base that is not negative.
constexpr llvm::StringLiteral Names[] = {"cos",   "exp",  "exp2",  "exp10",
                                         "log",   "log2", "log10", "powr",
                                         "rsqrt", "sin",  "sqrt",  "tan"};

/// A call of one of them for floats.
bool isPrecise(const CallExpr *Call) {
  return is_contained(Names, calleeName(Call)) && isBuiltinCall(Call) &&
         laneOf(Call->getType())->isSpecificBuiltinType(BuiltinType::Float);
}

/// Whether a call is of the same name as \p One.
auto isCallLike(const CallExpr *One) {
  return [One](const CallExpr *Call) {
    return calleeName(Call) == calleeName(One) && isPrecise(Call);
  };
}

const CallExpr *callOf(const Site &S) { return S.get<CallExpr>(); }

std::vector<const CallExpr *> callsOf(const Site &S) {
  return allIn<CallExpr>(S.Function.getBody(), isCallLike(callOf(S)));
}

SourceLocation nameOf(const CallExpr *Call) {
  return Call->getCallee()->IgnoreParenImpCasts()->getBeginLoc();
}

/// The first of its function's calls of this name; it stands for all.
bool isFirstOfItsName(const CallExpr &Node, ASTContext &Context) {
  if (!isPrecise(&Node))
    return false;
  const FunctionDecl *F =
      enclosingFunction(DynTypedNode::create(Node), Context);
  if (!F || !F->hasBody())
    return false;
  return firstIn<CallExpr>(F->getBody(), isCallLike(&Node)) == &Node;
}

bool namesAreText(const Site &S) {
  return all_of(callsOf(S), [&](const CallExpr *Call) {
    return nameOf(Call).isFileID() || S.brokenBy(nameOf(Call));
  });
}

bool formsAreBuiltins(const Site &S) {
  std::string Name = calleeName(callOf(S)).str();
  return meansBuiltin("native_" + Name, S.Context) &&
         meansBuiltin("half_" + Name, S.Context);
}

std::vector<Alternative> alternatives(const Site &S) {
  std::vector<Alternative> Out;
  for (llvm::StringRef Form : {"native", "half"}) {
    Alternative A;
    A.Label = Form.str();
    A.Class = Safety::Approximate;
    if (Form == "half")
      A.Ulps = HalfUlps;
    for (const CallExpr *Call : callsOf(S))
      A.Changes.push_back(
          insertion(nameOf(Call), (Form + "_").str(), S.Context));
    Out.push_back(std::move(A));
  }
  return Out;
}

} // namespace

const Rewrite &rewriteNativeMath() {
  static const Rewrite R{
      "native-math",
      "call the native or half form of float functions",
      Safety::Approximate,
      sitesOf<CallExpr, isFirstOfItsName>,
      {{"the name of one of the calls comes from a macro", namesAreText,
        WriteItOut},
       {"the name of the native or half form means something else in this "
        "program",
        formsAreBuiltins, RenameOwn}},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::native_math

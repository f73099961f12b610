// fast-math: float functions with a faster form, and what that form may be off.
#include "advice/AdviceSort.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/Nodes.h"
#include "clang/Basic/LangOptions.h"
#include <map>

using namespace clang;

namespace clrewrite::advice::fast_math {
namespace {

/// Errors for float in the full profile, from the OpenCL C specification 3.0,
/// section "Relative Error as ULPs": the tables of single-precision built-in
/// math functions, and of those with unsafe math optimizations.
struct Form {
  llvm::StringLiteral Name;
  llvm::StringLiteral Error;
  /// The forms with the same arguments, and their errors.
  llvm::StringLiteral Forms;
  /// What -cl-fast-relaxed-math allows; empty where that is the same.
  llvm::StringLiteral Relaxed;
};

constexpr llvm::StringLiteral NativeAndHalf =
    "native_@ (error and range are the device's own), half_@ (8192 ulp)";
constexpr llvm::StringLiteral Turns =
    "native_@ (error and range are the device's own), half_@ (8192 ulp, for "
    "arguments within 65536)";
constexpr llvm::StringLiteral Trig = "an absolute error of 2^-11 within pi";
constexpr llvm::StringLiteral Logs =
    "an absolute error of 2^-21 between 0.5 and 2, 3 ulp elsewhere";
constexpr llvm::StringLiteral Exps = "3 + floor(fabs(2 * x)) ulp";

constexpr Form Forms[] = {
    {"cos", "4 ulp", Turns, Trig},
    {"distance", "2.5 + 2n ulp", "fast_@ (8191.5 + 2n ulp)", ""},
    {"exp", "3 ulp", NativeAndHalf, Exps},
    {"exp10", "3 ulp", NativeAndHalf, "exp2(x * log2(10)), or 8192 ulp"},
    {"exp2", "3 ulp", NativeAndHalf, Exps},
    {"length", "2.75 + 0.5n ulp", "fast_@ (8191.5 + n ulp)", ""},
    {"log", "3 ulp", NativeAndHalf, Logs},
    {"log10", "3 ulp", NativeAndHalf, Logs},
    {"log2", "3 ulp", NativeAndHalf, Logs},
    {"normalize", "2 + n ulp", "fast_@ (8192 + n ulp)", ""},
    {"powr", "16 ulp", NativeAndHalf, "exp2(y * log2(x)), or 8192 ulp"},
    {"rsqrt", "2 ulp", NativeAndHalf, ""},
    {"sin", "4 ulp", Turns, Trig},
    {"sqrt", "3 ulp", NativeAndHalf, ""},
    {"tan", "5 ulp", Turns, "sin(x) * (1.0f / cos(x)), or 8192 ulp"},
};

const Form *formOf(llvm::StringRef Name) {
  for (const Form &F : Forms)
    if (F.Name == Name)
      return &F;
  return nullptr;
}

/// \p Text with \p Name for @.
std::string named(llvm::StringRef Text, llvm::StringRef Name) {
  std::string Out;
  for (char C : Text)
    Out += C == '@' ? Name.str() : std::string(1, C);
  return Out;
}

void find(const Adviser &To) {
  const LangOptions &Lang = To.Context.getLangOpts();
  if (Lang.FastRelaxedMath || Lang.CLUnsafeMath)
    return; // The compiler may do it already.
  for (const auto &[Canonical, F] : To.Code.Functions) {
    std::map<std::string, std::vector<const CallExpr *>> Calls;
    for (const CallExpr *Call : rewrite::allIn<CallExpr>(F->getBody())) {
      llvm::StringRef Name = rewrite::calleeName(Call);
      bool Constant = true; // the compiler computes it
      for (const Expr *A : Call->arguments())
        Constant &= A->isEvaluatable(To.Context);
      if (formOf(Name) && rewrite::isBuiltinCall(Call) && !Constant &&
          Call->getNumArgs() &&
          rewrite::laneOf(Call->getArg(0)->getType())
              ->isSpecificBuiltinType(BuiltinType::Float))
        Calls[Name.str()].push_back(Call);
    }
    for (const auto &[Name, List] : Calls) {
      const Form &Known = *formOf(Name);
      std::string Text =
          Name + " of floats is right to " + Known.Error.str() +
          "; faster: " + named(Known.Forms, Name) + "; -cl-fast-relaxed-math " +
          (Known.Relaxed.empty()
               ? std::string("leaves its error, and assumes that there is no "
                             "infinity and no NaN")
               : "allows " + Known.Relaxed.str() + ", in all of the program");
      if (List.size() > 1)
        Text += " (" + std::to_string(List.size()) + " calls in " +
                F->getNameAsString() + ")";
      To.Tell(List.front()->getBeginLoc(), *F, Text);
    }
  }
}

} // namespace

const AdviceSort &adviceFastMath() {
  static const AdviceSort S{
      "fast-math", "float functions that have a faster, less exact form", find};
  return S;
}

} // namespace clrewrite::advice::fast_math

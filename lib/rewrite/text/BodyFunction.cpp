// The text of a kernel that calls what its body was.
#include "rewrite/text/BodyFunction.h"
#include "rewrite/text/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

static SourceRange parameters(const FunctionDecl &F) {
  return {F.getParamDecl(0)->getBeginLoc(),
          F.getParamDecl(F.getNumParams() - 1)->getEndLoc()};
}

bool isCopyableHead(const Site &S) {
  return S.Function.getNameInfo().getLoc().isFileID() &&
         S.Function.getBody()->getBeginLoc().isFileID() &&
         isCopyable(parameters(S.Function), S.Context);
}

bool parametersHaveNames(const Site &S) {
  return all_of(S.Function.parameters(),
                [](const ParmVarDecl *P) { return P->getIdentifier(); });
}

BodyFunction::BodyFunction(const Site &S, StringRef Suffix)
    : S(S), Name(freshName((S.Function.getName() + Suffix).str(), S.Context)),
      Parameters(text(parameters(S.Function), S.Context)->str()) {}

std::string BodyFunction::call(ArrayRef<std::string> Arguments) const {
  return Name + "(" + join(Arguments, ", ") + ");";
}

std::vector<std::string> BodyFunction::arguments() const {
  std::vector<std::string> Out;
  for (const ParmVarDecl *P : S.Function.parameters())
    Out.push_back(P->getNameAsString());
  return Out;
}

Edit BodyFunction::edit(StringRef Before, StringRef Caller) const {
  std::string Head = "void " + Name + "(" + Parameters + ")";
  return insertion(S.Function.getBody()->getBeginLoc(),
                   ("{\n" + Before + "  " + Head + ";\n" + Caller +
                    "}\n\n__attribute__((always_inline))\n" + Head + " ")
                       .str(),
                   S.Context);
}

} // namespace clrewrite::rewrite

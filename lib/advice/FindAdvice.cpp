// Each sort of advice looks at the parsed program, and what they say is put in
// order.
#include "advice/AdviceSort.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::advice {

std::vector<Advice> findAdvice(clang::ASTContext &Context,
                               ArrayRef<const AdviceSort *> Sorts,
                               const AdviceFacts &Facts) {
  std::vector<Advice> Out;
  Program Code(Context);
  const clang::SourceManager &SM = Context.getSourceManager();
  for (const AdviceSort *Sort : Sorts) {
    auto Tell = [&](clang::SourceLocation At, const clang::FunctionDecl &F,
                    std::string Message) {
      At = SM.getFileLoc(At);
      std::vector<std::string> Kernels = Code.kernelsOf(F);
      if (!SM.isInMainFile(At) || Kernels.empty())
        return;
      Out.push_back({Sort->Name, F.getNameAsString(), std::move(Kernels),
                     SM.getSpellingLineNumber(At), SM.getFileOffset(At),
                     std::move(Message)});
    };
    Sort->Find({Context, Code, Facts, Tell});
  }
  llvm::sort(Out);
  Out.erase(llvm::unique(Out), Out.end());
  return Out;
}

} // namespace clrewrite::advice

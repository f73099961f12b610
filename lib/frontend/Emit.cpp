// Clang's code generation is run as an action of its own.
#include "frontend/Emit.h"
#include "frontend/Diagnosing.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace clrewrite::frontend {

/// The headers that were read, but for Clang's own.
static void noteHeaders(const clang::SourceManager &SM, Diagnosis &D) {
  auto Main = SM.getFileEntryRefForID(SM.getMainFileID());
  for (auto It = SM.fileinfo_begin(); It != SM.fileinfo_end(); ++It)
    if (StringRef Name = It->first.getName();
        (!Main || It->first != *Main) && !Name.starts_with(resourceDir()))
      D.Headers.push_back(Name.str());
  llvm::sort(D.Headers);
}

std::unique_ptr<Module> emit(const Source &S, const Arch &A,
                             LLVMContext &Context, Diagnosis &D, bool Lines) {
  Diagnosing Consumer(D, /*Colour=*/false);
  std::vector<const char *> Extra{"-emit-llvm-only"};
  if (Lines)
    Extra.push_back("-debug-info-kind=line-tables-only");
  std::unique_ptr<clang::CompilerInstance> Compiler =
      makeCompiler(S, A, Extra, &Consumer);
  if (!Compiler)
    return nullptr;
  clang::EmitLLVMOnlyAction Action(&Context);
  if (!Compiler->ExecuteAction(Action) || D.Errors)
    return nullptr;
  if (Compiler->hasSourceManager())
    noteHeaders(Compiler->getSourceManager(), D);
  return Action.takeModule();
}

} // namespace clrewrite::frontend

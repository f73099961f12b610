// Clang's code generation is run as an action of its own.
#include "frontend/Emit.h"
#include "frontend/Diagnosing.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace clrewrite::frontend {

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
  return Action.takeModule();
}

} // namespace clrewrite::frontend

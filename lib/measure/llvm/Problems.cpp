// Functions are named by the sorts of LLVM's diagnostics that have one.
#include "measure/llvm/Problems.h"
#include "measure/llvm/LlvmVersions.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace clrewrite::measure {

void Problems::add(const DiagnosticInfo &Info) {
  if (Info.getSeverity() != DS_Error)
    return;
  std::string Text, Where;
  raw_string_ostream OS(Text);
  DiagnosticPrinterRawOStream Printer(OS);
  if (const auto *Assembly = dyn_cast<DiagnosticInfoSrcMgr>(&Info))
    OS << "in its assembly: " << Assembly->getSMDiag().getMessage();
  else
    Info.print(Printer);
  if (const auto *U = dyn_cast<DiagnosticInfoUnsupported>(&Info))
    Where = U->getFunction().getName().str();
  else if (const auto *L = dyn_cast<DiagnosticInfoResourceLimit>(&Info))
    Where = L->getFunction().getName().str();
  else if (const Function *F = withoutRegisters(Info))
    Where = F->getName().str();
  StringRef Line = StringRef(Text).split('\n').first;
  Line.consume_front("<unknown>:0:0: "); // there are no lines in the module
  First.try_emplace(Where, Line.str());
}

std::string Problems::of(const std::string &Function) const {
  auto It = First.find(Function);
  if (It == First.end())
    It = First.find("");
  return It == First.end() ? "" : It->second;
}

} // namespace clrewrite::measure

// The diagnostic consumer that turns Clang's diagnostics into a Diagnosis.
#pragma once

#include "frontend/Parse.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace clrewrite::frontend {

class Diagnosing : public clang::DiagnosticConsumer {
public:
  Diagnosing(Diagnosis &Into, bool Colour);

  void BeginSourceFile(const clang::LangOptions &Lang,
                       const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

private:
  void handleMissing(clang::DiagnosticsEngine::Level Level,
                     const clang::Diagnostic &Info);

  Diagnosis &Into;
  llvm::raw_string_ostream OS;
  clang::DiagnosticOptions Options;
  clang::TextDiagnosticPrinter Printer;
};

} // namespace clrewrite::frontend

// The diagnostic consumer that turns Clang's diagnostics into a Diagnosis.
#pragma once

#include "frontend/Parse.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

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

  /// Whether the error says what one before it said: of a macro that the host
  /// defines there is one for each use.
  bool isRepeated(const clang::Diagnostic &Info);

  Diagnosis &Into;
  std::set<std::string> Told;
  unsigned Shown = 0,
           Repeated = 0; ///< errors that were shown, and that were counted
  bool NotesAreRepeated = false;
  llvm::raw_string_ostream OS;
  clang::DiagnosticOptions Options;
  clang::TextDiagnosticPrinter Printer;
};

} // namespace clrewrite::frontend

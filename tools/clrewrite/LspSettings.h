// What a client asks of the server, beside what the configuration files say.
#pragma once

#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace clrewrite {

struct LspSettings {
  /// As on the command line.
  std::vector<std::string> Options, BuildOptions;
  /// Show live VGPRs behind each line.
  bool Pressure = false;
  /// Figures behind a kernel's line: "on", "off", or "auto", where the editor
  /// has no code lenses.
  std::string Hints = "auto";
  /// Look for rewrites while nobody types.
  bool Search = true;
  /// Milliseconds without a change before figures are measured, and before
  /// rewrites are looked for.
  unsigned MeasureDelay = 30, SearchDelay = 400;
};

/// Takes what \p Given, an object, says in the place of what \p S has. Fails,
/// and changes nothing, where a key is unknown or a value of the wrong type.
llvm::Error apply(const llvm::json::Value &Given, LspSettings &S);

} // namespace clrewrite

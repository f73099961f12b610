// The settings of a client, which are laid over the configuration files.
#pragma once

#include "config/ParseOptions.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace clrewrite::cli {

struct LspSettings {
  /// The options, as on the command line.
  std::vector<std::string> Options, BuildOptions;
  /// Options that have a setting of their own, by name: {"target", "gfx906"}.
  /// They take the place of those in Options.
  std::map<std::string, std::string> Named;
  /// Show live VGPRs after each line.
  bool Pressure = false;
  /// Figures after a kernel's line: "on", "off", or "auto", where the editor
  /// has no code lenses.
  std::string Hints = "auto";
  /// Look for rewrites while nobody types.
  bool Search = true;
  /// Milliseconds without a change before figures are measured, and before
  /// rewrites are looked for.
  unsigned MeasureDelay = 30, SearchDelay = 400;

  /// Where the include folders that build options name may lie: real paths. By
  /// the command line, anywhere.
  std::vector<std::string> IncludeRoots = {"/"};

  /// Reads all of them into \p O, for a run on a text that stands in "-".
  /// Include folders that lie in none of IncludeRoots are left out; they go
  /// into
  /// \p LeftOut.
  config::Misuse read(llvm::StringRef Program, config::Options &O,
                      std::vector<std::string> &LeftOut) const;

  friend bool operator==(const LspSettings &A, const LspSettings &B) {
    auto Fields = [](const LspSettings &S) {
      return std::tie(S.Options, S.BuildOptions, S.Named, S.Pressure, S.Hints,
                      S.Search, S.MeasureDelay, S.SearchDelay, S.IncludeRoots);
    };
    return Fields(A) == Fields(B);
  }
};

/// Takes what \p Given, an object, says instead of what \p S has. Fails,
/// and changes nothing, where a key is unknown or a value of the wrong type.
llvm::Error apply(const llvm::json::Value &Given, LspSettings &S);

} // namespace clrewrite::cli

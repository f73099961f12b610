// Sources and options as device jobs take them.
#include "verify/Versions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite {

/// True for an option that lets the compiler change the results.
static bool changesResults(StringRef Option) {
  return Option == "-cl-mad-enable" || Option == "-cl-no-signed-zeros" ||
         Option == "-cl-unsafe-math-optimizations" ||
         Option == "-cl-finite-math-only" ||
         Option == "-cl-fast-relaxed-math" || Option == "-ffast-math";
}

/// As a word of an option string; drivers know double quotes at most.
static std::string quoted(StringRef Word) {
  return Word.contains(' ') ? ("\"" + Word + "\"").str() : Word.str();
}

static std::string optionString(const Source &S, Arithmetic How) {
  std::vector<std::string> Words;
  for (const std::string &O : S.Options)
    // Warnings are for the front end's user; some drivers refuse -W.
    if (!StringRef(O).starts_with("-W") &&
        !(How == Arithmetic::Exact && changesResults(O)))
      Words.push_back(quoted(O));
  // The driver does not know where the file stands.
  StringRef Folder = sys::path::parent_path(S.Path);
  if (!Folder.empty() && StringRef(S.Text).contains("include"))
    Words.push_back("-I " + quoted(Folder));
  return join(Words, " ");
}

json::Object deviceProgram(const Source &S, Arithmetic How) {
  StringRef Text = S.Text;
  Text.consume_front("\xef\xbb\xbf");
  std::string Whole;
  if (How == Arithmetic::Exact)
    Whole = "#pragma OPENCL FP_CONTRACT OFF\n#line 1\n";
  Whole += Text;
  json::Object Out{{"options", json::fixUTF8(optionString(S, How))}};
  if (json::isUTF8(Whole))
    Out["source"] = std::move(Whole);
  else
    Out["source_base64"] = encodeBase64(Whole);
  return Out;
}

bool isIntegerOnly(const Source &S) {
  std::string All = S.Text + " " + join(S.Options, " ");
  StringRef Text = All;
  // A header may name any type.
  return !Text.contains("float") && !Text.contains("double") &&
         !Text.contains("half") && !Text.contains("imagef") &&
         !Text.contains("include");
}

} // namespace clrewrite

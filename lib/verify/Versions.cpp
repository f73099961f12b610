// Sources and options as device jobs take them.
#include "verify/Versions.h"
#include "opencl/DeviceClient.h"
#include "source/Options.h"
#include "source/Shelter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::verify {

/// True for an option that lets the compiler change the results.
static bool changesResults(StringRef Option) {
  return Option == "-cl-mad-enable" || Option == "-cl-no-signed-zeros" ||
         Option == "-cl-unsafe-math-optimizations" ||
         Option == "-cl-finite-math-only" ||
         Option == "-cl-fast-relaxed-math" || Option == "-ffast-math";
}

Source withArithmetic(const Source &S, Arithmetic How) {
  Source Out = S;
  if (How == Arithmetic::Given)
    return Out;
  llvm::erase_if(Out.Options, changesResults);
  StringRef Text = S.Text;
  Text.consume_front("\xef\xbb\xbf");
  Out.Text = ("#pragma OPENCL FP_CONTRACT OFF\n#line 1\n" + Text).str();
  return Out;
}

std::vector<Reading> readingsOf(const Source &Before, const Source &After) {
  auto Read = [](Source S, bool Open) {
    S.Text = withShelters(S.Text, Open);
    return S;
  };
  std::vector<Reading> Out;
  for (bool Open : {true, false})
    Out.push_back({Read(Before, Open), Read(After, Open),
                   std::string("read ") + (Open ? "with" : "without") +
                       " the lines that #ifdef keeps for some GPUs: "});
  Reading &Others = Out.back();
  if (Out.front().Before.Text == Others.Before.Text &&
      Out.front().After.Text == Others.After.Text)
    Out.front().Words = ""; // there are no shelters
  else if (withoutShelters(Before.Text) != withoutShelters(After.Text))
    return Out;
  Out.pop_back();
  return Out;
}

static std::string optionString(const Source &S) {
  std::vector<std::string> Words;
  for (const std::string &O : S.Options)
    // Warnings are for the front end's user; some drivers refuse -W.
    if (!StringRef(O).starts_with("-W"))
      Words.push_back(O);
  // The driver does not know where the file stands.
  StringRef Folder = sys::path::parent_path(S.Path);
  if (!Folder.empty() && StringRef(S.Text).contains("include"))
    Words.insert(Words.end(), {"-I", Folder.str()});
  return joinOptions(Words);
}

json::Object deviceProgram(const Source &S, Arithmetic How) {
  Source Built = withArithmetic(S, How);
  StringRef Text = Built.Text;
  Text.consume_front("\xef\xbb\xbf");
  return opencl::programOf(Text, optionString(Built));
}

bool isIntegerOnly(const Source &S) {
  std::string All = S.Text + " " + join(S.Options, " ");
  StringRef Text = All;
  // A header may name any type.
  return !Text.contains("float") && !Text.contains("double") &&
         !Text.contains("half") && !Text.contains("imagef") &&
         !Text.contains("include");
}

bool mayUseGroups(const Source &S) {
  std::string All = S.Text + " " + join(S.Options, " ");
  // get_local_id, sub_group_size, local memory, barriers; a header may have
  // any. An id of two words may be pasted together.
  return any_of(ArrayRef<StringRef>{"group", "local", "barrier", "fence",
                                    "include", "##"},
                [&](StringRef Word) { return StringRef(All).contains(Word); });
}

} // namespace clrewrite::verify

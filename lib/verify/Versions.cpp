// Sources and options as device jobs take them.
#include "verify/Versions.h"
#include "opencl/DeviceClient.h"
#include "source/AddOnce.h"
#include "source/Options.h"
#include "source/Shelter.h"
#include "llvm/ADT/STLExtras.h"
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

std::string Reading::label() const {
  return How.empty() ? "" : "read " + How + KeptLines + ": ";
}

std::vector<Reading> readingsOf(const Source &Before, const Source &After) {
  std::vector<std::string> All = sheltersIn(After.Text);
  addOnce(All, sheltersIn(Before.Text));
  if (All.empty())
    return {{Before, After, ""}};
  const bool Several = All.size() > 1;
  All.push_back(""); // all other compilers
  std::vector<Reading> Out;
  for (const std::string &For : All) {
    if (!Out.empty() && readBy(Before.Text, For) == readBy(After.Text, For))
      continue;
    Reading R{Before, After, For.empty() ? "without" : "with"};
    if (Several && !For.empty())
      R.How += ", for " + For + ",";
    for (Source *S : {&R.Before, &R.After})
      S->Text = withShelters(S->Text, For);
    Out.push_back(std::move(R));
  }
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

/// The options of \p S but those that define no macro, and only tell the driver
/// how to generate code.
static std::vector<std::string> optionsForText(const Source &S) {
  std::vector<std::string> Out = S.Options;
  llvm::erase_if(Out, [](StringRef O) {
    return O.starts_with("-cl-nv-") || O == "-cl-mad-enable" ||
           O == "-cl-denorms-are-zero";
  });
  return Out;
}

/// \p After has a line with one of \p Words that \p Before has not. A header
/// may have any, and a name of two words may be pasted together.
static bool hasNewly(ArrayRef<StringRef> Words, const Source &Before,
                     const Source &After) {
  if (optionsForText(Before) != optionsForText(After))
    return true;
  StringMap<int> Added;
  for (StringRef Line : split(After.Text, '\n'))
    ++Added[Line];
  for (StringRef Line : split(Before.Text, '\n'))
    --Added[Line];
  return any_of(Added, [&](const auto &Line) {
    auto has = [&](StringRef Word) { return Line.first().contains(Word); };
    return Line.second > 0 &&
           (has("include") || has("##") || any_of(Words, has));
  });
}

bool mayAddGroupUse(const Source &Before, const Source &After) {
  // get_local_id, sub_group_size, local memory, barriers.
  return hasNewly({"group", "local", "barrier", "fence"}, Before, After);
}

bool mayAskForWhole(const Source &Before, const Source &After) {
  return hasNewly({"group", "size", "offset", "linear", "enqueue"}, Before,
                  After);
}

bool mayCutTo16Bits(const Source &Before, const Source &After) {
  // Decimal masks and moduli are 32767 or 65535 and their neighbours.
  const StringRef Words[] = {"char", "short", "24", "327", "655",
                             "0x",   "0X",    "<<", ">>"};
  return hasNewly(Words, Before, After) || hasNewly(Words, After, Before);
}

} // namespace clrewrite::verify

// Printing configurations.
#include "config/Config.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/YAMLParser.h"

using namespace llvm;

namespace clrewrite::config {
namespace {

std::string scalar(StringRef Text) {
  bool Plain = !Text.empty() && (isAlnum(Text.front()) || Text[0] == '.') &&
               all_of(Text, [](char C) {
                 return isAlnum(C) || StringRef("._/-+=").contains(C);
               });
  return Plain ? Text.str() : "\"" + yaml::escape(Text) + "\"";
}

std::string list(ArrayRef<std::string> Texts) {
  return "[" + join(map_range(Texts, scalar), ", ") + "]";
}

std::string list(ArrayRef<select::EditName> Names) {
  Words Texts;
  for (const select::EditName &N : Names)
    Texts.push_back(N.text());
  return list(Texts);
}

std::string number(double Value) {
  std::string Out;
  raw_string_ostream(Out) << format("%.9g", Value);
  return Out;
}

} // namespace

void writeConfig(const Config &C, raw_ostream &OS) {
  auto Put = [&](StringRef Key, const std::string &Value) {
    OS << Key << ": " << Value << "\n";
  };
  auto PutList = [&](StringRef Key, const auto &Value) {
    if (Value)
      Put(Key, list(*Value));
  };
  auto PutText = [&](StringRef Key, const std::optional<std::string> &Value) {
    if (Value)
      Put(Key, scalar(*Value));
  };
  PutList("target", C.Targets);
  for (const auto &[Name, Value] : Objectives)
    if (C.Goal == Value)
      Put("objective", Name.str());
  if (C.MaxSlowdown)
    Put("max-slowdown", number(*C.MaxSlowdown));
  PutText("budget", C.Budget);
  PutList("only", C.Only);
  PutList("without", C.Without);
  PutList("advise", C.Advise);
  PutList("grant", C.Granted);
  PutList("demote", C.Demoted);
  PutList("options", C.Options);
  if (C.Sets)
    OS << "option-sets:" << (C.Sets->empty() ? " []\n" : "\n");
  for (const OptionSet &S : C.Sets.value_or(std::vector<OptionSet>())) {
    OS << "  - name: " << scalar(S.Name) << "\n";
    if (!S.Files.empty())
      OS << "    files: " << list(S.Files) << "\n";
    OS << "    options: " << list(S.Options) << "\n";
  }
  if (C.Launches)
    OS << "launch:" << (C.Launches->empty() ? " []\n" : "\n");
  for (const FileLaunch &L : C.Launches.value_or(std::vector<FileLaunch>())) {
    OS << "  - launch: " << scalar(L.Text) << "\n";
    if (!L.Files.empty())
      OS << "    files: " << list(L.Files) << "\n";
  }
  PutList("exclude", C.Exclude);
  PutText("verify", C.Verify);
  if (C.VerifySeconds)
    Put("verify-seconds", number(*C.VerifySeconds));
  PutText("tolerance", C.Tolerance);
  if (C.CompileTimeout)
    Put("compile-timeout", utostr(*C.CompileTimeout));
  if (C.Jobs)
    Put("jobs", utostr(*C.Jobs));
}

} // namespace clrewrite::config

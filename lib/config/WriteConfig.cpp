// A configuration is written as YAML that reads back as the same configuration.
#include "config/OptionTable.h"
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

// A value after its key, by its type.

void write(raw_ostream &OS, const Words &Texts) {
  OS << " " << list(Texts) << "\n";
}

void write(raw_ostream &OS, const std::vector<select::EditName> &Names) {
  Words Texts;
  for (const select::EditName &N : Names)
    Texts.push_back(N.text());
  write(OS, Texts);
}

void write(raw_ostream &OS, const std::string &Text) {
  OS << " " << scalar(Text) << "\n";
}

void write(raw_ostream &OS, double Value) {
  OS << " " << format("%.9g", Value) << "\n";
}

void write(raw_ostream &OS, bool Value) {
  OS << (Value ? " true\n" : " false\n");
}

void write(raw_ostream &OS, unsigned Value) { OS << " " << Value << "\n"; }

void write(raw_ostream &OS, select::Objective Goal) {
  for (const auto &[Name, Value] : Objectives)
    if (Goal == Value)
      OS << " " << Name << "\n";
}

void write(raw_ostream &OS, const std::vector<OptionSet> &Sets) {
  OS << (Sets.empty() ? " []\n" : "\n");
  for (const OptionSet &S : Sets) {
    OS << "  - name: " << scalar(S.Name) << "\n";
    if (!S.Files.empty())
      OS << "    files: " << list(S.Files) << "\n";
    OS << "    options: " << list(S.Options) << "\n";
  }
}

void write(raw_ostream &OS, const std::vector<FileLaunch> &Launches) {
  OS << (Launches.empty() ? " []\n" : "\n");
  for (const FileLaunch &L : Launches) {
    OS << "  - launch: " << scalar(L.Text) << "\n";
    if (!L.Files.empty())
      OS << "    files: " << list(L.Files) << "\n";
  }
}

template <typename T>
void writeKey(raw_ostream &OS, StringRef Key, const std::optional<T> &Value) {
  if (!Value)
    return;
  OS << Key << ":";
  write(OS, *Value);
}
/// What no configuration has.
template <typename T> void writeKey(raw_ostream &, StringRef, const T &) {}

} // namespace

void writeConfig(const Config &C, raw_ostream &OS) {
  Config Copy = C;
  for (const Option &Row : optionsOf(Copy))
    std::visit([&](const auto *Value) { writeKey(OS, Row.Name, *Value); },
               Row.Into);
}

} // namespace clrewrite::config

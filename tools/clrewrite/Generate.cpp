// --generate, and what the shells' completions have in common.
#include "Generate.h"
#include "measure/nvptx/NvidiaLimits.h"
#include "rewrite/Registry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/TargetParser.h"

using namespace llvm;

namespace clrewrite::cli {

static std::vector<std::string> targetNames() {
  std::vector<std::string> Out;
  SmallVector<StringRef, 128> Amd;
  AMDGPU::fillValidArchListAMDGCN(Amd);
  for (StringRef Name : Amd)
    Out.push_back(Name.str());
  for (const measure::NvidiaLimits &L : measure::nvidiaTable())
    Out.push_back(L.Arch.str());
  Out.push_back("device");
  return Out;
}

std::vector<std::string> rewriteNames() {
  std::vector<std::string> Out;
  for (const rewrite::Rewrite *R : rewrite::allRewrites())
    Out.push_back(R->Name);
  return Out;
}

Completion completionOf(const config::Option &O) {
  StringRef Value = O.ValueName;
  bool List = Value.consume_back(",...");
  if (!O.Values.empty()) {
    Completion Out{Completion::Words, {}, List};
    for (const config::OptionValue &V : O.Values)
      Out.Names.push_back(V.Name);
    return Out;
  }
  if (Value == "gpu")
    return {Completion::Words, targetNames(), List};
  if (Value == "rewrite")
    return {Completion::Words, rewriteNames(), List};
  if (O.Name == "verify")
    return {Completion::Words, {"auto", "off"}, List};
  if (Value.starts_with("file"))
    return {Completion::File, {}, List};
  if (Value == "folder" || Value == "dir")
    return {Completion::Folder, {}, List};
  return {};
}

std::vector<std::string> buildOptionNames() {
  return {"-D",
          "-I",
          "-include",
          "-cl-std=CL1.2",
          "-cl-std=CL2.0",
          "-cl-std=CL3.0",
          "-cl-fast-relaxed-math",
          "-cl-unsafe-math-optimizations",
          "-cl-finite-math-only",
          "-cl-no-signed-zeros",
          "-cl-mad-enable",
          "-cl-denorms-are-zero",
          "-cl-single-precision-constant",
          "-cl-fp32-correctly-rounded-divide-sqrt"};
}

std::string quoted(StringRef Text, StringRef Quote) {
  std::string Out = "'";
  for (char C : Text)
    Out += C == '\'' ? Quote.str() : std::string(1, C);
  return Out + "'";
}

bool generate(raw_ostream &OS, StringRef What, ArrayRef<CommandEntry> Table) {
  const std::pair<StringRef, void (*)(raw_ostream &, ArrayRef<CommandEntry>)>
      Writers[] = {{"man", writeManPage},
                   {"bash", writeBash},
                   {"zsh", writeZsh},
                   {"fish", writeFish}};
  for (const auto &[Name, Write] : Writers)
    if (Name == What) {
      Write(OS, Table);
      return true;
    }
  return false;
}

} // namespace clrewrite::cli

// Describes, for the user, code that runs on a device and was never parsed.
#include "pipeline/Unseen.h"
#include "frontend/Assembly.h"

using namespace llvm;

namespace clrewrite::pipeline {

std::vector<std::string> inWords(const Unseen &U,
                                 function_ref<unsigned(unsigned)> LineInFile) {
  std::vector<std::string> Out;
  auto Add = [&](StringRef What, ArrayRef<LineRange> Lines) {
    std::vector<LineRange> Moved;
    for (LineRange L : Lines)
      Moved.push_back(
          {LineInFile(unsigned(L.First)), LineInFile(unsigned(L.Last))});
    if (!Moved.empty())
      Out.push_back((What + lineNumbers(Moved)).str());
  };
  Add("assembly in line ", frontend::linesOfAssembly(U.Text));
  for (const std::string &Header : U.AssemblyInHeaders)
    Out.push_back("assembly in " + Header);
  Add("what no target's build takes (#if), line ", U.Skipped);
  return Out;
}

std::string unseenNote(StringRef Path, StringRef What) {
  return ("clrewrite: note: " + Path +
          ": runs on the device without being looked at: " + What + "\n")
      .str();
}

} // namespace clrewrite::pipeline

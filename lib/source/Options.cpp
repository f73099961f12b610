// Options with spaces are quoted; OpenCL drivers know double quotes only.
#include "source/Options.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace clrewrite {

std::string joinOptions(ArrayRef<std::string> Words) {
  std::string Out;
  for (StringRef Word : Words) {
    bool Quote = Word.contains(' ');
    if (!Out.empty())
      Out += " ";
    Out += (Quote ? Twine("\"") + Word + "\"" : Twine(Word)).str();
  }
  return Out;
}

std::string withOptions(StringRef Given, StringRef More) {
  return (Given + (Given.empty() || More.empty() ? "" : " ") + More).str();
}

} // namespace clrewrite

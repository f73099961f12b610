// Fields behind their lengths.
#include "process/Fields.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::process {

std::string packFields(ArrayRef<std::string> Fields) {
  std::string Out;
  for (const std::string &Each : Fields)
    Out += utostr(Each.size()) + ":" + Each;
  return Out;
}

std::optional<std::vector<std::string>> unpackFields(StringRef Bytes) {
  std::vector<std::string> Out;
  while (!Bytes.empty()) {
    size_t Length;
    if (Bytes.consumeInteger(10, Length) || !Bytes.consume_front(":") ||
        Bytes.size() < Length)
      return std::nullopt;
    Out.push_back(Bytes.take_front(Length).str());
    Bytes = Bytes.drop_front(Length);
  }
  return Out;
}

} // namespace clrewrite::process

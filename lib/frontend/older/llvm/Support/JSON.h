// LLVM reads a JSON number as an unsigned int since version 21.
#pragma once

#include_next "llvm/Support/JSON.h"
#include <limits>

namespace llvm::json {

inline bool fromJSON(const Value &From, unsigned &To, Path At) {
  std::optional<uint64_t> Number = From.getAsUINT64();
  if (Number && *Number <= std::numeric_limits<unsigned>::max()) {
    To = unsigned(*Number);
    return true;
  }
  At.report("expected unsigned integer");
  return false;
}

} // namespace llvm::json

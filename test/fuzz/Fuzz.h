// What every fuzzer has: libFuzzer's entry point, one for each parser of
// outside data. Replay.cpp calls all of them without libFuzzer.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size);

namespace clrewrite {

inline llvm::StringRef textOf(const uint8_t *Data, size_t Size) {
  return {reinterpret_cast<const char *>(Data), Size};
}

/// Whatever \p Got holds, or why it holds nothing, is of no interest.
template <typename T> void drop(llvm::Expected<T> Got) {
  if (!Got)
    llvm::consumeError(Got.takeError());
}

} // namespace clrewrite

// What is known of each kernel of a source, in one form for all that is asked.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace clrewrite::measure {

/// What one request gives, an entry a kernel, sorted by name.
template <typename Of> struct KernelReport {
  std::vector<Of> Kernels;
  /// Why nothing is known of any; else empty.
  std::string Problem;

  const Of *find(llvm::StringRef Kernel) const {
    for (const Of &K : Kernels)
      if (K.Kernel == Kernel)
        return &K;
    return nullptr;
  }
};

template <typename Of> llvm::json::Value toJSON(const KernelReport<Of> &R) {
  return llvm::json::Object{{"kernels", R.Kernels},
                            {"problem", llvm::json::fixUTF8(R.Problem)}};
}

template <typename Of>
bool fromJSON(const llvm::json::Value &V, KernelReport<Of> &R,
              llvm::json::Path P) {
  llvm::json::ObjectMapper O(V, P);
  return O && O.map("kernels", R.Kernels) && O.map("problem", R.Problem);
}

} // namespace clrewrite::measure

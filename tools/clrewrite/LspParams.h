// The parameters of the protocol's messages, looked up by path.
#pragma once

#include "llvm/Support/JSON.h"
#include <optional>

namespace clrewrite::cli {

/// The value at \p Path, members' names with dots between; null: none.
inline const llvm::json::Value *at(const llvm::json::Value &V,
                                   llvm::StringRef Path) {
  const llvm::json::Value *Now = &V;
  while (Now && !Path.empty()) {
    auto [First, Rest] = Path.split('.');
    const llvm::json::Object *O = Now->getAsObject();
    Now = O ? O->get(First) : nullptr;
    Path = Rest;
  }
  return Now;
}

/// The text there; empty: none.
inline llvm::StringRef stringAt(const llvm::json::Value &V,
                                llvm::StringRef Path) {
  const llvm::json::Value *Found = at(V, Path);
  return Found ? Found->getAsString().value_or("") : "";
}

inline bool trueAt(const llvm::json::Value &V, llvm::StringRef Path) {
  const llvm::json::Value *Found = at(V, Path);
  return Found && Found->getAsBoolean().value_or(false);
}

/// The value at \p Path, where it is a T.
template <typename T>
std::optional<T> read(const llvm::json::Value &V, llvm::StringRef Path) {
  T Out;
  llvm::json::Path::Root Root;
  const llvm::json::Value *Found = at(V, Path);
  if (!Found || !fromJSON(*Found, Out, Root))
    return std::nullopt;
  return Out;
}

} // namespace clrewrite::cli
